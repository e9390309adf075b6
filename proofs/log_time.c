/* Proofs of logs/time.h. */
#include "proof.h"
#include "logs/time.h"

/* fu_iso_time and fu_checked_iso_time write at most as many bytes as they read. */
static void prove_log_time(const uint8_t *p, size_t n) {
    const size_t iso = fu_iso_time(p, n, proof_buffer(n)), checked = fu_checked_iso_time(p, n, proof_buffer(n));
    assert(iso == FU_TIME_IMPOSSIBLE || iso <= n);
    assert(checked == FU_TIME_IMPOSSIBLE || checked <= n);
}
