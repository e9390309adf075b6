/* fu_find_gopher_tabs reads no byte outside the part. Each tab that it finds is an escape inside the part, and the second
 * follows the first. The text ends where the part ends. */
/* Given: fu_find */
#include "proof.h"
#include "validate/by_scheme.h"

static void prove(const uint8_t *p, size_t end) {
    size_t tabs[2] = {FU_ABSENT, FU_ABSENT};
    fu_find_gopher_tabs(p, proof_any_size(0, end), end, tabs);
    assert(tabs[0] == FU_ABSENT ? tabs[1] == FU_ABSENT : tabs[0] <= end && end - tabs[0] >= 3);
    assert(tabs[1] == FU_ABSENT || (tabs[1] >= tabs[0] + 3 && tabs[1] <= end && end - tabs[1] >= 3));
}
