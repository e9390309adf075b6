/* fu_log_more_is_fields reads no byte outside the line. The proof's text begins with the byte in front of the part. */
/* Given: fu_log_more_word fu_log_quoted fu_split_request */
#include "proof.h"
#include "logs/line.h"

static void prove(const uint8_t *p, size_t n) {
    __ESBMC_assume(n > 0);
    fu_log_more_is_fields(p + 1, p + n);
}
