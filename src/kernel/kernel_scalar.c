/* The kernel without vector instructions: built for every processor, and the one that the others are tested against. */
#include "split/masks_scalar.h"

#include "percent/escapes_scalar.h"

#define FU_KERNEL scalar
#include "kernel_body.h"
