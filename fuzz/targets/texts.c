/* Columns made of texts, and functions of URLs: every kernel makes the same text of each row, as views and as copies, in memory
 * of the requested size. No result exceeds its bound. */
#include "batch.h"

#include "columns/textwork.h"

static const fu_name names[] = {{(const uint8_t *)"key", 3}, {(const uint8_t *)"a*", 2}, {(const uint8_t *)"*", 1}};
/* The lists of schemes of fu_canonical, in the order of src/fasturl/_canonical.py: special, with params, written with slashes. */
#define NAMED(text) {(const uint8_t *)text, sizeof text - 1}
static const fu_name schemes[] = {NAMED("http"), NAMED("https"), NAMED("ftp"),  NAMED("file"),
                                  NAMED("ws"),   NAMED("wss"),   NAMED("http"), NAMED("rsync")};
static const char *const bases[] = {"http://h.example/a/b;c?d#e", "//h/a", "/a/../b/", "HTTP://h", "own:x", "mailto:a"};

/* --- what is done ------------------------------------------------------------------------------------------------------ */

static fu_suffixes suffixes;

static void fill_suffixes(void) {
    static const char *const rules[] = {"com", "uk", "co.uk", "ck", "www.ck", "github.io", "io"};
    static const uint8_t kinds[] = {FU_RULE, FU_RULE, FU_RULE, FU_RULE_BELOW, FU_RULE_EXCEPTION, FU_RULE << FU_RULE_BITS,
                                    FU_RULE};
    static fu_suffix_node nodes[32];
    static fu_suffix_slot slots[64];
    static uint64_t filter[2 * FU_FILTER_BITS];
    suffixes.nodes = nodes;
    suffixes.count = 1;
    suffixes.slots = slots;
    suffixes.mask = 63;
    suffixes.filter = filter;
    for (size_t i = 0; i < sizeof kinds; i++)
        fu_add_suffix_rule(&suffixes, (const uint8_t *)rules[i], strlen(rules[i]), kinds[i]);
}

static const char lines[] =
    "# ads\n0.0.0.0 h.example\na.example co.uk *.com\n127.0.0.1\n::1\nx\n10.0.0.0/8 \xe4\xb8\xad\xe5\x9b\xbd\n";
static fu_host_list hosts;

static void fill_hosts(void) {
    static uint8_t list_names[4 * sizeof lines];
    static fu_list_slot slots[16];
    static uint64_t filter[8];
    size_t counts[3] = {0, 0, 0}, line;
    hosts.names = list_names;
    hosts.slots = slots;
    hosts.slot_count = sizeof slots / sizeof slots[0];
    hosts.filter = filter;
    hosts.filter_words = sizeof filter / sizeof filter[0];
    FUZZ_CHECK(fu_read_list((const uint8_t *)lines, sizeof lines - 1, &hosts, counts, &line) == 0 && hosts.count == 9);
}

static void choose_base(const fu_runtime *runtime, fu_text_work *work, unsigned which) {
    fu_join_base *base = &work->base;
    const char *text = bases[which % (sizeof bases / sizeof bases[0])];
    base->p = (const uint8_t *)text;
    base->n = strlen(text);
    runtime->kernels[0]->split(runtime->schemes, base->p, base->n, FU_FORM_URL, 0, &base->spans);
    base->scheme = fu_slice_at((const uint8_t *)"http", 0, base->spans.scheme_end == 4 ? 4 : 0);
    base->is_relative = base->uses_netloc = base->spans.scheme == FU_NO_SCHEME || base->spans.scheme == FU_SCHEME_HTTP;
    base->is_sure = 1;
}

