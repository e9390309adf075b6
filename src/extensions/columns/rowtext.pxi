# Part of _columns.pyx: rows of columns as lines of text, and sums of columns, for the outputs of the command line.
# All functions take addresses, and run without the GIL. fasturl.cli.outputs keeps the columns alive.

# Maximum length of the text before a value, in bytes.
BEFORE_MAX = <int>FU_ROW_BEFORE_MAX
KINDS = {
    "nothing": FU_ROW_NOTHING,
    "before": FU_ROW_BEFORE,
    "texts": FU_ROW_TEXTS,
    "written": FU_ROW_WRITTEN,
    "words": FU_ROW_WORDS,
    "sets": FU_ROW_SETS,
    "bits": FU_ROW_BITS,
    "int16": FU_ROW_INT16,
    "int32": FU_ROW_INT32,
    "int64": FU_ROW_INT64,
    "uint16": FU_ROW_UINT16,
    "uint64": FU_ROW_UINT64,
}
# Extra bytes that Views.copy may write after the texts.
COPY_SLACK = <int>FU_VIEW_COPY_SLACK


cdef class Text:
    """Lines of text, exposed by the buffer protocol. The pool keeps their memory for the next lines."""

    cdef fu_row_text text

    def __dealloc__(self):
        if self.text.start != NULL:
            fu_pool_release(self.text.start, self.text.capacity)

    def __len__(self):
        return <Py_ssize_t>self.text.length

    def __getbuffer__(self, Py_buffer *view, int flags):
        # Without lines there is no memory, but a buffer needs an address.
        PyBuffer_FillInfo(view, self, self.text.start if self.text.start != NULL else <void *>self,
                          <Py_ssize_t>self.text.length, 1, flags)


cdef const uint8_t **pointers_to(addresses) except NULL:
    """Return an array of the addresses, which the caller frees."""
    cdef Py_ssize_t i
    cdef const uint8_t **found = <const uint8_t **>malloc((<size_t>len(addresses) + 1) * sizeof(void *))
    if found == NULL:
        raise MemoryError()
    try:
        for i in range(len(addresses)):
            found[i] = <const uint8_t *><uintptr_t>addresses[i]
    except BaseException:
        free(found)
        raise
    return found


cdef class Columns:
    """Columns to write as text, by address. The caller keeps their buffers alive.

    columns : for each column a tuple: the bytes before a value; one of KINDS; the address of the validity bitmap (0:
        every row has a value); the index of the first row in the bitmap and in the values; the address of the values;
        the addresses of the buffers of views; the words
    """

    cdef fu_row_column *columns
    cdef size_t count
    cdef list kept

    def __cinit__(self, list columns not None):
        cdef fu_row_column *column
        cdef fu_slice *words
        cdef Py_ssize_t i
        cdef bytes before, word
        self.kept = []
        self.columns = <fu_row_column *>calloc(<size_t>len(columns) + 1, sizeof(fu_row_column))
        if self.columns == NULL:
            raise MemoryError()
        for before, kind, validity, first, values, addresses, texts in columns:
            column = &self.columns[self.count]
            self.count += 1
            column.kind = <fu_row_kind><int>KINDS[kind]
            column.validity = <const uint8_t *><uintptr_t>validity
            column.first = first
            column.values = <const void *><uintptr_t>values
            if len(before) > FU_ROW_BEFORE_MAX:
                raise ValueError("the name of a column is too long")
            column.before_length = <size_t>len(before)
            memcpy(&column.before[0], bytes_of(before), column.before_length)
            self.kept.append(texts)
            if addresses:
                column.data = pointers_to(addresses)
            if texts:
                words = <fu_slice *>malloc(<size_t>len(texts) * sizeof(fu_slice))
                if words == NULL:
                    raise MemoryError()
                column.words = words
                for i, word in enumerate(texts):
                    words[i].p, words[i].n = bytes_of(word), PyBytes_GET_SIZE(word)

    def __dealloc__(self):
        cdef size_t i
        if self.columns == NULL:
            return
        for i in range(self.count):
            free(<void *>self.columns[i].data)
            free(<void *>self.columns[i].words)
        free(self.columns)

    def lines(self, *, int64_t end, uintptr_t keep=0, bint csv=False, bint escapes=False, bint csv_safe=False):
        """Return the rows before `end` as a Text of JSON lines or, with `csv`, of CSV lines.

        keep : the address of a bitmap that selects rows; 0 for all rows
        escapes : write a byte of a text that is not UTF-8 as an escape such as %E9; the words are written as given
        csv_safe : in CSV, write a `'` before each text that a spreadsheet would take for a formula, or that starts
            with `'`
        JSON is ASCII. Texts are read as UTF-8; an invalid byte becomes the escape of a lone surrogate, U+DC80 to
        U+DCFF. CSV contains the bytes as they are, nothing for an absent value, and `""` for an empty one.
        MemoryError if memory runs out. Cost: O(bytes), one pass, without the GIL.
        """
        cdef Text out = Text()
        cdef bint done
        out.text.escapes = escapes
        out.text.csv_safe = csv_safe
        with nogil:
            done = fu_put_rows(&out.text, self.columns, self.count, 0, end, <const uint8_t *>keep, csv)
        if not done:
            raise MemoryError()
        return out


