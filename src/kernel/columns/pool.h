/* A pool of large buffers for the columns of a batch. A released buffer is kept for the next batch.
 *
 * A batch of 64k rows fills about ten megabytes. Fresh memory from the system causes page faults, which take longer than the
 * parse. The pages of a pooled buffer are already mapped. Sizes are rounded up to powers of two. Large buffers come from mmap,
 * not from the heap: small allocations of other threads would fragment the heap, and it would grow in a long run. */
#ifndef FASTURL_POOL_H
#define FASTURL_POOL_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(_WIN32)
#include <malloc.h>
#else
#include <sys/mman.h>
#endif

#if defined(__GNUC__) || defined(__clang__)
#define FU_LOCK(lock) \
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)) {}
#define FU_UNLOCK(lock) __atomic_store_n(lock, 0, __ATOMIC_RELEASE)
#else
#include <intrin.h>
#define FU_LOCK(lock) \
    while (_InterlockedExchange((volatile long *)(lock), 1)) {}
#define FU_UNLOCK(lock) _InterlockedExchange((volatile long *)(lock), 0)
#endif

#define FU_POOL_PAGE ((size_t)1 << 21) /* the huge page size of x86-64 and of most AArch64 systems */
#define FU_POOL_MAPPED_FROM ((size_t)1 << 18)
#define FU_POOL_COUNT_MAX 256
#define FU_POOL_BUFFER_MAX ((size_t)1 << 25) /* larger buffers are freed on release */
#define FU_POOL_BYTES_MAX ((size_t)1 << 28) /* the bytes that the pool keeps at most */
#if defined(_WIN32) || defined(__SANITIZE_ADDRESS__) || !defined(MAP_ANONYMOUS)
#define FU_POOL_IS_MAPPED 0 /* AddressSanitizer checks the bounds of heap memory, but not of mapped memory */
#else
#define FU_POOL_IS_MAPPED 1
#endif

typedef struct {
    void *start;
    size_t size;
} fu_pooled_buffer;

static fu_pooled_buffer fu_pooled_buffers[FU_POOL_COUNT_MAX];
static int fu_pool_kept = 0;
static size_t fu_pool_kept_bytes = 0;
static long fu_pool_lock = 0;

/* Reset the lock in the child of a fork. If another thread held the lock, that thread does not exist in the child, and the pool
 * may be inconsistent. Then the child drops the pooled buffers. */
static inline void fu_pool_after_fork(void) {
    if (fu_pool_lock) fu_pool_kept = 0, fu_pool_kept_bytes = 0;
    fu_pool_lock = 0;
}

static inline size_t fu_pool_size(size_t size) {
    size_t rounded = 4096;
    while (rounded < size && rounded < FU_POOL_BUFFER_MAX) rounded *= 2;
    if (rounded < size) rounded = (size + FU_POOL_PAGE - 1) / FU_POOL_PAGE * FU_POOL_PAGE;
    return rounded;
}

#if FU_POOL_IS_MAPPED
static inline void *fu_pool_map(size_t size) {
    const size_t edge = size >= FU_POOL_PAGE ? FU_POOL_PAGE : 0;
    uint8_t *start = (uint8_t *)mmap(NULL, size + edge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == (uint8_t *)MAP_FAILED) return NULL;
    if (edge) { /* align to a huge page and unmap the rest */
        const size_t before = (FU_POOL_PAGE - (uintptr_t)start % FU_POOL_PAGE) % FU_POOL_PAGE;
        if (before) (void)munmap(start, before);
        if (edge - before) (void)munmap(start + before + size, edge - before);
        start += before;
#if defined(MADV_HUGEPAGE)
        (void)madvise(start, size, MADV_HUGEPAGE);
#endif
    }
    return start;
}
#endif

static inline void *fu_pool_new(size_t size) {
#if FU_POOL_IS_MAPPED
    if (size >= FU_POOL_MAPPED_FROM) return fu_pool_map(size);
#endif
#if defined(_WIN32)
    return _aligned_malloc(size, 64);
#else
    void *start = NULL;
    return posix_memalign(&start, 64, size) == 0 ? start : NULL;
#endif
}

static inline void fu_pool_free(void *start, size_t size) {
#if FU_POOL_IS_MAPPED
    if (size >= FU_POOL_MAPPED_FROM) {
        (void)munmap(start, size);
        return;
    }
#endif
    (void)size;
#if defined(_WIN32)
    _aligned_free(start);
#else
    free(start);
#endif
}

/* Return at least `size` bytes, not zeroed and aligned to 64 bytes, or NULL if memory runs out. */
static inline void *fu_pool_acquire(size_t size) {
    if (size > SIZE_MAX - FU_POOL_PAGE) return NULL;
    void *start = NULL;
    size = fu_pool_size(size);
    FU_LOCK(&fu_pool_lock);
    for (int i = fu_pool_kept - 1; i >= 0; i--)
        if (fu_pooled_buffers[i].size == size) {
            start = fu_pooled_buffers[i].start;
            fu_pooled_buffers[i] = fu_pooled_buffers[--fu_pool_kept];
            fu_pool_kept_bytes -= size;
            break;
        }
    FU_UNLOCK(&fu_pool_lock);
    return start != NULL ? start : fu_pool_new(size);
}

/* Remove and return the buffer that has been in the pool longest. The caller holds the lock. */
static inline fu_pooled_buffer fu_pool_oldest(void) {
    fu_pooled_buffer oldest = fu_pooled_buffers[0];
    for (int i = 1; i < fu_pool_kept; i++) fu_pooled_buffers[i - 1] = fu_pooled_buffers[i];
    fu_pool_kept--;
    fu_pool_kept_bytes -= oldest.size;
    return oldest;
}

/* Release a buffer that fu_pool_acquire returned for this size. A full pool frees its oldest buffers first. */
static inline void fu_pool_release(void *start, size_t size) {
    size = fu_pool_size(size);
    if (size > FU_POOL_BUFFER_MAX) {
        fu_pool_free(start, size);
        return;
    }
    for (;;) {
        fu_pooled_buffer leaves = {NULL, 0};
        FU_LOCK(&fu_pool_lock);
        if (fu_pool_kept == FU_POOL_COUNT_MAX || fu_pool_kept_bytes + size > FU_POOL_BYTES_MAX) {
            leaves = fu_pool_oldest();
        } else {
            fu_pooled_buffers[fu_pool_kept].start = start;
            fu_pooled_buffers[fu_pool_kept++].size = size;
            fu_pool_kept_bytes += size;
        }
        FU_UNLOCK(&fu_pool_lock);
        if (leaves.start == NULL) return;
        fu_pool_free(leaves.start, leaves.size);
    }
}

#endif
