/* A request line: method, target and protocol are inside it, in order and with one space between. */
#include "proof.h"

#include "logs/line.h"

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    const fu_request_line line = fu_split_request(p, n);
    size_t length = line.target.length;
    if (line.method.start != NULL) {
        assert(line.method.start == p && line.method.length >= 1 && line.target.start == p + line.method.length + 1);
        length += line.method.length + 1;
    } else {
        assert(line.target.start == p);
    }
    if (line.protocol.start != NULL) {
        assert(line.protocol.length >= 5 && line.protocol.start == line.target.start + line.target.length + 1);
        length += line.protocol.length + 1;
    }
    assert(length == n);
    proof_end();
    return 0;
}
