/* The kernel for x86-64 processors with AVX2. It reads escapes 16 bytes at a time, because most texts are short. */
#include "compiler.h"

#ifdef FU_HAVE_AVX
#include <immintrin.h>
#include <string.h>
FU_START_TARGET("avx2,bmi,bmi2,lzcnt,popcnt")

#include "split/masks_avx2.h"

#include "vector_sse2.h"

#include "split/byte_bits_vector.h"

#include "escapes/quote_vector.h"

#define FU_KERNEL avx2
#include "kernel_body.h"
FU_END_TARGET
#endif
