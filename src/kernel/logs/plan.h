/* A line of a log by a plan: fields and the octets between them, in their order, as a format spells them.
 *
 * As in common logs a line is one record or a reject. A field in quotes may hold anything, a quote in it has a backslash;
 * no other field holds a quote or a bracket, but between octets that divide a whole line (tabs) any but these. A field that
 * runs over several words has no lone hyphen among them. No load leaves the line, and each octet is looked at a fixed
 * number of times. */
#ifndef FASTURL_LOGS_PLAN_H
#define FASTURL_LOGS_PLAN_H

#include "logs/line.h"

#define FU_PLAN_STEPS_MAX 128
#define FU_PLAN_OCTETS_MAX 4096
#define FU_PLAN_STATUS_DIGITS_MAX 3

/* How a step's field is read. `stop` is the octet that ends it: the first of those between it and the next. */
enum {
    FU_READ_NOTHING, /* only the octets between */
    FU_READ_WORD,    /* up to a space or the stop */
    FU_READ_LAST,    /* a word up to the last stop in it */
    FU_READ_LIST,    /* words as long as commas, or colons by themselves, join them */
    FU_READ_FIRST,   /* the same; the field is what stands before the first comma or space in it */
    FU_READ_WORDS,   /* words up to the bracket that is the stop */
    FU_READ_USER,    /* the same of a user's name, with the space and bracket that are the stop */
    FU_READ_UNTIL,   /* anything up to the stop */
    FU_READ_ENCLOSED,/* up to a bracket that closes, which is the stop */
    FU_READ_QUOTED,  /* up to the closing quote */
    FU_READ_QUOTED_FIRST, /* the same; the field is what stands before the first comma or space */
    FU_READ_QUOTED_WORD, /* within quotes up to a space or the stop */
    FU_READ_REST,    /* all of the line that is left */
    FU_READ_STATUS,
    FU_READ_SIZE,
    FU_READ_TIME,
    FU_READ_ZONE,    /* a word after the time: its zone */
    FU_READ_FRACTION,/* a word after the time and a dot: its fraction, and perhaps its zone */
    FU_READ_SPACES,  /* as many as there are */
    FU_READ_KINDS
};

typedef struct {
    uint8_t kind, field, stop;
    uint16_t at, length;                 /* of the octets after the field */
    uint16_t program_at, program_length; /* of a time */
} fu_plan_step;

typedef struct {
    int count;
    int has_more; /* whether other fields may follow */
    int escaped;  /* how fields are (logs/escapes.h) */
    fu_plan_step steps[FU_PLAN_STEPS_MAX];
    uint8_t octets[FU_PLAN_OCTETS_MAX];
} fu_log_plan;

/* --- fields, each: where it ends, or NULL ------------------------------------------------------------------------- */

static inline const uint8_t *fu_plan_word(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_log_field *field) {
    const uint8_t *at = p;
    while (at < end && *at != ' ' && *at != stop && !fu_encloses_field(*at)) at++;
    field->start = p;
    field->length = (size_t)(at - p);
    return at == p ? NULL : at;
}

static inline const uint8_t *fu_plan_last(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_log_field *field) {
    const uint8_t *at = fu_plan_word(p, end, ' ', field);
    while (at != NULL && at > p && *--at != stop) {}
    if (at == NULL || at == p) return NULL;
    field->length = (size_t)(at - p);
    return at;
}

static inline void fu_keep_first(fu_log_field *field) {
    size_t one = 0;
    while (one < field->length && field->start[one] != ',' && field->start[one] != ' ') one++;
    field->length = one;
}

static inline const uint8_t *fu_plan_list(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_log_field *field) {
    const uint8_t *at = fu_plan_word(p, end, stop, field);
    while (at != NULL && at < end && *at == ' ') {
        fu_log_field word;
        const int by_colon = end - at > 3 && at[1] == ':' && at[2] == ' ';
        if (!by_colon && at[-1] != ',') break;
        at = fu_plan_word(by_colon ? at + 3 : at + 1, end, stop, &word);
    }
    if (at != NULL) field->length = (size_t)(at - p);
    return at;
}

/* What stands between a client and its time: an ident and a user's name, which may have spaces in it; or hyphens. Behind
 * the first word no word of several is a lone hyphen, unless all are: that would be another record's. */
static inline const uint8_t *fu_plan_words(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_log_field *field) {
    const uint8_t *at = (const uint8_t *)memchr(p, stop, (size_t)(end - p)), *word = p, *last;
    size_t words = 0, hyphens = 0, first_hyphens = 0;
    if (at == NULL) return NULL;
    last = at > p && at[-1] == ' ' ? at - 1 : at;
    field->start = p;
    field->length = (size_t)(last - p);
    for (const uint8_t *octet = p; octet <= last; octet++) {
        if (octet < last && fu_encloses_field(*octet)) return NULL;
        if (octet < last && *octet != ' ') continue;
        hyphens += (size_t)fu_is_lone_hyphen(word, (size_t)(octet - word));
        if (words++ == 0) first_hyphens = hyphens;
        word = octet + 1;
    }
    return hyphens == words || words == 2 || hyphens == first_hyphens ? at : NULL;
}

static inline const uint8_t *fu_plan_until(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_log_field *field) {
    const uint8_t *at = (const uint8_t *)memchr(p, stop, (size_t)(end - p));
    if (at == NULL) at = end;
    field->start = p;
    field->length = (size_t)(at - p);
    return at;
}

