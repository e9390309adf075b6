/* Columns of a parse: every kernel writes the same bytes into buffers of the exact size, as views and as copies. The texts are
 * those of the split of each single row. Wrong offsets and views are a fault, never a load outside. */
#include "batch.h"

#include "validate/validate.h"

typedef struct {
    fu_worker worker;
    uint8_t *values[FU_COLUMNS], *validity[FU_COLUMNS];
    fuzz_area values_areas[FU_COLUMNS], validity_areas[FU_COLUMNS], copied_areas[FU_TEXT_COLUMNS], offset_areas[FU_TEXT_COLUMNS];
    fu_copies copies;
    fu_output output;
} result;

enum { COPIES_AS_PACKAGE = 1, COPIES_FROM_NOTHING };

static const uint32_t sets[] = {(1u << FU_COLUMNS) - 1,
                                (1u << FU_COLUMNS) - 1,
                                FU_BIT(FU_COLUMN_SCHEME),
                                FU_BIT(FU_COLUMN_HOSTNAME),
                                FU_TEXTS,
                                FU_WANTS_VALIDATION,
                                FU_BIT(FU_COLUMN_VALID_RFC1738),
                                FU_BIT(FU_COLUMN_PORT) | FU_BIT(FU_COLUMN_QUERY)};

static size_t values_size(int column, size_t rows) {
    return fu_fields[column].width ? fu_fields[column].width * rows : (rows + 7) / 8;
}

/* Give only the room that the next block may need, so that the work stops often. */
static void more_copies(result *r, uint32_t wanted) {
    for (int column = 0; column < FU_TEXT_COLUMNS; column++) {
        fu_copied_column *one = &r->copies.columns[column];
        if (!(wanted & FU_BIT(column)) || one->capacity - one->used >= r->copies.needed) continue;
        const size_t capacity = one->used + r->copies.needed;
        one->data = (uint8_t *)fuzz_moved(&r->copied_areas[column], one->data, one->used, capacity);
        one->capacity = capacity;
    }
}

/* copies: COPIES_AS_PACKAGE, COPIES_FROM_NOTHING, or 0 for views. */
static void start(result *r, uint32_t wanted, size_t rows, int copies) {
    free(r->worker.arena.data);
    memset(&r->worker, 0, sizeof r->worker);
    memset(&r->output, 0, sizeof r->output);
    memset(&r->copies, 0, sizeof r->copies);
    r->worker.failed_row = -1;
    r->worker.arena.buffer = copies ? -1 : 2;
    r->output.wanted = wanted;
    for (int column = 0; column < FU_COLUMNS; column++) {
        if (!(wanted & FU_BIT(column))) continue;
        r->output.validity[column] = fuzz_at_end(&r->validity_areas[column], (rows + 7) / 8);
        if (copies && column < FU_TEXT_COLUMNS) {
            uint8_t *offsets = fuzz_at_end(&r->offset_areas[column], 4 * (rows + 1));
            r->copies.columns[column].offsets = (int32_t *)(void *)offsets;
            r->copies.columns[column].offsets[0] = 0;
            continue;
        }
        r->output.values[column] = fuzz_at_end(&r->values_areas[column], values_size(column, rows));
        memset(r->output.values[column], 0xa5, values_size(column, rows)); /* as after an earlier batch */
    }
    if (copies) {
        r->worker.copies = &r->copies;
        r->copies.needed = copies == COPIES_FROM_NOTHING ? 0 : 64 * FU_COPY_SLACK;
        more_copies(r, wanted);
    }
}

static void parse(const fu_kernel *kernel, const fu_scheme_table *table, const fu_input *in, uint32_t wanted, fu_form form,
                  int copies, result *r) {
    start(r, wanted, (size_t)in->rows, copies);
    for (int64_t before = -1;;) {
        kernel->parse_rows(table, in, &r->output, form, r->worker.next, in->rows, &r->worker);
        FUZZ_CHECK(!r->worker.out_of_memory);
        if (!copies || r->worker.failed_row >= 0 || r->worker.next >= in->rows) break;
        FUZZ_CHECK(r->worker.next > before); /* no block stops twice, because it now has enough room */
        before = r->worker.next;
        more_copies(r, wanted);
    }
    for (int column = 0; column < FU_COLUMNS && r->worker.failed_row < 0; column++)
        if (r->output.values[column] != NULL && !(r->worker.opened & FU_BIT(column)) && column != FU_COLUMN_VALID_RFC1738)
            fu_zero_column(&r->output, column, 0, in->rows);
}

static void check_same(const result *a, const result *b, size_t rows) {
    FUZZ_CHECK(a->worker.failed_row == b->worker.failed_row && a->worker.fault == b->worker.fault);
    if (a->worker.failed_row >= 0) return;
    FUZZ_CHECK(a->worker.arena.used == b->worker.arena.used);
    FUZZ_CHECK(a->worker.arena.used == 0 || memcmp(a->worker.arena.data, b->worker.arena.data, a->worker.arena.used) == 0);
    for (int column = 0; column < FU_COLUMNS; column++) {
        if (!(a->output.wanted & FU_BIT(column))) continue;
        FUZZ_CHECK(a->worker.nulls[column] == b->worker.nulls[column]);
        FUZZ_CHECK(memcmp(a->output.validity[column], b->output.validity[column], (rows + 7) / 8) == 0);
        if (a->output.values[column] != NULL) {
            FUZZ_CHECK(memcmp(a->output.values[column], b->output.values[column], values_size(column, rows)) == 0);
            continue;
        }
        const fu_copied_column *one = &a->copies.columns[column], *two = &b->copies.columns[column];
        FUZZ_CHECK(one->used == two->used && memcmp(one->offsets, two->offsets, 4 * (rows + 1)) == 0);
        FUZZ_CHECK(one->used == 0 || memcmp(one->data, two->data, one->used) == 0);
    }
}

