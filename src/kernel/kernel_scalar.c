/* The kernel without vector instructions. It is built for every processor, and the other kernels are tested against it. */
#include "split/masks_scalar.h"

#include "escapes/escapes_scalar.h"

#define FU_KERNEL scalar
#include "kernel_body.h"
