/* The tabs of a gopher URL: no octet outside the part is read, each tab found is an escape inside it, and the second stands
 * behind the first. The text ends where the part does. */
#define GIVEN_fu_find
#include "proof.h"
#include "given.h"

#include "validate/by_scheme.h"

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t end = proof_length;
    size_t tabs[2] = {FU_ABSENT, FU_ABSENT};
    fu_find_gopher_tabs(p, proof_any_size(0, end), end, tabs);
    assert(tabs[0] == FU_ABSENT ? tabs[1] == FU_ABSENT : tabs[0] <= end && end - tabs[0] >= 3);
    assert(tabs[1] == FU_ABSENT || (tabs[1] >= tabs[0] + 3 && tabs[1] <= end && end - tabs[1] >= 3));
    proof_end();
    return 0;
}