static void choose_work(const fu_runtime *runtime, const fuzz_input *in, fu_text_work *work, fu_function *function) {
    static fu_quote_table quoting;
    static uint8_t ports[8192];
    if (suffixes.nodes == NULL) fill_suffixes();
    if (hosts.names == NULL) fill_hosts();
    ports[80 / 8] = 1;
    if (!quoting.dirty[255]) {
        uint8_t keep[128] = {0};
        for (int c = 'A'; c <= 'z'; c++) keep[c] = 1;
        fu_quote_table_fill(&quoting, keep, 0);
    }
    memset(work, 0, sizeof *work);
    memset(function, 0, sizeof *function);
    static const fu_text_work_kind kinds[] = {FU_QUOTE_TEXTS,  FU_UNQUOTE_TEXTS,  FU_NORMALIZE_TEXTS,      FU_QUERY_VALUES,
                                              FU_REDACT_TEXTS, FU_APPLY_FUNCTION, FU_UNQUOTE_TEXTS_SAFELY, FU_JOIN_TEXTS};
    work->kind = kinds[in->one >> 5 & 7];
    work->text = in->two & 1;
    work->plus = in->two >> 1 & 1;
    work->quote = &quoting;
    work->function = function;
    work->schemes = runtime->schemes;
    work->mark.p = (const uint8_t *)"***";
    work->mark.n = 3;
    work->names = names;
    work->count = 1 + (in->two >> 2 & 1);
    fu_set_first_bytes(&work->firsts, names);
    work->bytes_tell = in->two >> 3 & 1;
    work->has_otherwise = work->kind == FU_JOIN_TEXTS || (in->two >> 4 & 1);
    work->other_text = (const uint8_t *)"otherwise, and long";
    work->other_length = 19;
    fu_view_of(&work->otherwise, work->other_text, work->other_length, 3, 0);
    choose_base(runtime, work, in->two);
    function->kind = (fu_function_kind)(in->two % FU_FUNCTION_KINDS);
    function->form = in->n & 1 ? FU_FORM_TARGET : FU_FORM_URL;
    function->is_host = fu_function_detail(function) == FU_DETAIL_OF_HOST && (in->n & 2);
    function->schemes = runtime->schemes;
    function->switches = (unsigned)in->n * 37u + in->two;
    function->names = names;
    function->count = 1 + in->n % 3;
    function->suffixes = &suffixes;
    function->hosts = function->not_hosts = &hosts;
    function->ports = in->n & 2 ? ports : NULL;
    if (function->kind == FU_GIVES_CANONICALIZE || function->kind == FU_GIVES_FETCH_REFUSAL) {
        function->names = schemes;
        function->count = sizeof schemes / sizeof schemes[0];
    }
    if (function->kind == FU_GIVES_CANONICALIZE) function->switches = (in->n & 15) | 1 << FU_CANONICAL_PARAMS;
    if (fu_asks_list(function)) function->switches &= ~(unsigned)FU_LIST_ALLOWS; /* the kind says it */
}

/* --- doing it ---------------------------------------------------------------------------------------------------------- */

/* The concatenated texts of all rows, and their lengths; -1 for a null. */
typedef struct {
    uint8_t data[1 << 18];
    size_t used;
    int64_t lengths[BATCH_ROWS_MAX + 1], failed_row, nulls;
    fu_fault fault;
} result;

static void keep_row(result *r, int64_t row, const uint8_t *p, size_t length) {
    FUZZ_CHECK(p != NULL && r->used + length <= sizeof r->data);
    if (length) memcpy(r->data + r->used, p, length);
    r->used += length;
    r->lengths[row] = (int64_t)length;
}

#define ANSWER "an answer, from Python"
#define ANSWER_LENGTH (sizeof ANSWER - 1)

/* Answer a question as the caller: no text, or a text. */
static void answer(fu_mapping *m, int64_t row) {
    m->asks = 0;
    m->is_answered = 1;
    m->answer = row & 1 ? (const uint8_t *)ANSWER : NULL;
    m->answer_length = row & 1 ? ANSWER_LENGTH : 0;
}

/* Each new block has exactly the needed size. Earlier blocks stay in place, because views point to them. */
#define BLOCKS (BATCH_ROWS_MAX * 4)

static void map(const fu_kernel *kernel, const fu_text_work *work, const fu_input *in, const fuzz_named *data, int copies,
                result *r) {
    static fuzz_area views_area, validity_area, offsets_area, copied_area, block_areas[BLOCKS];
    static fuzz_named named[BLOCKS + 3];
    const size_t rows = (size_t)in->rows;
    fu_mapping m;
    memset(&m, 0, sizeof m);
    memset(r->lengths, 0xff, sizeof r->lengths);
    r->used = 0;
    m.end = in->rows;
    m.failed_row = -1;
    m.validity = fuzz_at_end(&validity_area, (rows + 7) / 8);
    if (copies) {
        m.offsets = (int32_t *)(void *)fuzz_at_end(&offsets_area, 4 * (rows + 1));
        m.offsets[0] = 0;
    } else {
        m.views = (fu_view *)(void *)fuzz_at_end(&views_area, 16 * rows);
    }
    named[0] = data[0];
    named[1] = data[1];
    named[3].data = work->other_text;
    named[3].size = work->other_length;
    size_t blocks = 4;
    while (!kernel->map_rows(work, in, &m) && m.failed_row < 0) {
        if (m.asks) {
            answer(&m, m.row);
        } else if (copies) {
            const size_t capacity = m.used + m.needed + FU_COPY_SLACK;
            FUZZ_CHECK(m.capacity < capacity); /* else the package would give no room and never end */
            m.block = (uint8_t *)fuzz_moved(&copied_area, m.block, m.used, capacity);
            m.capacity = capacity;
        } else {
            FUZZ_CHECK(blocks < BLOCKS);
            m.block = fuzz_at_end(&block_areas[blocks], m.needed);
            m.capacity = m.needed;
            m.used = 0;
            m.buffer = (int32_t)blocks;
            named[blocks].data = m.block;
            named[blocks++].size = m.needed;
        }
    }
    r->failed_row = m.failed_row;
    r->fault = m.fault;
    r->nulls = m.nulls;
    for (int64_t row = 0; row < in->rows && m.failed_row < 0; row++) {
        if (!(m.validity[row >> 3] >> (row & 7) & 1)) continue;
        if (copies)
            keep_row(r, row, m.block + m.offsets[row], (size_t)(m.offsets[row + 1] - m.offsets[row]));
        else
            keep_row(r, row, fuzz_bytes_of(&m.views[row], named, blocks), (size_t)m.views[row].length);
    }
}

