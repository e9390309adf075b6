/* fu_split_request returns a method, a target and a protocol that are inside the request line, in order, with one space
 * between. */
#include "proof.h"
#include "logs/line.h"

static void prove(const uint8_t *p, size_t n) {
    const fu_request_line line = fu_split_request(p, n);
    size_t length = line.target.n;
    if (line.method.p != NULL) {
        assert(line.method.p == p && line.method.n >= 1 && line.target.p == p + line.method.n + 1);
        length += line.method.n + 1;
    } else {
        assert(line.target.p == p);
    }
    if (line.protocol.p != NULL) {
        assert((line.protocol.n >= 5 || line.protocol.n == 0) && line.protocol.p == line.target.p + line.target.n + 1);
        length += line.protocol.n + 1;
    }
    assert(length == n);
}
