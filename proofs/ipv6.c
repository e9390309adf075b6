/* fu_is_ipv4, fu_is_ipv6 and fu_is_ip_future read no byte outside the address. */
#include "proof.h"
#include "validate/rfc3986.h"

static void prove(const uint8_t *p, size_t n) {
    switch (proof_any_below(3)) {
    case 0: (void)fu_is_ipv4(p, n); break;
    case 1: (void)fu_is_ipv6(p, n); break;
    default: (void)fu_is_ip_future(p, n);
    }
}