static void check_same(const result *a, const result *b) {
    FUZZ_CHECK(a->failed_row == b->failed_row && (a->failed_row < 0 || a->fault == b->fault));
    if (a->failed_row >= 0) return;
    FUZZ_CHECK(a->nulls == b->nulls && a->used == b->used);
    FUZZ_CHECK(memcmp(a->lengths, b->lengths, sizeof a->lengths) == 0 && memcmp(a->data, b->data, a->used) == 0);
}

/* A function splits a row only as far as it needs. Its result must equal that of the full split. */
static void check_function(const fu_runtime *runtime, const fu_function *f, const fuzz_batch *b, const result *r) {
    static fuzz_area area;
    const uint8_t *found = r->data;
    for (int64_t row = 0; row < b->input.rows; row++) {
        const int64_t *place = b->places[b->before + row];
        const uint8_t *p = b->data[0].data + place[0];
        const size_t n = (size_t)(place[1] - place[0]), most = fu_function_capacity(f, n);
        if (!fuzz_is_valid_row(&b->input, row)) continue;
        fu_spans s;
        runtime->kernels[0]->split(f->schemes, p, n, f->form, fu_function_any_first(f), &s);
        uint8_t *to = fuzz_at_end(&area, most + FU_COPY_SLACK);
        const fu_result want = f->is_host ? fu_apply_to_host(f, p, 0, n, to) : fu_apply(f, p, &s, to);
        if (want.kind == FU_RESULT_ASKS) {
            FUZZ_CHECK(r->lengths[row] == (row & 1 ? (int64_t)ANSWER_LENGTH : -1));
            found += row & 1 ? ANSWER_LENGTH : 0;
            continue;
        }
        FUZZ_CHECK((want.kind == FU_RESULT_NULL) == (r->lengths[row] < 0));
        if (want.kind == FU_RESULT_NULL) continue;
        const uint8_t *data = want.kind == FU_RESULT_PART ? p + want.start : to;
        const size_t length = (size_t)r->lengths[row];
        if (f->kind == FU_GIVES_ALLOWS) /* any text says no, an empty one says yes */
            FUZZ_CHECK((length == 0) == (want.length == 0));
        else
            FUZZ_CHECK(length == want.length && (length == 0 || memcmp(found, data, length) == 0));
        found += length;
    }
}

FUZZ_TARGET {
    static result scalar, other;
    static fuzz_batch b;
    fu_text_work work;
    fu_function function;
    if (in.n > 2048) return;
    fuzz_input laid = in;
    laid.one &= 0x1f;
    fuzz_make_batch(&laid, &b);
    const fuzz_named named[] = {{in.p, in.n}, {in.p, in.n}};
    choose_work(runtime, &in, &work, &function);
    map(runtime->kernels[0], &work, &b.input, named, 0, &scalar);
    FUZZ_CHECK(scalar.failed_row < 0 || in.one & BATCH_IS_WRONG);
    for (FUZZ_EACH_WIDER(kernel, runtime)) {
        map(kernel, &work, &b.input, named, 0, &other);
        check_same(&scalar, &other);
    }
    if (work.kind == FU_APPLY_FUNCTION && scalar.failed_row < 0 && !(in.one & BATCH_IS_WRONG))
        check_function(runtime, &function, &b, &scalar);
    map(runtime->kernels[in.two % runtime->count], &work, &b.input, named, 1, &other);
    check_same(&scalar, &other);
}
