/* Lists, several values per row, depths, hashes, problems and equivalence of columns: every kernel gathers the same, and each
 * item is inside its row. Copies, into memory that grows in small steps, equal the views as a loop decodes them. */
#include "batch.h"

#include "columns/gather.h"
#include "escapes/utf8.h"
#include "validate/validate.h"

#define ITEMS_MAX 8192
#define NAMES 2

static const fu_name names[NAMES] = {{(const uint8_t *)"key", 3}, {(const uint8_t *)"a", 1}};

typedef struct {
    fuzz_area areas[12];
    fu_gathering g;
    fu_gathered_values columns[NAMES];
    size_t sizes[12]; /* of the compared areas */
    int done;
} result;

static void *space(result *r, int which, size_t size) {
    r->sizes[which] = size;
    uint8_t *at = fuzz_at_end(&r->areas[which], size);
    memset(at, 0x5c, size);
    return at;
}

/* Move the items to larger memory, as the package does. */
static void more_items(result *r) {
    fu_gathering *g = &r->g;
    const size_t before = g->used;
    void **const held[] = {(void **)&g->names, (void **)&g->values, (void **)&g->findings, (void **)&g->starts,
                           (void **)&g->ends};
    static const size_t widths[] = {16, 16, 4, 4, 4};
    g->capacity = g->capacity ? g->capacity * 2 : 3;
    FUZZ_CHECK(g->capacity <= ITEMS_MAX);
    for (int i = 0; i < 5; i++) *held[i] = fuzz_moved(&r->areas[4 + i], *held[i], before * widths[i], g->capacity * widths[i]);
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
        const int which = r->areas[11].start != NULL; /* the second result has its own areas */
        r->columns[i].views = (fu_view *)(void *)fuzz_at_end(&views[which][i], 16 * rows);
        r->columns[i].validity = fuzz_at_end(&bitmaps[which][i], bits);
    }
    g->columns = r->columns;
}

static void gather(const fu_kernel *kernel, fu_gather_work *work, const fu_input *in, const fu_input *other, result *r) {
    int64_t stops = 0, most = 32; /* enough, because the room doubles */
    start(r, in, other);
    work->kernel = kernel;
    more_items(r);
    while (!(r->done = kernel->gather_rows(work, in, &r->g)) && r->g.failed_row < 0) {
        FUZZ_CHECK(!r->g.out_of_memory && stops++ < most);
        more_items(r);
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

/* Each item is inside its row. */
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
            if (item->length > FU_VIEW_INLINE_MAX)
                FUZZ_CHECK(item->offset >= place[0] && item->offset + item->length <= place[1]);
        }
    }
}

/* --- copies ------------------------------------------------------------------------------------------------------------ */

/* The rows of one task, divided as in the package. */
typedef struct {
    int64_t start, end;
    int wants[NAMES]; /* of lists: names, and values */
    int is_exact;     /* give exactly the requested room */
    int done;
    fu_gathering g;
    fu_gathered_values columns[NAMES];
    fu_mapping texts[NAMES]; /* of lists: names, and values; of values: of each name */
    fuzz_area octets[NAMES], offsets[NAMES], bitmaps[NAMES], lists, validity;
} copies;

/* Return the bytes of one child in one row of the views, and the number of its items. */
static size_t named_in_row(const result *views, const fu_gather_work *work, const copies *c, int child, int64_t row,
                           size_t *count) {
    size_t octets = 0;
    if (work->kind == FU_GATHER_VALUES) {
        *count = 1;
        return (size_t)views->columns[child].views[row].length;
    }
    *count = (size_t)(views->g.offsets[row + 1] - views->g.offsets[row]);
    for (int32_t i = views->g.offsets[row]; i < views->g.offsets[row + 1]; i++) {
        if (c->wants[0] && child == 0) octets += (size_t)views->g.names[i].length;
        if (c->wants[1] && child == 1) octets += (size_t)views->g.values[i].length;
    }
    return octets;
}

