#include "runtime.h"

#include <string.h>

#include "split/invariants.h"
#ifdef FU_HAVE_AVX
#include <cpuid.h>
#endif

#ifndef FASTURL_KERNEL_BUILD
#define FASTURL_KERNEL_BUILD ""
#endif

const char fu_kernel_build[] = FASTURL_KERNEL_BUILD;
int fu_texts_may_change = 0;
static fu_scheme_table fu_schemes;
static fu_runtime fu_the_runtime;

static void fu_add_kernel(const fu_kernel *kernel) { fu_the_runtime.kernels[fu_the_runtime.count++] = kernel; }

#ifdef FU_HAVE_AVX
/* Return 2 if AVX2's kernel may run here, 3 if AVX-512's may too, otherwise 0. Not by __builtin_cpu_supports: zig's
 * runtime library answers no to every question. An unknown leaf of CPUID leaves its words 0. */
static int fu_avx_level(void) {
    unsigned eax, ebx, edx, ecx1 = 0, ecx81 = 0, ebx7 = 0, ecx7 = 0, saved = 0;
    const unsigned xsave_avx_popcnt = 1u << 27 | 1u << 28 | 1u << 23, lzcnt = 1u << 5,
                   bmi_avx2_bmi2 = 1u << 3 | 1u << 5 | 1u << 8;
    const unsigned f_bw_vl = 1u << 16 | 1u << 30 | 1u << 31, vbmi_vbmi2 = 1u << 1 | 1u << 6;
    __get_cpuid(1, &eax, &ebx, &ecx1, &edx);
    __get_cpuid(0x80000001u, &eax, &ebx, &ecx81, &edx);
    __get_cpuid_count(7, 0, &eax, &ebx7, &ecx7, &edx);
    /* The registers that the operating system saves: XMM and YMM are 0x06, AVX-512's are 0xE0. */
    if (ecx1 & 1u << 27) __asm__ volatile("xgetbv" : "=a"(saved), "=d"(edx) : "c"(0));
    int avx2 = ((ecx1 & xsave_avx_popcnt) == xsave_avx_popcnt) & ((ecx81 & lzcnt) == lzcnt) &
               ((ebx7 & bmi_avx2_bmi2) == bmi_avx2_bmi2) & ((saved & 0x06) == 0x06);
    int avx512 = avx2 & ((ebx7 & f_bw_vl) == f_bw_vl) & ((ecx7 & vbmi_vbmi2) == vbmi_vbmi2) & ((saved & 0xE0) == 0xE0);
    return avx2 * 2 + avx512;
}
#endif

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
    int level = fu_avx_level();
    if (level >= 2) fu_add_kernel(&fu_kernel_avx2);
    if (level >= 3) fu_add_kernel(&fu_kernel_avx512);
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
