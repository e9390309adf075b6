/* Lists, several values a row, depths, hashes, problems and equivalence of columns: every kernel gathers the same, and what it
 * names stands in the row's own text. */
#include "batch.h"

#include "columns/gather.h"
#include "validate/validate.h"

#define ITEMS_MAX 8192
#define NAMES 2

static const fu_name names[NAMES] = {{(const uint8_t *)"key", 3}, {(const uint8_t *)"a", 1}};

typedef struct {
    fuzz_area areas[12];
    fu_gathering g;
    fu_gathered_values columns[NAMES];
    size_t sizes[12]; /* of what is compared */
    int done;
} result;

static void *space(result *r, int which, size_t size) {
    r->sizes[which] = size;
    uint8_t *at = fuzz_at_end(&r->areas[which], size);
    memset(at, 0x5c, size);
    return at;
}

/* Items move to the end of larger memory, as the package moves them. */
static void more_items(result *r) {
    static uint8_t kept[ITEMS_MAX * 16];
    fu_gathering *g = &r->g;
    const size_t before = g->used;
    void **const held[] = {(void **)&g->names, (void **)&g->values, (void **)&g->findings, (void **)&g->starts, (void **)&g->ends};
    static const size_t widths[] = {16, 16, 4, 4, 4};
    g->capacity = g->capacity ? g->capacity * 2 : 3;
    FUZZ_CHECK(g->capacity <= ITEMS_MAX);
    for (int i = 0; i < 5; i++) {
        if (before) memcpy(kept, *held[i], before * widths[i]);
        *held[i] = space(r, 4 + i, g->capacity * widths[i]);
        if (before) memcpy(*held[i], kept, before * widths[i]);
    }
}

static void start(result *r, const fu_input *in, const fu_input *other) {
    const size_t rows = (size_t)in->rows, bits = (rows + 7) / 8;
    fu_gathering *g = &r->g;
    free(g->problems);
    free(g->keys);
    memset(g, 0, sizeof *g);
    memset(r->sizes, 0, sizeof r->sizes);
    g->end = in->rows;
    g->failed_row = -1;
    g->validity = (uint8_t *)space(r, 0, bits);
    g->offsets = (int32_t *)space(r, 1, 4 * (rows + 1));
    g->offsets[0] = 0;
    g->depths = (uint32_t *)space(r, 2, 4 * rows);
    g->hashes = (uint64_t *)space(r, 3, 8 * rows);
    g->same = (uint8_t *)space(r, 9, bits);
    g->other = other;
    memset(r->columns, 0, sizeof r->columns);
    for (int i = 0; i < NAMES; i++) {
        static fuzz_area views[2][NAMES], bitmaps[2][NAMES];
        const int which = r->areas[11].start != NULL; /* the second result has its own */
        r->columns[i].views = (fu_view *)(void *)fuzz_at_end(&views[which][i], 16 * rows);
        r->columns[i].validity = fuzz_at_end(&bitmaps[which][i], bits);
    }
    g->columns = r->columns;
}

static void gather(const fu_kernel *kernel, fu_gather_work *work, const fu_input *in, const fu_input *other, result *r) {
    start(r, in, other);
    work->kernel = kernel;
    more_items(r);
    while (!(r->done = kernel->gather_rows(work, in, &r->g)) && r->g.failed_row < 0) {
        FUZZ_CHECK(!r->g.out_of_memory);
        if (!r->g.asks) {
            more_items(r);
            continue;
        }
        static const fu_problem said = {FU_BAD_PART, FU_TERM_OCTET, 1, 2};
        r->g.asks = 0;
        r->g.is_answered = 1;
        r->g.answer = 1;
        r->g.answers = &said;
        r->g.answer_count = 1;
    }
}

