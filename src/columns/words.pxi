# --- columns of a few words ----------------------------------------------------------------------------------------------

def encode_words(uintptr_t views, uintptr_t offsets, uintptr_t octets, uintptr_t validity, int64_t rows, uintptr_t numbers):
    """Write 32-bit numbers of the words in a column of views, or of octets with 32-bit offsets when views is 0; validity may
    be 0. Returns the words, in the order of their numbers, or None when there are more than 64, or one of over 12 octets:
    then the numbers mean nothing."""
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
