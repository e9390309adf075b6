/* Rooms: large pieces of memory for the columns of a batch, kept for the next one when they are given back.
 *
 * A batch of 64k rows fills some ten megabytes. Taken from the system each time, their page faults cost more than the
 * parse; a room given back is handed out again with its pages in place. Sizes are rounded up to powers of two, of which
 * a few are kept; the rest goes back to the system. */
#ifndef FASTURL_ROOMS_H
#define FASTURL_ROOMS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(_WIN32)
#include <malloc.h>
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
#define FU_ROOMS_KEPT 8
#define FU_ROOM_KEPT_MAX ((size_t)1 << 25) /* no larger one is kept: eight of them make 256 MiB at the most */

typedef struct {
    void *start;
    size_t size;
} fu_kept_room;

static fu_kept_room fu_kept_rooms[FU_ROOMS_KEPT];
static int fu_rooms_kept = 0;
static long fu_rooms_lock = 0;

static inline size_t fu_room_size(size_t size) {
    size_t rounded = 4096;
    while (rounded < size && rounded < FU_ROOM_KEPT_MAX) rounded *= 2;
    if (rounded < size) rounded = (size + FU_ROOM_PAGE - 1) / FU_ROOM_PAGE * FU_ROOM_PAGE;
    return rounded;
}

static inline void *fu_room_new(size_t size) {
#if defined(_WIN32)
    return _aligned_malloc(size, 64);
#else
    void *start = NULL;
    if (posix_memalign(&start, size >= FU_ROOM_PAGE ? FU_ROOM_PAGE : 64, size) != 0) return NULL;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (size >= FU_ROOM_PAGE) (void)madvise(start, size, MADV_HUGEPAGE);
#endif
    return start;
#endif
}

static inline void fu_room_free(void *start) {
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
            break;
        }
    FU_UNLOCK(&fu_rooms_lock);
    return start != NULL ? start : fu_room_new(size);
}

/* Give back what fu_room_take gave for this size. When too many are kept, the one kept longest goes. */
static inline void fu_room_give(void *start, size_t size) {
    void *leaves = start;
    size = fu_room_size(size);
    if (size <= FU_ROOM_KEPT_MAX) {
        FU_LOCK(&fu_rooms_lock);
        leaves = NULL;
        if (fu_rooms_kept == FU_ROOMS_KEPT) {
            leaves = fu_kept_rooms[0].start;
            for (int i = 1; i < FU_ROOMS_KEPT; i++) fu_kept_rooms[i - 1] = fu_kept_rooms[i];
            fu_rooms_kept--;
        }
        fu_kept_rooms[fu_rooms_kept].start = start;
        fu_kept_rooms[fu_rooms_kept++].size = size;
        FU_UNLOCK(&fu_rooms_lock);
    }
    if (leaves != NULL) fu_room_free(leaves);
}

#endif
