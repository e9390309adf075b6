/* Lists, several values per row, depths, hashes, problems and equivalence of columns: every kernel gathers the same, and each
 * item is inside its row. Texts, in memory that grows in small steps, equal the scalar kernel's raw texts as a loop decodes
 * them. */
#include "batch.h"

#include "columns/gather.h"
#include "escapes/utf8.h"
#include "validate/validate.h"

#define ITEMS_MAX 8192
#define NAMES 2

static const fu_name names[NAMES] = {{(const uint8_t *)"key", 3}, {(const uint8_t *)"a", 1}};

/* --- numbers, problems and equivalence ---------------------------------------------------------------------------------- */

typedef struct {
    fuzz_area areas[8];
    fu_gathering g;
    size_t sizes[8]; /* of the compared areas */
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
    void **const held[] = {(void **)&g->findings, (void **)&g->starts, (void **)&g->ends};
    g->capacity = g->capacity ? g->capacity * 2 : 3;
    FUZZ_CHECK(g->capacity <= ITEMS_MAX);
    for (int i = 0; i < 3; i++) *held[i] = fuzz_moved(&r->areas[5 + i], *held[i], before * 4, g->capacity * 4);
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
    g->same = (uint8_t *)space(r, 4, bits);
    g->other = other;
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

static void check_same(const result *a, const result *b) {
    FUZZ_CHECK(a->done == b->done && a->g.failed_row == b->g.failed_row);
    if (!a->done) return;
    FUZZ_CHECK(a->g.nulls == b->g.nulls && a->g.used == b->g.used && a->g.capacity == b->g.capacity);
    FUZZ_CHECK(memcmp(a->g.validity, b->g.validity, a->sizes[0]) == 0 && memcmp(a->g.offsets, b->g.offsets, a->sizes[1]) == 0);
    FUZZ_CHECK(memcmp(a->g.depths, b->g.depths, a->sizes[2]) == 0 && memcmp(a->g.hashes, b->g.hashes, a->sizes[3]) == 0);
    FUZZ_CHECK(memcmp(a->g.same, b->g.same, a->sizes[4]) == 0);
    if (a->g.used) {
        FUZZ_CHECK(memcmp(a->g.findings, b->g.findings, a->g.used * 4) == 0);
        FUZZ_CHECK(memcmp(a->g.starts, b->g.starts, a->g.used * 4) == 0 && memcmp(a->g.ends, b->g.ends, a->g.used * 4) == 0);
    }
}

/* Each problem is inside its row. */
static void check_problems(const result *r, const fuzz_batch *b) {
    for (int64_t row = 0; row < b->input.rows; row++) {
        const int64_t *place = b->places[b->before + row];
        FUZZ_CHECK(r->g.offsets[row] <= r->g.offsets[row + 1] && (size_t)r->g.offsets[row + 1] <= r->g.used);
        for (int32_t i = r->g.offsets[row]; i < r->g.offsets[row + 1]; i++)
            FUZZ_CHECK(r->g.starts[i] <= r->g.ends[i] && (r->g.ends[i] <= place[1] - place[0] || r->g.ends[i] == 2));
    }
}

/* --- texts ------------------------------------------------------------------------------------------------------------- */

/* The rows of one task, divided as in the package. */
typedef struct {
    int64_t start, end;
    int wants[NAMES]; /* of lists: names, and values */
    int is_exact;     /* give exactly the requested room */
    int done;
    fu_gathering g;
    fu_gathered_values columns[NAMES];
    fu_mapping texts[NAMES]; /* of lists: names, and values; of values: of each name */
    fuzz_area data[NAMES], offsets[NAMES], bitmaps[NAMES], lists, validity;
} copies;

static fuzz_named text_of(const copies *c, int child, size_t number) {
    const int32_t *offsets = c->texts[child].offsets + number;
    FUZZ_CHECK(offsets[0] <= offsets[1] && (size_t)offsets[1] <= c->texts[child].used);
    if (offsets[0] == offsets[1]) return (fuzz_named){(const uint8_t *)"", 0}; /* if all are empty, there is no block */
    return (fuzz_named){c->texts[child].block + offsets[0], (size_t)(offsets[1] - offsets[0])};
}

/* Return the raw bytes of one child in one row, and the number of its items. */
static size_t named_in_row(const copies *raw, const fu_gather_work *work, const copies *c, int child, int64_t row,
                           size_t *count) {
    size_t data = 0;
    *count = 1;
    if (work->kind == FU_GATHER_VALUES) return text_of(raw, child, (size_t)row).size;
    *count = (size_t)(raw->g.offsets[row + 1] - raw->g.offsets[row]);
    for (int32_t i = raw->g.offsets[row]; c->wants[child] && i < raw->g.offsets[row + 1]; i++)
        data += text_of(raw, child, (size_t)i).size;
    return data;
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
    g->names = c->wants[0] ? &c->texts[0] : NULL;
    g->values = c->wants[1] ? &c->texts[1] : NULL;
    for (int i = 0; i < NAMES; i++) {
        const size_t texts = work->kind == FU_GATHER_VALUES ? here : g->capacity;
        c->texts[i].offsets = (int32_t *)fuzz_moved(&c->offsets[i], NULL, 0, 4 * (texts + 1));
        c->texts[i].offsets[0] = 0;
        c->columns[i].texts = &c->texts[i];
        c->columns[i].validity = c->start ? c->bitmaps[i].start + c->bitmaps[i].size - bits /* shared by all tasks */
                                          : (uint8_t *)fuzz_moved(&c->bitmaps[i], NULL, 0, bits);
    }
}

/* The work may stop only where the room is too small, and may request no more than the row needs: else it might never end.
 * raw : NULL to check nothing */
static void give_space(copies *c, const fu_gather_work *work, const copies *raw) {
    fu_gathering *g = &c->g;
    fu_mapping *m = g->lacking;
    size_t count;
    if (m == NULL) {
        FUZZ_CHECK(work->kind == FU_GATHER_LISTS);
        if (raw) named_in_row(raw, work, c, 0, g->row, &count);
        FUZZ_CHECK(raw == NULL || count > g->capacity - g->used);
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
    FUZZ_CHECK(raw == NULL || m->needed <= 4 * named_in_row(raw, work, c, i, g->row, &count) + FU_COPY_SLACK);
    const size_t capacity = m->used + m->needed, doubled = 2 * m->capacity;
    m->capacity = c->is_exact || capacity > doubled ? capacity : doubled;
    m->block = (uint8_t *)fuzz_moved(&c->data[i], m->block, m->used, m->capacity);
}

static void gather_copies(const fu_kernel *kernel, fu_gather_work *work, const fu_input *in, const copies *raw, copies *c) {
    size_t stops = 0;
    const size_t most = 8 * ((raw ? raw->g.used : 0) + NAMES * (size_t)in->rows) + 64; /* a few per text */
    int64_t before = c->start;
    start_copies(c, work, (size_t)in->rows);
    work->kernel = kernel;
    while (!(c->done = kernel->gather_rows(work, in, &c->g)) && c->g.failed_row < 0) {
        FUZZ_CHECK(!c->g.out_of_memory && stops++ < most);
        FUZZ_CHECK(c->g.row >= before && c->g.row < c->end);
        before = c->g.row;
        give_space(c, work, raw);
    }
}

/* The text equals the raw text, as the plain loop decodes it. */
static void check_text(const fu_gather_work *work, fuzz_named found, fuzz_named raw) {
    static uint8_t decoded[FUZZ_TEXT_MAX], replaced[3 * FUZZ_TEXT_MAX];
    const uint8_t *want = raw.data;
    size_t length = raw.size;
    uint8_t seen = 0;
    if (work->decode) {
        length = fuzz_unquote(want, length, 1, decoded, &seen);
        want = decoded;
    }
    if (work->text && seen >= 0x80) {
        length = fu_utf8_replace(decoded, length, replaced);
        want = replaced;
    }
    FUZZ_CHECK(found.size == length && (length == 0 || memcmp(found.data, want, length) == 0));
}

static void check_lists(const copies *c, const fu_gather_work *work, const copies *raw) {
    const int32_t *offsets = raw->g.offsets, first = offsets[c->start];
    for (int64_t row = c->start; row <= c->end; row++) FUZZ_CHECK(c->g.offsets[row - c->start] == offsets[row] - first);
    FUZZ_CHECK(c->g.used == (size_t)(offsets[c->end] - first));
    for (int child = 0; child < NAMES; child++) {
        FUZZ_CHECK(c->texts[child].used == (c->wants[child] ? (size_t)c->texts[child].offsets[c->g.used] : 0));
        for (size_t i = 0; c->wants[child] && i < c->g.used; i++)
            check_text(work, text_of(c, child, i), text_of(raw, child, (size_t)first + i));
    }
}

static void check_values(const copies *c, const fu_gather_work *work, const copies *raw) {
    for (int name = 0; name < NAMES; name++) {
        const fu_mapping *m = &c->texts[name];
        for (int64_t row = c->start; row < c->end; row++)
            check_text(work, text_of(c, name, (size_t)(row - c->start)), text_of(raw, name, (size_t)row));
        FUZZ_CHECK(m->offsets[0] == 0 && m->used == (size_t)m->offsets[c->end - c->start]);
    }
}

/* Each raw text is a part of its row. */
static void check_raw(const copies *raw, const fu_gather_work *work, const fuzz_batch *b) {
    for (int64_t row = 0; row < b->input.rows; row++) {
        const int64_t *place = b->places[b->before + row];
        const fuzz_named url = {b->data[0].data + place[0], (size_t)(place[1] - place[0])};
        const int is_list = work->kind == FU_GATHER_LISTS;
        const int64_t end = is_list ? raw->g.offsets[row + 1] : row + 1;
        for (int64_t i = is_list ? raw->g.offsets[row] : row; i < end; i++)
            for (int child = 0; child < NAMES; child++) {
                if (is_list && !raw->wants[child]) continue;
                const fuzz_named text = text_of(raw, child, (size_t)i);
                size_t at = 0;
                while (at + text.size <= url.size && text.size && memcmp(url.data + at, text.data, text.size) != 0) at++;
                FUZZ_CHECK(at + text.size <= url.size);
            }
    }
}

/* The texts of one kernel equal the raw texts of the scalar kernel, so those of all kernels are equal. */
static void check_copies(const fu_kernel *kernel, fu_gather_work *work, const fuzz_batch *b, size_t n, const copies *raw) {
    static copies c;
    const int64_t rows = b->input.rows, first = rows > 64 && n & 32 ? 64 : rows;
    int64_t nulls = 0, nulls_of[NAMES] = {0};
    work->decode = n & 1 && (work->kind == FU_GATHER_VALUES || work->list == FU_LISTS_QUERY); /* prefixes are never decoded */
    work->text = (n & 2) != 0;
    c.is_exact = n & 4 && n <= 512; /* a longer text would stop too often */
    c.wants[0] = work->list == FU_LISTS_QUERY && n & 24;
    c.wants[1] = !c.wants[0] || n & 8;
    for (c.start = 0, c.end = first; c.start < rows; c.start = c.end, c.end = rows) {
        gather_copies(kernel, work, &b->input, raw, &c);
        if (!c.done) {
            FUZZ_CHECK(c.g.failed_row == raw->g.failed_row && c.g.fault == raw->g.fault);
            return;
        }
        FUZZ_CHECK(memcmp(c.g.validity, raw->g.validity + c.start / 8, (size_t)(c.end - c.start + 7) / 8) == 0);
        (work->kind == FU_GATHER_VALUES ? check_values : check_lists)(&c, work, raw);
        nulls += c.g.nulls;
        for (int i = 0; i < NAMES; i++) nulls_of[i] += c.columns[i].nulls;
    }
    FUZZ_CHECK(raw->done && nulls == raw->g.nulls);
    for (int i = 0; i < NAMES && work->kind == FU_GATHER_VALUES; i++) {
        FUZZ_CHECK(nulls_of[i] == raw->columns[i].nulls);
        FUZZ_CHECK(memcmp(c.columns[i].validity, raw->columns[i].validity, (size_t)(rows + 7) / 8) == 0);
    }
}

static void check_texts(const fu_runtime *runtime, fu_gather_work *work, const fuzz_input *in, const fuzz_batch *b) {
    static copies raw;
    raw.end = b->input.rows;
    raw.wants[0] = work->list == FU_LISTS_QUERY;
    raw.wants[1] = 1;
    gather_copies(runtime->kernels[0], work, &b->input, NULL, &raw);
    FUZZ_CHECK(raw.done || in->one & BATCH_IS_WRONG);
    if (!(in->one & BATCH_IS_WRONG)) check_raw(&raw, work, b);
    for (size_t i = 0; i < runtime->count; i++) check_copies(runtime->kernels[i], work, b, in->n, &raw);
}

FUZZ_TARGET {
    static result scalar, wider;
    static fuzz_batch b;
    if (in.n > 2048) return;
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
    if (work.kind == FU_GATHER_LISTS || work.kind == FU_GATHER_VALUES) {
        check_texts(runtime, &work, &in, &b);
        return;
    }
    gather(runtime->kernels[0], &work, &b.input, &other, &scalar);
    FUZZ_CHECK(scalar.done || in.one & BATCH_IS_WRONG);
    for (FUZZ_EACH_WIDER(kernel, runtime)) {
        gather(kernel, &work, &b.input, &other, &wider);
        check_same(&scalar, &wider);
    }
    if (scalar.done && !(in.one & BATCH_IS_WRONG) && work.kind == FU_GATHER_PROBLEMS) check_problems(&scalar, &b);
}
