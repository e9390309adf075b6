/* What all extensions share at run time: the kernel in use and the table of schemes. */
#ifndef FASTURL_RUNTIME_H
#define FASTURL_RUNTIME_H

#include "kernel.h"

#define FU_KERNELS_MAX 4

typedef struct {
    const fu_kernel *kernel;                  /* what every text is read with */
    fu_scheme_table *schemes;                 /* a scheme registered once is known to all */
    const fu_kernel *kernels[FU_KERNELS_MAX]; /* those that this processor runs, the widest last */
    size_t count;
} fu_runtime;

/* Find the processor's level, take the widest kernel that it runs, and register RFC 1738's schemes: once in a process. */
fu_runtime *fu_start_runtime(void);

/* Read all texts that follow with the kernel of that name; 0 when there is none or it does not run here. */
int fu_use_kernel(fu_runtime *runtime, const char *name);

#endif