/* Return the text of a row that is not null, from a view or a copy. */
static const uint8_t *text_of(const result *r, int column, int64_t row, const fuzz_named *buffers, size_t *length) {
    if (r->output.values[column] == NULL) {
        const fu_copied_column *copied = &r->copies.columns[column];
        FUZZ_CHECK(copied->offsets[row] <= copied->offsets[row + 1] && (size_t)copied->offsets[row + 1] <= copied->used);
        *length = (size_t)(copied->offsets[row + 1] - copied->offsets[row]);
        return copied->data + copied->offsets[row];
    }
    const fu_view *view = fu_texts(&r->output, column) + row;
    *length = (size_t)view->length;
    return fuzz_bytes_of(view, buffers, 3);
}

/* In every column a copy equals the view of the same row. named: the buffers of the views. */
static void check_copies(const result *copied, const result *views, const fuzz_named *named, int64_t rows) {
    for (int column = 0; column < FU_TEXT_COLUMNS; column++) {
        if (!(copied->output.wanted & FU_BIT(column))) continue;
        FUZZ_CHECK(copied->worker.nulls[column] == views->worker.nulls[column]);
        FUZZ_CHECK(memcmp(copied->output.validity[column], views->output.validity[column], ((size_t)rows + 7) / 8) == 0);
        for (int64_t row = 0; row < rows; row++) {
            size_t length, wanted;
            const uint8_t *text = text_of(copied, column, row, NULL, &length);
            const uint8_t *want = text_of(views, column, row, named, &wanted);
            FUZZ_CHECK(want != NULL && length == wanted && (length == 0 || memcmp(text, want, length) == 0));
        }
    }
}

static void check_row(const result *r, const fu_scheme_table *table, const fuzz_batch *b, int64_t row, fu_form form,
                      const fuzz_named *buffers) {
    static const int columns[] = {FU_COLUMN_NETLOC, FU_COLUMN_PATH, FU_COLUMN_QUERY, FU_COLUMN_FRAGMENT};
    const int64_t *place = b->places[b->before + row];
    const uint8_t *p = b->data[0].data + place[0];
    fu_spans s;
    fuzz_runtime()->kernels[0]->split(table, p, (size_t)(place[1] - place[0]), form, 0, &s);
    const int there[] = {(s.flags & FU_HAS_NETLOC) != 0, 1, (s.flags & FU_HAS_QUERY) != 0, (s.flags & FU_HAS_FRAGMENT) != 0};
    const size_t starts[] = {s.netloc_start, s.path_start, s.path_end + 1, s.query_end + 1};
    const size_t ends[] = {s.path_start, s.path_end, s.query_end, s.length};
    for (int i = 0; i < 4; i++) {
        if (!(r->output.wanted & FU_BIT(columns[i]))) continue;
        FUZZ_CHECK((r->output.validity[columns[i]][row >> 3] >> (row & 7) & 1) == there[i]);
        if (!there[i]) continue;
        size_t length = 0;
        const uint8_t *text = text_of(r, columns[i], row, buffers, &length);
        FUZZ_CHECK(text != NULL && length == ends[i] - starts[i] && (length == 0 || memcmp(text, p + starts[i], length) == 0));
    }
    if (r->output.wanted & FU_BIT(FU_COLUMN_FINDING_BITS)) {
        fu_diagnostics found;
        fu_start_diagnostics(&found);
        fu_validate(table, p, &s, form, &found);
        FUZZ_CHECK(((const uint32_t *)r->output.values[FU_COLUMN_FINDING_BITS])[row] == found.findings);
    }
}

FUZZ_TARGET {
    static result scalar, other;
    static fuzz_batch b;
    fuzz_make_batch(&in, &b);
    const uint32_t wanted = sets[in.two >> 2 & 7];
    const int copies = !(in.one & 0x40) ? 0 : in.n & 1 ? COPIES_FROM_NOTHING : COPIES_AS_PACKAGE;
    const fu_form form = in.one & 0x80 ? FU_FORM_TARGET : FU_FORM_URL;
    parse(runtime->kernels[0], runtime->schemes, &b.input, wanted, form, copies, &scalar);
    for (FUZZ_EACH_WIDER(kernel, runtime)) {
        parse(kernel, runtime->schemes, &b.input, wanted, form, copies, &other);
        check_same(&scalar, &other, (size_t)b.input.rows);
    }
    if (copies) {
        parse(runtime->kernels[0], runtime->schemes, &b.input, wanted, form, 0, &other);
        FUZZ_CHECK(scalar.worker.failed_row == other.worker.failed_row && scalar.worker.fault == other.worker.fault);
        const fuzz_named named[] = {{in.p, in.n}, {in.p, in.n}, {other.worker.arena.data, other.worker.arena.used}};
        if (scalar.worker.failed_row < 0) check_copies(&scalar, &other, named, b.input.rows);
    }
    if (scalar.worker.failed_row >= 0) {
        FUZZ_CHECK(in.one & BATCH_IS_WRONG && scalar.worker.failed_row < b.input.rows);
        FUZZ_CHECK(scalar.worker.fault > FU_FAULT_NONE && scalar.worker.fault < FU_FAULT_COUNT);
        return;
    }
    const fuzz_named buffers[] = {{in.p, in.n}, {in.p, in.n}, {scalar.worker.arena.data, scalar.worker.arena.used}};
    for (int64_t row = 0; row < b.input.rows && !(in.one & BATCH_IS_WRONG); row++)
        if (fuzz_is_valid_row(&b.input, row))
            check_row(&scalar, runtime->schemes, &b, row, b.input.targets ? fu_form_of(b.input.targets, row) : form, buffers);
}
