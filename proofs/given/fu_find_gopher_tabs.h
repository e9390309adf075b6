/* Proved by gopher_tabs.c. */
#include "given.h"

static inline void fu_find_gopher_tabs(const uint8_t *p, size_t start, size_t end, size_t tabs[2]) {
    given_part(p, start, end);
    tabs[0] = nondet_size();
    tabs[1] = nondet_size();
}
