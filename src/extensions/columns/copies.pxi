# Copied texts in the layout of Arrow's string and binary: offsets, and bytes in a buffer that grows.

cdef class CopiedTexts:
    """The copied texts of some rows of one column, in order.

    parse_rows, map_copies and gather_values write one text per row. gather_lists writes any number per row.
    space : the bytes that the texts will probably take; 0 if unknown
    """

    cdef readonly PooledBuffer offsets    # int32, one more than there are texts
    cdef PooledBuffer bytes_memory
    cdef fu_copied_column column
    cdef int64_t rows
    cdef int64_t appended    # texts that append has copied
    cdef size_t space        # the bytes that the texts will probably take; 0 if unknown

    def __cinit__(self, int64_t rows, size_t space=0):
        self.rows = rows
        self.space = space
        self.offsets = PooledBuffer((rows + 1) * sizeof(int32_t))
        self.column.offsets = <int32_t *>self.offsets.start
        self.column.offsets[0] = 0

    @property
    def data(self):
        """PooledBuffer, or None before the first text.

        Bytes beyond ``used`` may be stale; results must not expose them.
        """
        return self.bytes_memory

    @property
    def used(self):
        """int: the number of used bytes."""
        return self.column.used

    def append(self, CopiedTexts other not None, int64_t texts):
        """Copy the first `texts` texts of another object behind those appended so far, without the GIL.

        ValueError if the space is too small or if the texts take over 2**31 - 1 bytes together.
        """
        cdef int32_t *offsets = self.column.offsets + self.appended
        cdef size_t used = other.column.used
        cdef int32_t base
        if texts < 0 or texts > other.rows or texts > self.rows - self.appended or other is self:
            raise ValueError("there are more texts than offsets")
        self.make_space(used, self.appended, 1)
        base = <int32_t>self.column.used
        with nogil:
            if used:
                memcpy(self.column.data + self.column.used, other.column.data, used)
            fu_shift_offsets(offsets + 1, other.column.offsets + 1, <size_t>texts, base)
        self.column.used += used
        self.appended += texts

    cdef int make_offsets(self, size_t texts, size_t used) except -1:
        """Allocate offsets for this number of texts, and copy the offsets of the `used` texts written so far."""
        cdef PooledBuffer offsets = PooledBuffer(<Py_ssize_t>((texts + 1) * sizeof(int32_t)))
        memcpy(offsets.start, self.column.offsets, (used + 1) * sizeof(int32_t))
        self.offsets = offsets
        self.column.offsets = <int32_t *>offsets.start
        self.rows = <int64_t>texts
        return 0

    cdef int make_space(self, size_t needed, int64_t done, int64_t step) except -1:
        """Make space for `needed` more bytes, and for the rest of the rows as predicted from the first `done` rows.

        needed : an upper bound for the next `step` rows
        """
        cdef size_t capacity = self.column.used + needed, guess
        cdef PooledBuffer memory
        if self.column.capacity - self.column.used >= needed:
            return 0
        if capacity > FU_VIEW_MAX:
            raise ValueError("the texts of one array take over 2**31 - 1 bytes: give chunks")
        if done:
            guess = <size_t>(<double>self.column.used / <double>done * <double>self.rows * 1.0625)
        elif self.space:
            guess = self.space
        else:
            guess = min(<size_t>FIRST_COPIES, needed * <size_t>(self.rows // step + 1))
        capacity = min(max(capacity, guess + needed, 2 * self.column.capacity), FU_VIEW_MAX)
        memory = PooledBuffer(<Py_ssize_t>capacity)
        if self.column.used:
            memcpy(memory.start, self.column.data, self.column.used)
        self.bytes_memory = memory
        self.column.data = <uint8_t *>memory.start
        self.column.capacity = capacity
        return 0


cdef class Copies:
    """The copied texts of some columns of a parse."""

    cdef fu_copies *copies
    cdef readonly dict texts    # CopiedTexts by name

    def __cinit__(self, list names not None, int64_t rows, spaces):
        self.texts = {name: CopiedTexts(rows, space) for name, space in zip(names, spaces, strict=True)}
        self.copies = <fu_copies *>calloc(1, sizeof(fu_copies))
        if self.copies == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.copies)

    cdef int make_space(self, int64_t done) except -1:
        cdef CopiedTexts texts
        cdef fu_copied_column *column
        for name, value in self.texts.items():
            texts = value
            column = &self.copies.columns[<int>NAMES.index(name)]
            texts.column.used = column.used
            texts.make_space(self.copies.needed, done, 64)
            column[0] = texts.column
        return 0

    cdef int finish(self) except -1:
        cdef CopiedTexts texts
        for name, value in self.texts.items():
            texts = value
            texts.column.used = self.copies.columns[<int>NAMES.index(name)].used
        return 0


def map_copies(InputColumn source not None, Work work not None, CopiedTexts texts not None, uintptr_t validity, *, int64_t start, int64_t end):
    """Do the work for rows [start, end) of an InputColumn and copy the results. start is a multiple of 64.

    texts : space for at least end - start rows
    Returns the number of null rows. Other parameters and errors: as for map_rows.
    """
    cdef fu_mapping m
    cdef fu_copied_column *column = &texts.column
    cdef list answers = []
    start_mapping(&m, validity, start, end)
    if texts.rows < end - start:
        raise ValueError("there are more rows than offsets")
    m.offsets = column.offsets
    texts.make_space(FU_COPY_SLACK, 0, 1)
    while True:
        m.block, m.capacity, m.used = column.data, column.capacity, column.used
        if not mapped_to_end(&m, work, source, 0, answers):
            column.used = m.used
            texts.make_space(m.needed + FU_COPY_SLACK, m.row - start, 1)
            continue
        column.used = m.used
        return m.nulls