static void start_copies(copies *c, const fu_gather_work *work, size_t rows) {
    const size_t here = (size_t)(c->end - c->start), bits = (rows + 7) / 8;
    fu_gathering *g = &c->g;
    memset(g, 0, sizeof *g);
    memset(c->columns, 0, sizeof c->columns);
    memset(c->texts, 0, sizeof c->texts);
    g->start = g->row = c->start;
    g->end = c->end;
    g->failed_row = -1;
    g->capacity = 1;
    g->columns = c->columns;
    g->validity = (uint8_t *)fuzz_moved(&c->validity, NULL, 0, (here + 7) / 8);
    g->offsets = (int32_t *)fuzz_moved(&c->lists, NULL, 0, 4 * (here + 1));
    g->offsets[0] = 0;
    g->copied_names = c->wants[0] ? &c->texts[0] : NULL;
    g->copied_values = c->wants[1] ? &c->texts[1] : NULL;
    for (int i = 0; i < NAMES; i++) {
        const size_t texts = work->kind == FU_GATHER_VALUES ? here : g->capacity;
        c->texts[i].offsets = (int32_t *)fuzz_moved(&c->offsets[i], NULL, 0, 4 * (texts + 1));
        c->texts[i].offsets[0] = 0;
        c->columns[i].copies = &c->texts[i];
        c->columns[i].validity = c->start ? c->bitmaps[i].start + c->bitmaps[i].size - bits /* shared by all tasks */
                                          : (uint8_t *)fuzz_moved(&c->bitmaps[i], NULL, 0, bits);
    }
}

/* The work may stop only where the room is too small, and may request no more than the row needs: else it might never end. */
static void give_space(copies *c, const fu_gather_work *work, const result *views) {
    fu_gathering *g = &c->g;
    fu_mapping *m = g->lacking;
    size_t count;
    if (m == NULL) {
        named_in_row(views, work, c, 0, g->row, &count);
        FUZZ_CHECK(work->kind == FU_GATHER_LISTS && count > g->capacity - g->used);
        g->capacity = c->is_exact ? g->capacity + 1 : 2 * g->capacity;
        FUZZ_CHECK(g->capacity <= ITEMS_MAX);
        for (int i = 0; i < NAMES; i++)
            c->texts[i].offsets = (int32_t *)fuzz_moved(&c->offsets[i], c->texts[i].offsets, 4 * (c->wants[i] ? g->used + 1 : 0),
                                                        4 * (g->capacity + 1));
        return;
    }
    const int i = (int)(m - c->texts);
    FUZZ_CHECK(m == &c->texts[i] && i < NAMES && (work->kind == FU_GATHER_VALUES || c->wants[i]));
    FUZZ_CHECK(m->capacity - m->used < m->needed);
    FUZZ_CHECK(m->needed <= 4 * named_in_row(views, work, c, i, g->row, &count) + FU_COPY_SLACK);
    const size_t capacity = m->used + m->needed, doubled = 2 * m->capacity;
    m->capacity = c->is_exact || capacity > doubled ? capacity : doubled;
    m->block = (uint8_t *)fuzz_moved(&c->octets[i], m->block, m->used, m->capacity);
}

static void gather_copies(const fu_kernel *kernel, fu_gather_work *work, const fu_input *in, const result *views, copies *c) {
    size_t stops = 0;
    const size_t most = 8 * (views->g.used + NAMES * (size_t)in->rows) + 64; /* a few per text */
    int64_t before = c->start;
    start_copies(c, work, (size_t)in->rows);
    work->kernel = kernel;
    while (!(c->done = kernel->gather_rows(work, in, &c->g)) && c->g.failed_row < 0) {
        FUZZ_CHECK(!c->g.out_of_memory && stops++ < most);
        FUZZ_CHECK(c->g.row >= before && c->g.row < c->end);
        before = c->g.row;
        give_space(c, work, views);
    }
}

/* Text `number` of a child equals the view, as the plain loop decodes it. */
static void check_copy(const fu_gather_work *work, const fu_mapping *m, size_t number, const fu_view *view,
                       const fuzz_named *data) {
    static uint8_t decoded[FUZZ_TEXT_MAX], replaced[3 * FUZZ_TEXT_MAX];
    const uint8_t *want = fuzz_octets_of(view, data, 2);
    uint8_t seen = 0;
    FUZZ_CHECK(want != NULL && m->offsets[number] <= m->offsets[number + 1] && (size_t)m->offsets[number + 1] <= m->used);
    size_t length = (size_t)view->length;
    if (work->decode) {
        length = fuzz_unquote(want, length, 1, decoded, &seen);
        want = decoded;
    }
    if (work->text && seen >= 0x80) {
        length = fu_utf8_replace(decoded, length, replaced);
        want = replaced;
    }
    FUZZ_CHECK((size_t)(m->offsets[number + 1] - m->offsets[number]) == length);
    FUZZ_CHECK(length == 0 || memcmp(m->block + m->offsets[number], want, length) == 0);
}

