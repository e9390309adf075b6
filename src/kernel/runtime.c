#include "runtime.h"

#include <string.h>

#include "split/invariants.h"

#ifndef FASTURL_KERNEL_BUILD
#define FASTURL_KERNEL_BUILD ""
#endif

const char fu_kernel_build[] = FASTURL_KERNEL_BUILD;
int fu_texts_may_change = 0;
static fu_scheme_table fu_schemes;
static fu_runtime fu_the_runtime;

static void fu_add_kernel(const fu_kernel *kernel) { fu_the_runtime.kernels[fu_the_runtime.count++] = kernel; }

fu_runtime *fu_start_runtime(void) {
    fu_runtime *runtime = &fu_the_runtime;
    if (runtime->count) return runtime;
    fu_add_kernel(&fu_kernel_scalar);
#ifdef FU_HAVE_NEON
    fu_add_kernel(&fu_kernel_neon);
#endif
#ifdef FU_HAVE_SSE2
    fu_add_kernel(&fu_kernel_sse2);
#endif
#ifdef FU_HAVE_AVX
    __builtin_cpu_init();
    int bits = __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    int avx2 = bits && __builtin_cpu_supports("avx2");
    if (avx2) fu_add_kernel(&fu_kernel_avx2);
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2"))
        fu_add_kernel(&fu_kernel_avx512);
#endif
    runtime->kernel = runtime->kernels[runtime->count - 1];
    runtime->schemes = &fu_schemes;
    fu_register_builtin_schemes(&fu_schemes);
    return runtime;
}

int fu_use_kernel(fu_runtime *runtime, const char *name) {
    for (size_t i = 0; i < runtime->count; i++)
        if (strcmp(runtime->kernels[i]->name, name) == 0) {
            runtime->kernel = runtime->kernels[i];
            return 1;
        }
    return 0;
}
