# --- lists, and several values a row, whose texts are copied ---------------------------------------------------------------

cdef int give_space(CopiedTexts texts, fu_mapping *m, size_t needed, int64_t done) except -1:
    """Let the kernel copy so many octets more, and those of the rows that are to come as far as that can be told."""
    texts.column.used = m.used
    texts.make_space(needed + FU_COPY_SLACK, done, 1)
    m.offsets, m.block, m.capacity = texts.column.offsets, texts.column.octets, texts.column.capacity
    return 0


cdef bint gathered_to_end(InputColumn source, object work, fu_gathering *g) except -1:
    """Go on with the work; False when there is too little space."""
    cdef const fu_gather_work *job = <const fu_gather_work *><uintptr_t>work.address
    cdef bint done
    with nogil:
        done = runtime.kernel.gather_rows(job, &source.input, g)
    if g.failed_row >= 0:
        raise source.failure(g.failed_row, g.fault)
    return done


def gather_lists(InputColumn source not None, work not None, CopiedTexts names, CopiedTexts values, uintptr_t validity,
                 uintptr_t offsets, *, int64_t start, int64_t end):
    """List the items of rows [start, end), copied, without the GIL. start is a multiple of 64.

    work : a ``Gather`` of ``fasturl._parts``, of lists
    names, values : of as many rows, where their texts go; None for what is not wanted
    validity, offsets : addresses of a bit and of 4 octets a row of the source; one offset more. The first of these rows
        starts with item 0
    Returns how many rows are null, and how many items there are. ValueError for a row with a fault, and for more texts than
    offsets can name.
    """
    cdef fu_gathering g
    cdef fu_mapping m[2]
    cdef CopiedTexts texts
    cdef int i
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
    while not gathered_to_end(source, work, &g):
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
    """Copy the first value of each of some names in rows [start, end), without the GIL. start is a multiple of 64.

    work : a ``Gather`` of ``fasturl._parts``, of values
    columns : for each of its names CopiedTexts of as many rows, and the address of a bit a row of the source
    validity : the address of a bit a row, which says whether there is a URL
    Returns how many rows have none, of URLs and of each name. ValueError for a row with a fault.
    """
    cdef fu_gathering g
    cdef size_t i, count = len(columns)
    cdef uintptr_t bits
    cdef CopiedTexts texts
    cdef fu_mapping *m = NULL
    fu_start_gathering(&g, start, end, <uint8_t *>validity)
    if count != (<const fu_gather_work *><uintptr_t>work.address).count:
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
        while not gathered_to_end(source, work, &g):
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
