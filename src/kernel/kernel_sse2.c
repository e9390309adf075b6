/* The kernel for every x86-64 processor. */
#include "compiler.h"

#ifdef FU_HAVE_SSE2
#include "split/masks_sse2.h"

#include "escapes/quote_vector.h"

#define FU_KERNEL sse2
#include "kernel_body.h"
#endif
