/* What follows a log's known fields: no octet outside the line is read. The text begins with an octet of the line before it. */
#define GIVEN_fu_log_more_word
#define GIVEN_fu_log_quoted
#define GIVEN_fu_split_request
#include "proof.h"
#include "given.h"

#include "logs/line.h"

int main(void) {
    const uint8_t *p = proof_some_text();
    __ESBMC_assume(proof_length > 0);
    fu_log_more_is_fields(p + 1, p + proof_length);
    proof_end();
    return 0;
}