static inline const uint8_t *fu_plan_enclosed(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_log_field *field) {
    const uint8_t *at = p;
    while (at < end && *at != stop && !fu_encloses_field(*at)) at++;
    field->start = p;
    field->length = (size_t)(at - p);
    return at;
}

static inline const uint8_t *fu_plan_quoted_word(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_log_field *field) {
    const uint8_t *at = p;
    for (; at < end && *at != ' ' && *at != stop && *at != '"'; at++)
        if (*at == '\\' && ++at == end) return NULL;
    field->start = p;
    field->length = (size_t)(at - p);
    return at == p ? NULL : at;
}

static inline const uint8_t *fu_plan_rest(const uint8_t *p, const uint8_t *end, fu_log_field *field) {
    field->start = p;
    field->length = (size_t)(end - p);
    return memchr(p, '"', field->length) == NULL ? end : NULL;
}

/* Digits, or a hyphen, which other digits may follow, for none; between stops nothing, too. */
static inline const uint8_t *fu_plan_number(const uint8_t *p, const uint8_t *end, const fu_plan_step *step,
                                            fu_log_line *line) {
    const int is_status = step->kind == FU_READ_STATUS;
    uint64_t number = 0;
    int has = 0;
    if (p < end && *p == step->stop) return p;
    p = fu_log_number(p, end, 1, is_status ? FU_PLAN_STATUS_DIGITS_MAX : FU_LOG_SIZE_DIGITS_MAX, &number, &has);
    if (p == NULL) return NULL;
    if (p[-1] == '-')
        while (p < end && *p >= '0' && *p <= '9') p++;
    if (is_status) {
        line->status = has ? (int)number : -1;
    } else {
        line->size = number;
        line->has_size = has;
    }
    return p;
}

static inline const uint8_t *fu_plan_time(const uint8_t *p, const uint8_t *end, const fu_log_plan *plan,
                                          const fu_plan_step *step, fu_log_line *line) {
    if (!line->moment.is_read && p < end && *p == '-' && (p + 1 == end || p[1] == step->stop)) return p + 1;
    return fu_read_moment(p, end, plan->octets + step->program_at, step->program_length, &line->moment);
}

static inline const uint8_t *fu_plan_tail(const uint8_t *p, const uint8_t *end, const fu_plan_step *step, fu_log_line *line) {
    const uint8_t *at = fu_plan_word(p, end, step->stop, &line->skipped);
    if (at != NULL && line->moment.is_read) fu_moment_tail(p, at, step->kind == FU_READ_FRACTION, &line->moment);
    return at;
}

static inline const uint8_t *fu_plan_field(const uint8_t *p, const uint8_t *end, const fu_log_plan *plan,
                                           const fu_plan_step *step, fu_log_line *line) {
    fu_log_field *field = &line->fields[step->field];
    switch (step->kind) {
    case FU_READ_NOTHING: return p;
    case FU_READ_WORD: return fu_plan_word(p, end, step->stop, field);
    case FU_READ_LAST: return fu_plan_last(p, end, step->stop, field);
    case FU_READ_LIST:
    case FU_READ_FIRST: return fu_plan_list(p, end, step->stop, field);
    case FU_READ_WORDS: return fu_plan_words(p, end, step->stop, field);
    case FU_READ_USER: return fu_log_user(p, end, field);
    case FU_READ_UNTIL: return fu_plan_until(p, end, step->stop, field);
    case FU_READ_ENCLOSED: return fu_plan_enclosed(p, end, step->stop, field);
    case FU_READ_QUOTED:
    case FU_READ_QUOTED_FIRST: return fu_log_in_quotes(p, end, field);
    case FU_READ_QUOTED_WORD: return fu_plan_quoted_word(p, end, step->stop, field);
    case FU_READ_REST: return fu_plan_rest(p, end, field);
    case FU_READ_STATUS:
    case FU_READ_SIZE: return fu_plan_number(p, end, step, line);
    case FU_READ_TIME: return fu_plan_time(p, end, plan, step, line);
    case FU_READ_ZONE:
    case FU_READ_FRACTION: return fu_plan_tail(p, end, step, line);
    case FU_READ_SPACES:
        while (p < end && *p == ' ') p++;
        return p;
    default: return NULL;
    }
}

/* --- the line -------------------------------------------------------------------------------------------------------- */

/* Whether the line is a record by the plan, and its fields. A lone hyphen is no field but of a request line. */
static inline int fu_read_plan_line(const uint8_t *p, size_t n, const fu_log_plan *plan, fu_log_line *line) {
    const uint8_t *start = p, *end = p + n;
    memset(line, 0, sizeof *line);
    line->status = -1;
    for (int i = 0; i < plan->count; i++) {
        const fu_plan_step *step = &plan->steps[i];
        fu_log_field *field = &line->fields[step->field];
        p = fu_plan_field(p, end, plan, step, line);
        if (p == NULL || (size_t)(end - p) < step->length || memcmp(p, plan->octets + step->at, step->length) != 0) return 0;
        p += step->length;
        if (step->kind == FU_READ_FIRST || step->kind == FU_READ_QUOTED_FIRST) fu_keep_first(field);
        if (step->field != FU_FIELD_REQUEST && !fu_log_field_says(field)) field->start = NULL;
    }
    if (line->moment.day == 0) line->moment.is_read = 0; /* a clock without a date */
    return p == end || (plan->has_more && p > start && fu_log_more_is_fields(p, end));
}

#endif