def value(bytes data not None, *, bint csv=False, bint escapes=False, bint csv_safe=False):
    """Return one text as written in a line. `escapes` and `csv_safe` are as for `Columns.lines`.

    >>> value(b'a"b\\xe9'), value(b"a,b", csv=True)
    (b'"a\\\\"b\\\\udce9"', b'"a,b"')
    >>> value(b"caf\\xe9", escapes=True)
    b'"caf%E9"'
    >>> value(b"=1+1", csv=True, csv_safe=True)
    b'"\\'=1+1"'
    """
    cdef Text out = Text()
    out.text.escapes = escapes
    out.text.csv_safe = csv_safe
    if csv:
        fu_row_csv_string(&out.text, bytes_of(data), <size_t>PyBytes_GET_SIZE(data))
    else:
        fu_row_json_string(&out.text, bytes_of(data), <size_t>PyBytes_GET_SIZE(data))
    if not fu_row_reserve(&out.text, 0):
        raise MemoryError()
    return PyBytes_FromStringAndSize(<const char *>out.text.start, <Py_ssize_t>out.text.length)


# --- summaries of columns ---------------------------------------------------------------------------------------------

def finding_lists(uintptr_t findings, int64_t rows, uintptr_t offsets, uintptr_t values, size_t capacity):
    """Write each set of findings as a list of bit numbers: rows + 1 offsets of 4 bytes, and values of 1 byte.

    capacity : the space for values. Returns the number of values, or -1 if it exceeds the capacity
    ValueError for a capacity that 32-bit offsets cannot address.
    """
    cdef size_t used
    if rows < 0 or capacity > 0x7FFFFFFF:
        raise ValueError("rows or capacity out of range")
    with nogil:
        used = fu_finding_lists(<const uint32_t *>findings, rows, <int32_t *>offsets, <int8_t *>values, capacity)
    return -1 if used > capacity else used


def count_findings(uintptr_t findings, int64_t rows):
    """Count the rows that have each bit set. Return a sorted list of (first row, bit, count).

    Cost: O(rows + bits set).
    """
    cdef int64_t counts[FU_FINDING_BITS]
    cdef int64_t first_rows[FU_FINDING_BITS]
    cdef int bit
    cdef list found = []
    with nogil:
        fu_count_findings(<const uint32_t *>findings, rows, counts, first_rows)
    for bit in range(FU_FINDING_BITS):
        if counts[bit]:
            found.append((first_rows[bit], bit, counts[bit]))
    found.sort()
    return found


