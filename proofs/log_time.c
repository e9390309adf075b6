/* fu_iso_time writes at most as many bytes as it reads. */
#include "proof.h"
#include "logs/time.h"

static void prove(const uint8_t *p, size_t n) { assert(fu_iso_time(p, n, proof_buffer(n)) <= n); }
