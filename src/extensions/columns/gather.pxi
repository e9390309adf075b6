# Part of _columns.pyx: columns of lists, of several values per row, of numbers and of problems. The functions take addresses
# and run without the GIL.

# --- lists, and several values per row --------------------------------------------------------------------------------

cdef int give_space(CopiedTexts texts, fu_mapping *m, size_t needed, int64_t done) except -1:
    """Give the kernel space to copy `needed` more bytes, and for the rest of the rows as predicted from `done` rows."""
    texts.column.used = m.used
    texts.make_space(needed + FU_COPY_SLACK, done, 1)
    m.offsets, m.block, m.capacity = texts.column.offsets, texts.column.data, texts.column.capacity
    return 0


cdef const fu_gather_work *work_of(object work, fu_gather_kind kind, fu_gather_kind other) except NULL:
    """Return the work of a ``Gather`` of ``fasturl._functions``.

    TypeError for work of neither kind, which would write to memory that is not allocated.
    """
    cdef const fu_gather_work *job = <const fu_gather_work *>borrow(work, GATHER_NAME)
    if job.kind != kind and job.kind != other:
        raise TypeError("the Gather is of another kind")
    return job


cdef bint gathered_to_end(InputColumn source, const fu_gather_work *job, fu_gathering *g) except -1:
    """Continue the work. Return False if there is too little space, True at the end."""
    cdef bint done
    with nogil:
        done = runtime.kernel.gather_rows(job, &source.input, g)
    if g.failed_row >= 0:
        raise source.failure(g.failed_row, g.fault)
    return done


cdef void start_lists(fu_gathering *g, int64_t start, int64_t end, uintptr_t validity, uintptr_t offsets) noexcept:
    fu_start_gathering(g, start, end, <uint8_t *>validity)
    g.offsets = <int32_t *>offsets + start
    if start == 0:
        g.offsets[0] = 0


cdef int grow_items(fu_gathering *g, size_t first) except -1:
    """Double the number of items, or set it if there are none."""
    g.capacity = g.capacity * 2 if g.capacity else first
    if g.capacity > <size_t>INT32_MAX:
        raise ValueError("the rows of one array have more items than offsets can name: read it in slices")
    return 0


def gather_lists(InputColumn source not None, work not None, CopiedTexts names, CopiedTexts values, uintptr_t validity,
                 uintptr_t offsets, *, int64_t start, int64_t end):
    """Copy the items of the lists of rows [start, end), without the GIL. start is a multiple of 64.

    work : a ``Gather`` of ``fasturl._functions``, of kind lists
    names, values : space for the texts of as many rows; None if unwanted
    validity, offsets : addresses of one bit and of 4 bytes per row of the source, plus one more offset. Row `start`
        begins with item 0
    Returns the number of null rows and the number of items. ValueError for a row with a fault, and for more items than
    32-bit offsets can address.
    """
    cdef fu_gathering g
    cdef fu_mapping m[2]
    cdef CopiedTexts texts
    cdef int i
    cdef const fu_gather_work *job = work_of(work, FU_GATHER_LISTS, FU_GATHER_LISTS)
    start_lists(&g, start, end, validity, offsets)
    memset(m, 0, sizeof(m))
    g.names = NULL if names is None else &m[0]
    g.values = NULL if values is None else &m[1]
    g.capacity = <size_t>(end - start) * 4 + 16
    for i, texts in enumerate((names, values)):
        if texts is not None:
            texts.make_offsets(g.capacity, 0)
            give_space(texts, &m[i], 0, 0)
    while not gathered_to_end(source, job, &g):
        if g.lacking != NULL:
            i = g.lacking == &m[1]
            give_space(values if i else names, &m[i], m[i].needed, g.row - start)
            continue
        grow_items(&g, 0)
        for i, texts in enumerate((names, values)):
            if texts is not None:
                texts.make_offsets(g.capacity, g.used)
                m[i].offsets = texts.column.offsets
    for i, texts in enumerate((names, values)):
        if texts is not None:
            texts.column.used = m[i].used
    return g.nulls, g.used


