/* The kernel for x86-64 processors with AVX-512 and its byte instructions (BW, VBMI and VBMI2). */
#include "compiler.h"

#ifdef FU_HAVE_AVX
#include <immintrin.h>
#include <string.h>
FU_START_TARGET("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,lzcnt,popcnt")

#include "split/masks_avx512.h"

#include "vector_sse2.h"

#include "escapes/quote_avx512.h"
#include "validate/escapes_avx512.h"
#include "functions/normalize_avx512.h"

#define FU_MASKED_VIEWS 1
#define FU_KERNEL avx512
#include "kernel_body.h"
FU_END_TARGET
#endif
