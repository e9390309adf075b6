/* fu_split_authority reads no byte outside the text. A request target `host:port` is one netloc. */
#include "proof.h"
#include "split/masks_scalar.h"
int fu_texts_may_change = 0;
#include "split/split_body.h"

static void prove(const uint8_t *p, size_t n) {
    fu_spans spans;
    if (fu_split_authority(p, n, &spans)) {
        assert(spans.scheme == FU_NO_SCHEME && spans.scheme_end == 0 && spans.netloc_start == 0);
        assert(spans.path_start == n && spans.path_end == n && spans.query_end == n && spans.length == n);
        assert(spans.flags == (FU_HAS_NETLOC | FU_HAS_SUSPECT | FU_HAS_SUSPECT_BEYOND));
    }
}
