/* The loops of bench.peers_in_c: each URL of a file once per round, without Python. Prints "NAME NS ACCEPTED" per loop. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ada_c.h"
#include "runtime.h"
#include "validate/validate.h"

static fu_runtime *runtime;

static int fasturl_valid(const char *p, size_t n, int by_3986) {
    fu_spans spans;
    fu_diagnostics found;
    fu_start_diagnostics(&found);
    runtime->kernel->split(runtime->schemes, (const uint8_t *)p, n, FU_FORM_URL, 0, &spans);
    if (by_3986)
        runtime->kernel->validate_3986((const uint8_t *)p, &spans, FU_FORM_URL, &found);
    else
        runtime->kernel->validate(runtime->schemes, (const uint8_t *)p, &spans, FU_FORM_URL, &found);
    return (found.findings & FU_VIOLATIONS) == 0;
}

static int valid_rfc3986(const char *p, size_t n) { return fasturl_valid(p, n, 1); }
static int valid_rfc1738(const char *p, size_t n) { return fasturl_valid(p, n, 0); }
static int can_parse(const char *p, size_t n) { return ada_can_parse(p, n); }
static int split(const char *p, size_t n) {
    fu_spans spans;
    runtime->kernel->split(runtime->schemes, (const uint8_t *)p, n, FU_FORM_URL, 0, &spans);
    return spans.path_start < n;
}
static int parse(const char *p, size_t n) {
    ada_url url = ada_parse(p, n);
    const int is_valid = ada_is_valid(url);
    ada_free(url);
    return is_valid;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int (*of)(const char *, size_t);
    } loops[] = {{"split", split},
                 {"valid_rfc3986", valid_rfc3986},
                 {"valid_rfc1738", valid_rfc1738},
                 {"ada_can_parse", can_parse},
                 {"ada_parse", parse}};
    enum { LOOPS = sizeof loops / sizeof loops[0], ROUNDS = 21 };
    static double ns[LOOPS][ROUNDS];
    static size_t accepted[LOOPS];
    char *line = NULL;
    size_t space = 0, count = 0, capacity = 1 << 22;
    ssize_t length;
    char **texts = malloc(capacity * sizeof *texts);
    size_t *lengths = malloc(capacity * sizeof *lengths);
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL || texts == NULL || lengths == NULL) return 2;
    runtime = fu_start_runtime();
    while (count < capacity && (length = getline(&line, &space, file)) > 0) {
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) length--;
        if ((texts[count] = strndup(line, (size_t)length)) == NULL) return 2;
        lengths[count++] = (size_t)length;
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < LOOPS; i++) {
            size_t found = 0;
            const double start = now();
            for (size_t k = 0; k < count; k++) found += (size_t)loops[i].of(texts[k], lengths[k]);
            ns[i][round] = (now() - start) / (double)count;
            accepted[i] = found;
        }
    for (int i = 0; i < LOOPS; i++) {
        qsort(ns[i], ROUNDS, sizeof ns[i][0], by_value);
        printf("%s %.1f %.4f\n", loops[i].name, ns[i][ROUNDS / 2], (double)accepted[i] / (double)count);
    }
    return 0;
}
