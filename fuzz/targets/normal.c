/* The normal form and the key of equivalence. The normal form is no longer than the text, is its own normal form, and has the
 * same parts and key. All kernels agree. */
#include "common.h"

#include "functions/equivalence.h"

static size_t normal(const fu_kernel *kernel, const fu_scheme_table *table, const uint8_t *p, size_t n, uint8_t *to) {
    fu_spans s;
    kernel->split(table, p, n, FU_FORM_URL, 1, &s);
    const size_t length = fu_normal(table, p, &s, 0, to);
    FUZZ_CHECK(length <= n);
    if (fu_is_plainly_normal(p, &s)) FUZZ_CHECK(length == n && (n == 0 || memcmp(p, to, n) == 0));
    return length;
}

static void check_same_parts(const fu_kernel *kernel, const fu_scheme_table *table, const uint8_t *a, size_t a_n,
                             const uint8_t *b, size_t b_n) {
    const uint32_t parts = FU_HAS_SCHEME | FU_HAS_NETLOC | FU_HAS_QUERY | FU_HAS_FRAGMENT;
    fu_spans one, two;
    kernel->split(table, a, a_n, FU_FORM_URL, 1, &one);
    kernel->split(table, b, b_n, FU_FORM_URL, 1, &two);
    FUZZ_CHECK((one.flags & parts) == (two.flags & parts) && one.scheme == two.scheme);
    FUZZ_CHECK(!fu_violations_of(kernel, table, a, &one) == !fu_violations_of(kernel, table, b, &two));
}

FUZZ_TARGET {
    static fuzz_area first_area, again_area, key_area, other_area;
    const fu_scheme_table *table = runtime->schemes;
    const fu_kernel *kernel = runtime->kernels[in.one % runtime->count];
    uint8_t *space = fuzz_at_end(&first_area, in.n);
    const size_t n = normal(runtime->kernels[0], table, in.p, in.n, space);
    /* Move it to the end of its memory, so that the guard page protects the next reads. */
    uint8_t *form = fuzz_at_end(&first_area, n);
    memmove(form, space, n);
    uint8_t *again = fuzz_at_end(&again_area, in.n);
    FUZZ_CHECK(normal(kernel, table, in.p, in.n, again) == n && (n == 0 || memcmp(again, form, n) == 0));
    again = fuzz_at_end(&again_area, n);
    FUZZ_CHECK(normal(kernel, table, form, n, again) == n && (n == 0 || memcmp(again, form, n) == 0));
    check_same_parts(kernel, table, in.p, in.n, form, n);
    uint8_t *key = fuzz_at_end(&key_area, in.n), *other = fuzz_at_end(&other_area, n);
    const fu_key of_text = fu_write_key(runtime->kernels[0], table, in.p, in.n, key);
    const fu_key of_form = fu_write_key(kernel, table, form, n, other);
    FUZZ_CHECK(of_text.url <= of_text.count && of_text.count <= in.n);
    FUZZ_CHECK(fu_same_keys(&of_text, key, &of_form, other));
}