def rows_with_findings(uintptr_t findings, int64_t rows, uint32_t wanted):
    """Return the list of rows whose set has one of the wanted bits, in order. Cost: O(rows)."""
    cdef int64_t some[256]
    cdef int64_t row = 0
    cdef size_t count = 1, i
    cdef list found = []
    while count:
        with nogil:
            count = fu_rows_with_findings(<const uint32_t *>findings, row, rows, wanted, some, 256)
        for i in range(count):
            found.append(some[i])
            row = some[i] + 1
    return found


def add_up(uintptr_t group_of, uintptr_t row_of, uintptr_t sizes, int64_t items, int64_t rows, int64_t groups,
           uintptr_t counts, uintptr_t sums, uintptr_t last):
    """Count the items of each group, and add the sizes of their rows to the group's sum.

    group_of : the group of each item, 32 bits per item
    row_of : the row of each item, 64 bits per item; 0 if item i is row i. The items of a row are adjacent. A group
        counts at most once per row
    sizes : 64 bits per row
    counts, sums, last : the output, 64 bits per group; `last` is scratch space
    Returns False if a sum overflows 64 bits, or a group or a row is out of range. Then the output means nothing.
    Cost: O(items + groups).
    """
    cdef bint fit
    with nogil:
        fit = fu_add_up(<const int32_t *>group_of, <const int64_t *>row_of, <const uint64_t *>sizes, items, rows, groups,
                        <uint64_t *>counts, <uint64_t *>sums, <int64_t *>last)
    return fit


def is_ascii(uintptr_t address, size_t size):
    """Return True if no byte is above 7F. Cost: O(size), eight bytes at a time."""
    cdef bint found
    with nogil:
        found = fu_is_ascii(<const uint8_t *>address, size)
    return found


def not_utf8(uintptr_t offsets, uintptr_t data, int64_t rows):
    """Return the list of rows of a binary column (32-bit offsets) that are not UTF-8.

    ValueError for offsets that decrease. Cost: O(bytes).
    """
    cdef const int32_t *starts = <const int32_t *>offsets
    cdef size_t length
    cdef int64_t row
    cdef list found = []
    for row in range(rows):
        if starts[row + 1] < starts[row]:
            raise ValueError("offsets go back")
        length = <size_t>(starts[row + 1] - starts[row])
        if fu_utf8_valid(<const uint8_t *>data + starts[row], length) != length:
            found.append(row)
    return found


# --- views ------------------------------------------------------------------------------------------------------------

cdef class Views:
    """A column of views, by address. The caller keeps its buffers alive.

    views, validity : addresses of 16 bytes and of one bit per row; validity is 0 if every row has a value
    data : the addresses of the buffers of the views
    """

    cdef fu_view_column column

    def __cinit__(self, uintptr_t views, uintptr_t validity, list data not None, int64_t rows):
        self.column.data = pointers_to(data)
        self.column.views, self.column.validity = <const fu_view *>views, <const uint8_t *>validity
        self.column.rows = rows

    def __dealloc__(self):
        free(<void *>self.column.data)

    def total(self):
        """Return the total length of the texts in bytes. Cost: O(rows)."""
        cdef uint64_t found
        with nogil:
            found = fu_view_total(&self.column)
        return found

    def copy(self, uintptr_t offsets, uintptr_t data):
        """Write the texts contiguously: rows + 1 offsets of 4 bytes, and total() bytes. A null becomes an empty text.

        data : the address of total() + COPY_SLACK bytes. The total must be below 2**31
        Cost: O(bytes).
        """
        with nogil:
            fu_copy_views(&self.column, <int32_t *>offsets, <uint8_t *>data)

    def times(self, uintptr_t times):
        """Convert texts such as `2015-05-17T10:05:03.25+02:00` to microseconds since 1970, 8 bytes per row.

        Returns True if all texts have this format. If False, discard the output. Cost: O(rows).
        """
        cdef bint done
        with nogil:
            done = fu_put_view_times(&self.column, <int64_t *>times)
        return done
