/* State that all extensions share at run time: the kernel in use and the table of schemes. */
#ifndef FASTURL_RUNTIME_H
#define FASTURL_RUNTIME_H

#include "kernel.h"

#define FU_KERNELS_MAX 4

typedef struct {
    const fu_kernel *kernel;                  /* the kernel in use */
    fu_scheme_table *schemes;                 /* a registered scheme is known to all extensions */
    const fu_kernel *kernels[FU_KERNELS_MAX]; /* the kernels that this processor runs, the widest last */
    size_t count;
    unsigned forks; /* number of forks between the process that imported fasturl and this one */
} fu_runtime;

/* Select the widest kernel that the processor runs, and register RFC 1738's schemes. Later calls in a process return the same
 * runtime. */
fu_runtime *fu_start_runtime(void);

/* Switch to the kernel `name`. Return 0 if there is no such kernel or this processor does not run it. */
int fu_use_kernel(fu_runtime *runtime, const char *name);

#endif
