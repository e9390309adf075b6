# --- lists, and several values per row, with copied texts -------------------------------------------------------------

cdef int give_space(CopiedTexts texts, fu_mapping *m, size_t needed, int64_t done) except -1:
    """Give the kernel space to copy `needed` more bytes, and for the rest of the rows as predicted from `done` rows."""
    texts.column.used = m.used
    texts.make_space(needed + FU_COPY_SLACK, done, 1)
    m.offsets, m.block, m.capacity = texts.column.offsets, texts.column.octets, texts.column.capacity
    return 0


cdef const fu_gather_work *work_of(object work, fu_gather_kind kind) except NULL:
    """Return the work of a ``Gather``.

    TypeError for another kind, which would write to memory that is not allocated.
    """
    cdef const fu_gather_work *job = <const fu_gather_work *>borrow(work, GATHER_NAME)
    if job.kind != kind:
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
    cdef const fu_gather_work *job = work_of(work, FU_GATHER_LISTS)
    fu_start_gathering(&g, start, end, <uint8_t *>validity)
    memset(m, 0, sizeof(m))
    g.offsets = <int32_t *>offsets + start
    if start == 0:
        g.offsets[0] = 0
    g.copied_names = NULL if names is None else &m[0]
    g.copied_values = NULL if values is None else &m[1]
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
        g.capacity *= 2
        if g.capacity > <size_t>INT32_MAX:
            raise ValueError("the rows of one array have more items than offsets can name: read it in slices")
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
    cdef const fu_gather_work *job = work_of(work, FU_GATHER_VALUES)
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
            g.columns[i].copies = &m[i]
            give_space(texts, &m[i], 0, 0)
        while not gathered_to_end(source, job, &g):
            i = <size_t>(g.lacking - m)
            give_space(columns[i][0], &m[i], m[i].needed, g.row - start)
        nulls = [g.nulls]
        for i in range(count):
            texts = columns[i][0]
            texts.column.used = m[i].used
            nulls.append(g.columns[i].nulls)
        return tuple(nulls)
    finally:
        free(g.columns)
        free(m)
