/* fu_is_browser_colon reads only bytes of the text before the colon. */
/* Given: fu_browser_kind_of */
#include "proof.h"
#include "escapes/redaction.h"

static void prove(const uint8_t *p, size_t n) { fu_is_browser_colon(p, proof_any_size(0, n)); }
