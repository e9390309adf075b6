# --- columns of a few distinct words ----------------------------------------------------------------------------------

def encode_words(uintptr_t views, uintptr_t offsets, uintptr_t octets, uintptr_t validity, int64_t rows, uintptr_t numbers):
    """Encode a column of few distinct short words as a dictionary: write the 32-bit number of each row's word.

    views : the address of the column's views; 0 for a column of bytes with 32-bit offsets
    validity : the address of the bitmap; 0 if there are no nulls
    Returns the words in the order of their numbers. Returns None if there are more than 64 words, or a word is longer
    than 12 bytes; then the numbers mean nothing.
    """
    cdef fu_words known
    cdef int count, i
    with nogil:
        count = fu_encode_words(<const fu_view *>views, <const int32_t *>offsets, <const uint8_t *>octets,
                                <const uint8_t *>validity, rows, <int32_t *>numbers, &known)
    if count < 0:
        return None
    words = []
    for i in range(count):
        words.append(PyBytes_FromStringAndSize(<const char *>known.words[i].octets, known.words[i].length))
    return words
