/* fu_registered_port reads no byte outside the scheme and returns a port, or FU_NO_PORT. */
#include "proof.h"
#include "split/schemes.h"

static void prove(const uint8_t *p, size_t n) {
    const int32_t port = fu_registered_port(p, n);
    assert(port == FU_NO_PORT || (port >= 0 && port <= 65535));
}