def gather_values(InputColumn source not None, work not None, list columns not None, uintptr_t validity, *, int64_t start,
                  int64_t end):
    """Copy the first value of each name in rows [start, end), without the GIL. start is a multiple of 64.

    work : a ``Gather`` of ``fasturl._functions``, of kind values
    columns : for each name, CopiedTexts for as many rows, and the address of one validity bit per row of the source
    validity : the address of one bit per row: 1 if the row has a URL
    Returns a tuple: the number of rows without a URL, then for each name the number without a value. ValueError for a
    row with a fault.
    """
    cdef fu_gathering g
    cdef size_t i, count = len(columns)
    cdef uintptr_t bits
    cdef CopiedTexts texts
    cdef fu_mapping *m = NULL
    cdef const fu_gather_work *job = work_of(work, FU_GATHER_VALUES, FU_GATHER_VALUES)
    fu_start_gathering(&g, start, end, <uint8_t *>validity)
    if count != job.count:
        raise ValueError("there must be a column for each name")
    g.columns = <fu_gathered_values *>calloc(count + 1, sizeof(fu_gathered_values))
    try:
        m = <fu_mapping *>calloc(count + 1, sizeof(fu_mapping))
        if g.columns == NULL or m == NULL:
            raise MemoryError
        for i in range(count):
            texts, bits = columns[i]
            if texts.rows < end - start:
                raise ValueError("there are more rows than offsets")
            g.columns[i].validity = <uint8_t *>bits
            g.columns[i].texts = &m[i]
            give_space(texts, &m[i], 0, 0)
        while not gathered_to_end(source, job, &g):
            i = <size_t>(g.lacking - m)
            give_space(columns[i][0], &m[i], m[i].needed, g.row - start)
        for i in range(count):
            texts = columns[i][0]
            texts.column.used = m[i].used
        return (g.nulls, *[g.columns[i].nulls for i in range(count)])
    finally:
        free(g.columns)
        free(m)


# --- numbers, problems and equivalence --------------------------------------------------------------------------------

def shift_offsets(uintptr_t offsets, *, int64_t start, int64_t end, int32_t base):
    """Add ``base`` to the offsets after row ``start``, up to ``end``."""
    cdef int32_t *first = <int32_t *>offsets + start + 1
    fu_shift_offsets(first, first, <size_t>(end - start), base)


def gather_numbers(InputColumn source not None, work not None, uintptr_t validity, uintptr_t numbers, *, int64_t start,
                   int64_t end):
    """Write a number for each of rows [start, end): 4 bytes per depth, 8 per hash. Return the number of null rows."""
    cdef fu_gathering g
    cdef const fu_gather_work *job = work_of(work, FU_GATHER_DEPTHS, FU_GATHER_HASHES)
    fu_start_gathering(&g, start, end, <uint8_t *>validity)
    g.depths = <uint32_t *>numbers
    g.hashes = <uint64_t *>numbers
    gathered_to_end(source, job, &g)
    return g.nulls


cdef void start_rows(fu_gather_work *work, fu_gathering *g, int64_t start, int64_t end, uintptr_t validity) noexcept:
    memset(work, 0, sizeof(work[0]))
    work.schemes = runtime.schemes
    work.kernel = runtime.kernel
    fu_start_gathering(g, start, end, <uint8_t *>validity)


def gather_problems(InputColumn source not None, uintptr_t validity, uintptr_t offsets, *, form="url", int64_t start,
                    int64_t end, allocate):
    """List the problems of rows [start, end) of an InputColumn, without the GIL. start is a multiple of 64.

    validity, offsets : as for gather_lists
    allocate : called with a number of items; returns the addresses of three buffers with 4 bytes per item: findings,
        starts, ends
    Returns the number of null rows and the number of items. ValueError for a row with a fault.
    """
    cdef fu_gather_work work
    cdef fu_gathering g
    cdef uintptr_t places[3]
    cdef bint done = False
    start_rows(&work, &g, start, end, validity)
    start_lists(&g, start, end, validity, offsets)
    work.kind = FU_GATHER_PROBLEMS
    work.form = form_of(form)
    try:
        while not done:
            grow_items(&g, <size_t>(end - start) // 4 + 64)
            places[0], places[1], places[2] = allocate(g.capacity)
            if g.used:
                memcpy(<void *>places[0], g.findings, g.used * sizeof(uint32_t))
                memcpy(<void *>places[1], g.starts, g.used * sizeof(int32_t))
                memcpy(<void *>places[2], g.ends, g.used * sizeof(int32_t))
            g.findings = <uint32_t *>places[0]
            g.starts, g.ends = <int32_t *>places[1], <int32_t *>places[2]
            done = gathered_to_end(source, &work, &g)
            if g.out_of_memory:
                raise MemoryError
        return g.nulls, g.used
    finally:
        free(g.problems)


def gather_same(InputColumn source not None, InputColumn other not None, uintptr_t validity, uintptr_t same, *,
                int64_t start, int64_t end):
    """Compare rows [start, end) of an InputColumn with those of another for equivalence, without the GIL.

    other : as many rows, or one row for all
    validity, same : addresses of one bit per row
    Returns the number of null rows. ValueError for a row with a fault.
    """
    cdef fu_gather_work work
    cdef fu_gathering g
    cdef bint done = False
    start_rows(&work, &g, start, end, validity)
    work.kind = FU_GATHER_SAME
    g.other = &other.input
    g.same = <uint8_t *>same
    if g.other.rows != source.input.rows and g.other.rows != 1:
        raise ValueError("the columns must have as many rows")
    try:
        while not done:
            with nogil:
                done = runtime.kernel.gather_rows(&work, &source.input, &g)
            if g.failed_row >= 0:
                raise (other if g.failed_other else source).failure(g.failed_row, g.fault)
            if g.out_of_memory:
                raise MemoryError
        return g.nulls
    finally:
        free(g.keys)
