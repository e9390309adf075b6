/* State that all extensions share at run time: the kernel in use and the table of schemes. */
#ifndef FASTURL_RUNTIME_H
#define FASTURL_RUNTIME_H

#include "kernel.h"

#define FU_KERNELS_MAX 4

struct fu_function;
struct fu_suffixes;

/* Python's share of canonical, surt, host lists and domains, for programs that call them without the GIL. fasturl.engines.duckdb
 * provides it. */
typedef struct {
    const struct fu_function *canonical; /* with the schemes of Python's urllib */
    const struct fu_suffixes *suffixes; /* of the installed package publicsuffixlist; NULL without it */
    /* Compute the result for a text that the kernel alone cannot read. `kind` is an fu_function_kind. For FU_FUNCTION_KINDS, the text
     * is a host, and the answer is the host in lower case. For FU_GIVES_BLOCKS, the answer
     * is the text with its characters mapped, for FU_LIST_MAPPED. *answer is NULL for a null result; the caller frees it. Return 0 if
     * Python fails. */
    int (*answer)(int kind, const uint8_t *p, size_t n, uint8_t **answer, size_t *length);
} fu_python;

typedef struct {
    const fu_kernel *kernel; /* the kernel in use */
    fu_scheme_table *schemes; /* a registered scheme is known to all extensions */
    const fu_kernel *kernels[FU_KERNELS_MAX]; /* the kernels that this processor runs, the widest last */
    size_t count;
    const fu_python *python; /* NULL without Python */
    unsigned forks; /* number of forks between the process that imported fasturl and this one */
    /* Set *text to a URL object's text, borrowed. Return 1 and set `out` if a split of the text's bytes with `form` and
     * `any_first` gives the URL's spans. They have findings in place of masks. `out` may be NULL. NULL without Python. */
    int (*read_url)(void *url, fu_form form, int any_first, void **text, fu_spans *out);
} fu_runtime;

/* A hash of the kernel's sources. A library that was built from other sources must not call this runtime. */
extern FU_EXPORT const char fu_kernel_build[];

/* Select the widest kernel that the processor runs, and register RFC 1738's schemes. Later calls in a process return the same
 * runtime. */
FU_EXPORT fu_runtime *fu_start_runtime(void);

/* Switch to the kernel `name`. Return 0 if there is no such kernel or this processor does not run it. */
FU_EXPORT int fu_use_kernel(fu_runtime *runtime, const char *name);

#endif