static void check_same(const result *a, const result *b, const fu_gather_work *work, size_t rows) {
    FUZZ_CHECK(a->done == b->done && a->g.failed_row == b->g.failed_row);
    if (!a->done) return;
    FUZZ_CHECK(a->g.nulls == b->g.nulls && a->g.used == b->g.used && a->g.capacity == b->g.capacity);
    FUZZ_CHECK(memcmp(a->g.validity, b->g.validity, a->sizes[0]) == 0 && memcmp(a->g.offsets, b->g.offsets, a->sizes[1]) == 0);
    FUZZ_CHECK(memcmp(a->g.depths, b->g.depths, a->sizes[2]) == 0 && memcmp(a->g.hashes, b->g.hashes, a->sizes[3]) == 0);
    FUZZ_CHECK(memcmp(a->g.same, b->g.same, a->sizes[9]) == 0);
    if (a->g.used) {
        FUZZ_CHECK(memcmp(a->g.names, b->g.names, a->g.used * 16) == 0 && memcmp(a->g.values, b->g.values, a->g.used * 16) == 0);
        FUZZ_CHECK(memcmp(a->g.findings, b->g.findings, a->g.used * 4) == 0);
        FUZZ_CHECK(memcmp(a->g.starts, b->g.starts, a->g.used * 4) == 0 && memcmp(a->g.ends, b->g.ends, a->g.used * 4) == 0);
    }
    for (int i = 0; i < NAMES && work->kind == FU_GATHER_VALUES; i++) {
        FUZZ_CHECK(a->columns[i].nulls == b->columns[i].nulls);
        FUZZ_CHECK(memcmp(a->columns[i].views, b->columns[i].views, rows * 16) == 0);
        FUZZ_CHECK(memcmp(a->columns[i].validity, b->columns[i].validity, (rows + 7) / 8) == 0);
    }
}

/* Items stand inside their row. */
static void check_items(const result *r, const fu_gather_work *work, const fuzz_batch *b) {
    const fuzz_named data[] = {{b->data[0].octets, (size_t)b->data[0].size}, {b->data[1].octets, (size_t)b->data[1].size}};
    for (int64_t row = 0; row < b->input.rows; row++) {
        const int64_t *place = b->places[b->before + row];
        FUZZ_CHECK(r->g.offsets[row] <= r->g.offsets[row + 1] && (size_t)r->g.offsets[row + 1] <= r->g.used);
        for (int32_t i = r->g.offsets[row]; i < r->g.offsets[row + 1]; i++) {
            if (work->kind == FU_GATHER_PROBLEMS) {
                FUZZ_CHECK(r->g.starts[i] <= r->g.ends[i] && (r->g.ends[i] <= place[1] - place[0] || r->g.ends[i] == 2));
                continue;
            }
            const fu_view *item = &r->g.values[i];
            const uint8_t *octets = fuzz_octets_of(item, data, 2);
            FUZZ_CHECK(octets != NULL && item->length <= place[1] - place[0]);
            if (item->length > FU_VIEW_INLINE_MAX) FUZZ_CHECK(item->offset >= place[0] && item->offset + item->length <= place[1]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static result scalar, wider;
    static fuzz_batch b;
    const fu_runtime *runtime = fuzz_runtime();
    fuzz_input in;
    if (!fuzz_open(data, size, &in) || in.n > 2048) return 0;
    if (wider.areas[11].start == NULL) fuzz_map(&wider.areas[11], 1);
    fuzz_input laid = in;
    laid.one &= 0x1f;
    fuzz_make_batch(&laid, &b);
    fu_gather_work work = {(fu_gather_kind)((in.one >> 5) % (FU_GATHER_SAME + 1)), (fu_list_kind)((in.two >> 2) % 3),
                           in.two & 1 ? FU_FORM_TARGET : FU_FORM_URL, in.two >> 4, runtime->schemes, names, NAMES, NULL, fuzz_grow};
    /* What is compared with: the same rows, one later where there is no offset. */
    fu_input other = b.input;
    if (other.rows > 1 && in.two & 2) {
        b.input.rows = --other.rows;
        other.offset++;
    }
    gather(runtime->kernels[0], &work, &b.input, &other, &scalar);
    FUZZ_CHECK(scalar.done || in.one & BATCH_IS_WRONG);
    for (FUZZ_EACH_WIDER(kernel, runtime)) {
        gather(kernel, &work, &b.input, &other, &wider);
        check_same(&scalar, &wider, &work, (size_t)b.input.rows);
    }
    if (scalar.done && !(in.one & BATCH_IS_WRONG) && (work.kind == FU_GATHER_LISTS || work.kind == FU_GATHER_PROBLEMS))
        check_items(&scalar, &work, &b);
    return 0;
}
