cdef class RouteTable:
    """The compiled form of routes, for logs/routes.h. Immutable.

    literals : (node, segment, node after it)
    parameters : (node, text before, text after, node after it, whether it matches the rest of a path)
    ranks : per node the rank of the route that ends there, or -1; the lowest rank wins
    numbers : per rank the number of its route

    Nodes are numbered from the root, 0. Raises ValueError for a number that is out of range.
    """
    cdef fu_route_table table
    cdef tuple held         # the texts and the arrays that the table points to
    cdef size_t nodes

    def __cinit__(self, list literals not None, list parameters not None, list ranks not None, list numbers not None):
        cdef size_t slots = 4, at
        cdef fu_route_literal *slot
        cdef fu_route_literal added
        cdef fu_route_parameter *parameter
        cdef int32_t *of_ranks
        cdef bytes text, suffix
        self.nodes = <size_t>len(ranks)
        if not 0 < self.nodes <= ROUTE_NODES_MAX or len(parameters) > ROUTE_NODES_MAX:
            raise ValueError("no nodes, or too many")
        while slots < 2 * <size_t>len(literals) + 1:
            slots *= 2
        held = [bytearray(slots * sizeof(fu_route_literal)), bytearray(len(parameters) * sizeof(fu_route_parameter) + 1),
                bytearray(self.nodes * sizeof(int32_t)), bytearray(self.nodes * sizeof(int32_t)),
                bytearray(len(numbers) * sizeof(int32_t) + 1)]
        self.table.slots = <fu_route_literal *>PyByteArray_AS_STRING(held[0])
        self.table.parameters = <fu_route_parameter *>PyByteArray_AS_STRING(held[1])
        self.table.first_parameter = <int32_t *>PyByteArray_AS_STRING(held[2])
        self.table.ranks = <int32_t *>PyByteArray_AS_STRING(held[3])
        of_ranks = <int32_t *>PyByteArray_AS_STRING(held[4])
        self.table.slot_mask = slots - 1
        for at in range(slots):
            self.table.slots[at].node = -1
        for at in range(self.nodes):
            self.table.first_parameter[at] = -1
            self.table.ranks[at] = ranks[at]
            if self.table.ranks[at] >= len(numbers):
                raise ValueError("rank out of range")
        for at in range(<size_t>len(numbers)):
            of_ranks[at] = numbers[at]
        for node, text, after in literals:
            added.data, added.length = bytes_of(text), <size_t>PyBytes_GET_SIZE(text)
            added.node, added.after = self.checked(node), self.checked(after)
            self.table.longest = max(self.table.longest, added.length)
            slot = fu_route_slot(&self.table, added.data, added.length, added.node)
            slot[0] = added
            held.append(text)
        at = 0
        for node, text, suffix, after, is_tail in parameters:
            parameter = &self.table.parameters[at]
            parameter.prefix, parameter.prefix_length = bytes_of(text), <size_t>PyBytes_GET_SIZE(text)
            parameter.suffix, parameter.suffix_length = bytes_of(suffix), <size_t>PyBytes_GET_SIZE(suffix)
            parameter.node, parameter.after = self.checked(node), self.checked(after)
            parameter.is_tail = bool(is_tail)
            parameter.next = self.table.first_parameter[parameter.node]
            self.table.first_parameter[parameter.node] = <int32_t>at
            held += (text, suffix)
            at += 1
        self.held = tuple(held)

    cdef int32_t checked(self, int64_t node) except -1:
        if not 0 <= node < <int64_t>self.nodes:
            raise ValueError("node out of range")
        return <int32_t>node

    def match(self, uintptr_t offsets, uintptr_t data, int64_t size, int64_t count, uintptr_t numbers):
        """Write the number of each text's route, or -1. Raises ValueError for an offset outside the data.

        offsets, data, size : the texts, as of a binary array of Arrow, and the bytes of the data
        numbers : space for `count` int32
        """
        cdef const int32_t *at = <const int32_t *>offsets
        cdef const uint8_t *raw = <const uint8_t *>data
        cdef int32_t *out = <int32_t *>numbers
        cdef const int32_t *of_ranks = <const int32_t *>PyByteArray_AS_STRING(self.held[4])
        cdef bytearray space = bytearray(2 * self.nodes * sizeof(int32_t))
        cdef fu_route_table table = self.table
        cdef int32_t rank
        cdef int64_t row = 0
        table.here = <int32_t *>PyByteArray_AS_STRING(space)
        table.ahead = table.here + self.nodes
        with nogil:
            while row < count and 0 <= at[row] <= at[row + 1] <= size:
                rank = fu_match_route(&table, raw + at[row], <size_t>(at[row + 1] - at[row]))
                out[row] = of_ranks[rank] if rank >= 0 else -1
                row += 1
        if row < count:
            raise ValueError("an offset is outside the data")
