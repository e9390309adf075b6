/* The recogniser of addresses: its places are in order and inside the text, and each of them alone is the same address. All
 * kernels share this code. */
#include "common.h"

#include "escapes/addresses.h"

FUZZ_TARGET {
    fu_address one, again;
    size_t last = 0;
    fu_address_search search = {in.p, in.n, 0, 0, 0};
    while (fu_next_address(&search, &one)) {
        FUZZ_CHECK(last <= one.start && one.start < one.end && one.end <= in.n);
        FUZZ_CHECK(one.start <= one.sign && one.sign < one.sign_end && one.sign_end <= one.end);
        FUZZ_CHECK(one.size == 4 || one.size == 16);
        fu_address_search alone = {in.p + one.start, one.end - one.start, 0, 0, 0};
        FUZZ_CHECK(fu_next_address(&alone, &again) && again.start == 0 && again.end == one.end - one.start);
        FUZZ_CHECK(again.size == one.size && memcmp(again.packed, one.packed, one.size) == 0);
        last = one.end;
    }
    FUZZ_CHECK(!fu_next_address(&search, &one));
}
