/* The kernel for every aarch64 processor. */
#include "compiler.h"

#ifdef FU_HAVE_NEON
#include "split/masks_neon.h"

#include "escapes/quote_vector.h"

#define FU_KERNEL neon
#include "kernel_body.h"
#endif
