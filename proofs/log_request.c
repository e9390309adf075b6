/* fu_split_request returns a method, a target and a protocol that are inside the request line, in order, with one space
 * between. */
#include "proof.h"
#include "logs/line.h"

static void prove(const uint8_t *p, size_t n) {
    const fu_request_line line = fu_split_request(p, n);
    size_t length = line.target.length;
    if (line.method.start != NULL) {
        assert(line.method.start == p && line.method.length >= 1 && line.target.start == p + line.method.length + 1);
        length += line.method.length + 1;
    } else {
        assert(line.target.start == p);
    }
    if (line.protocol.start != NULL) {
        assert((line.protocol.length >= 5 || line.protocol.length == 0) &&
               line.protocol.start == line.target.start + line.target.length + 1);
        length += line.protocol.length + 1;
    }
    assert(length == n);
}
