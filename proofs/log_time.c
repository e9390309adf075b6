/* The time of an access log in ISO 8601 takes no more octets than it did. */
#include "proof.h"

#include "logs/time.h"

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    assert(fu_iso_time(p, n, proof_buffer(n)) <= n);
    proof_end();
    return 0;
}
