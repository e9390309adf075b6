# Part of _functions.pyx: the Public Suffix List as a lookup table.

from cpython.mem cimport PyMem_Calloc
from libc.stdint cimport uint64_t


cdef class Suffixes:
    """Compiled rules from the Public Suffix List. Call ``fasturl.domains.read`` to create them.

    Parameters
    ----------
    rules : iterable of tuple
        Rules as (bytes in lower case, private, below, exception), where ``below`` marks a wildcard rule.
    """

    cdef fu_suffixes table
    cdef bytes data
    cdef readonly Py_ssize_t rules

    def __cinit__(self, rules):
        cdef size_t labels = 1, slots = 2, at = 0, n
        cdef list items = list(rules)
        cdef bytes rule
        cdef uint8_t bits
        cdef list data = []
        for item in items:
            data.append(item[0])
        self.data = b"".join(data)
        self.rules = len(items)
        for item in items:
            labels += item[0].count(b".") + 1
        while slots < 2 * labels:
            slots *= 2
        self.table.nodes = <fu_suffix_node *>PyMem_Calloc(labels, sizeof(fu_suffix_node))
        self.table.slots = <fu_suffix_slot *>PyMem_Calloc(slots, sizeof(fu_suffix_slot))
        self.table.filter = <uint64_t *>PyMem_Calloc(slots // 64 + 1, FU_FILTER_BITS * sizeof(uint64_t))
        if self.table.nodes == NULL or self.table.slots == NULL or self.table.filter == NULL:
            raise MemoryError
        self.table.mask = slots - 1
        self.table.count = 1
        for rule, private, below, exception in items:
            n = PyBytes_GET_SIZE(rule)
            bits = FU_RULE_EXCEPTION if exception else FU_RULE | (FU_RULE_BELOW if below else 0)
            if private:
                bits = <uint8_t>(bits << FU_RULE_BITS)
            fu_add_suffix_rule(&self.table, bytes_of(self.data) + at, n, bits)
            at += n

    def __dealloc__(self):
        PyMem_Free(self.table.nodes)
        PyMem_Free(self.table.slots)
        PyMem_Free(self.table.filter)
