/* Rooms: large pieces of memory for the columns of a batch, kept for the next one when they are given back.
 *
 * A batch of 64k rows fills some ten megabytes. Taken from the system each time, their page faults cost more than the
 * parse; a room given back is handed out again with its pages in place. Sizes are rounded up to powers of two, of which
 * some are kept; the rest goes back to the system. Large rooms are mapped, not taken from the heap: between the many small
 * things that other threads keep there, the heap of a long run would grow by what no longer fits. */
#ifndef FASTURL_ROOMS_H
#define FASTURL_ROOMS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(_WIN32)
#include <malloc.h>
#else
#include <sys/mman.h>
#endif

#if defined(__GNUC__) || defined(__clang__)
#define FU_LOCK(lock) while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)) {}
#define FU_UNLOCK(lock) __atomic_store_n(lock, 0, __ATOMIC_RELEASE)
#else
#include <intrin.h>
#define FU_LOCK(lock) while (_InterlockedExchange((volatile long *)(lock), 1)) {}
#define FU_UNLOCK(lock) _InterlockedExchange((volatile long *)(lock), 0)
#endif

#define FU_ROOM_PAGE ((size_t)1 << 21) /* a huge page of x86-64 and most of AArch64 */
#define FU_ROOM_MAPPED ((size_t)1 << 18)
#define FU_ROOMS_KEPT 256
#define FU_ROOM_KEPT_MAX ((size_t)1 << 25) /* no larger one is kept */
#define FU_ROOMS_KEPT_MAX ((size_t)1 << 28) /* and no more than that in all */
#if defined(_WIN32) || defined(__SANITIZE_ADDRESS__) || !defined(MAP_ANONYMOUS)
#define FU_ROOMS_ARE_MAPPED 0 /* a sanitizer watches the edges of what the heap gives, not of what is mapped */
#else
#define FU_ROOMS_ARE_MAPPED 1
#endif

typedef struct {
    void *start;
    size_t size;
} fu_kept_room;

static fu_kept_room fu_kept_rooms[FU_ROOMS_KEPT];
static int fu_rooms_kept = 0;
static size_t fu_rooms_kept_octets = 0;
static long fu_rooms_lock = 0;

static inline size_t fu_room_size(size_t size) {
    size_t rounded = 4096;
    while (rounded < size && rounded < FU_ROOM_KEPT_MAX) rounded *= 2;
    if (rounded < size) rounded = (size + FU_ROOM_PAGE - 1) / FU_ROOM_PAGE * FU_ROOM_PAGE;
    return rounded;
}

#if FU_ROOMS_ARE_MAPPED
static inline void *fu_room_map(size_t size) {
    const size_t edge = size >= FU_ROOM_PAGE ? FU_ROOM_PAGE : 0;
    uint8_t *start = (uint8_t *)mmap(NULL, size + edge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == (uint8_t *)MAP_FAILED) return NULL;
    if (edge) { /* aligned to a huge page, and what is beside it given back */
        const size_t before = (FU_ROOM_PAGE - (uintptr_t)start % FU_ROOM_PAGE) % FU_ROOM_PAGE;
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

static inline void *fu_room_new(size_t size) {
#if FU_ROOMS_ARE_MAPPED
    if (size >= FU_ROOM_MAPPED) return fu_room_map(size);
#endif
#if defined(_WIN32)
    return _aligned_malloc(size, 64);
#else
    void *start = NULL;
    return posix_memalign(&start, 64, size) == 0 ? start : NULL;
#endif
}

static inline void fu_room_free(void *start, size_t size) {
#if FU_ROOMS_ARE_MAPPED
    if (size >= FU_ROOM_MAPPED) {
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

/* Memory of at least `size` octets, not zeroed, aligned to 64; NULL without memory. */
static inline void *fu_room_take(size_t size) {
    if (size > SIZE_MAX - FU_ROOM_PAGE) return NULL;
    void *start = NULL;
    size = fu_room_size(size);
    FU_LOCK(&fu_rooms_lock);
    for (int i = fu_rooms_kept - 1; i >= 0; i--)
        if (fu_kept_rooms[i].size == size) {
            start = fu_kept_rooms[i].start;
            fu_kept_rooms[i] = fu_kept_rooms[--fu_rooms_kept];
            fu_rooms_kept_octets -= size;
            break;
        }
    FU_UNLOCK(&fu_rooms_lock);
    return start != NULL ? start : fu_room_new(size);
}

/* Take the room out that was kept longest, while the lock is held. */
static inline fu_kept_room fu_room_oldest(void) {
    fu_kept_room oldest = fu_kept_rooms[0];
    for (int i = 1; i < fu_rooms_kept; i++) fu_kept_rooms[i - 1] = fu_kept_rooms[i];
    fu_rooms_kept--;
    fu_rooms_kept_octets -= oldest.size;
    return oldest;
}

/* Give back what fu_room_take gave for this size. When too many are kept, those kept longest go. */
static inline void fu_room_give(void *start, size_t size) {
    size = fu_room_size(size);
    if (size > FU_ROOM_KEPT_MAX) {
        fu_room_free(start, size);
        return;
    }
    for (;;) {
        fu_kept_room leaves = {NULL, 0};
        FU_LOCK(&fu_rooms_lock);
        if (fu_rooms_kept == FU_ROOMS_KEPT || fu_rooms_kept_octets + size > FU_ROOMS_KEPT_MAX) {
            leaves = fu_room_oldest();
        } else {
            fu_kept_rooms[fu_rooms_kept].start = start;
            fu_kept_rooms[fu_rooms_kept++].size = size;
            fu_rooms_kept_octets += size;
        }
        FU_UNLOCK(&fu_rooms_lock);
        if (leaves.start == NULL) return;
        fu_room_free(leaves.start, leaves.size);
    }
}

#endif