static void check_lists(const copies *c, const fu_gather_work *work, const result *views, const fuzz_named *data) {
    const int32_t *offsets = views->g.offsets, first = offsets[c->start];
    for (int64_t row = c->start; row <= c->end; row++) FUZZ_CHECK(c->g.offsets[row - c->start] == offsets[row] - first);
    FUZZ_CHECK(c->g.used == (size_t)(offsets[c->end] - first));
    for (size_t i = 0; i < c->g.used; i++) {
        if (c->wants[0]) check_copy(work, &c->texts[0], i, &views->g.names[(size_t)first + i], data);
        if (c->wants[1]) check_copy(work, &c->texts[1], i, &views->g.values[(size_t)first + i], data);
    }
    for (int i = 0; i < NAMES; i++) FUZZ_CHECK(c->texts[i].used == (c->wants[i] ? (size_t)c->texts[i].offsets[c->g.used] : 0));
}

static void check_values(const copies *c, const fu_gather_work *work, const result *views, const fuzz_named *data) {
    for (int i = 0; i < NAMES; i++) {
        const fu_mapping *m = &c->texts[i];
        for (int64_t row = c->start; row < c->end; row++)
            check_copy(work, m, (size_t)(row - c->start), &views->columns[i].views[row], data);
        FUZZ_CHECK(m->offsets[0] == 0 && m->used == (size_t)m->offsets[c->end - c->start]);
    }
}

/* The copies of one kernel equal the views of the scalar kernel, so those of all kernels are equal. */
static void check_copies(const fu_kernel *kernel, fu_gather_work *work, const fuzz_batch *b, size_t n, const result *views) {
    static copies c;
    const fuzz_named data[] = {{b->data[0].octets, (size_t)b->data[0].size}, {b->data[1].octets, (size_t)b->data[1].size}};
    const int64_t rows = b->input.rows, first = rows > 64 && n & 32 ? 64 : rows;
    int64_t nulls = 0, nulls_of[NAMES] = {0};
    work->decode = n & 1 && (work->kind == FU_GATHER_VALUES || work->list == FU_LISTS_QUERY); /* prefixes are never decoded */
    work->text = (n & 2) != 0;
    c.is_exact = n & 4 && n <= 512; /* a longer text would stop too often */
    c.wants[0] = work->list == FU_LISTS_QUERY && n & 24;
    c.wants[1] = !c.wants[0] || n & 8;
    for (c.start = 0, c.end = first; c.start < rows; c.start = c.end, c.end = rows) {
        gather_copies(kernel, work, &b->input, views, &c);
        if (!c.done) {
            FUZZ_CHECK(c.g.failed_row == views->g.failed_row && c.g.fault == views->g.fault);
            return;
        }
        FUZZ_CHECK(memcmp(c.g.validity, views->g.validity + c.start / 8, (size_t)(c.end - c.start + 7) / 8) == 0);
        (work->kind == FU_GATHER_VALUES ? check_values : check_lists)(&c, work, views, data);
        nulls += c.g.nulls;
        for (int i = 0; i < NAMES; i++) nulls_of[i] += c.columns[i].nulls;
    }
    FUZZ_CHECK(views->done && nulls == views->g.nulls);
    for (int i = 0; i < NAMES && work->kind == FU_GATHER_VALUES; i++) {
        FUZZ_CHECK(nulls_of[i] == views->columns[i].nulls);
        FUZZ_CHECK(memcmp(c.columns[i].validity, views->columns[i].validity, (size_t)(rows + 7) / 8) == 0);
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
    fu_gather_work work = {(fu_gather_kind)((in.one >> 5) % (FU_GATHER_SAME + 1)),
                           (fu_list_kind)((in.two >> 2) % 3),
                           in.two & 1 ? FU_FORM_TARGET : FU_FORM_URL,
                           in.two >> 4,
                           runtime->schemes,
                           names,
                           NAMES,
                           NULL,
                           0,
                           0};
    /* The second column of equivalence: the same rows, or the rows from the second on. */
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
    for (size_t i = 0; i < runtime->count && (work.kind == FU_GATHER_LISTS || work.kind == FU_GATHER_VALUES); i++)
        check_copies(runtime->kernels[i], &work, &b, in.n, &scalar);
    return 0;
}
