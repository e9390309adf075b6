from libc.stdint cimport int32_t, uint8_t


cdef extern from "logs/routes.h" nogil:
    ctypedef struct fu_route_literal:
        const uint8_t *data
        size_t length
        int32_t node, after
    ctypedef struct fu_route_parameter:
        const uint8_t *prefix
        const uint8_t *suffix
        size_t prefix_length, suffix_length
        int32_t node, after, next
        int is_tail
    ctypedef struct fu_route_table:
        fu_route_literal *slots
        size_t slot_mask, longest
        fu_route_parameter *parameters
        int32_t *first_parameter
        int32_t *ranks
        int32_t *here
        int32_t *ahead
    fu_route_literal *fu_route_slot(const fu_route_table *t, const uint8_t *p, size_t n, int32_t node)
    int32_t fu_match_route(const fu_route_table *t, const uint8_t *p, size_t n)
