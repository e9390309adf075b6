/* Loaded before the C library: of the allocations that the watched code itself makes, one fails, or all from one on. It also counts
 * what that code holds. Python's own allocations, and pyarrow's, are none of them: they come from other addresses. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static struct {
    uintptr_t start, end;
} watched[64];
static int watches;
static long left = -1, asked, held;
static int goes_on;

void fail_watch(uintptr_t start, uintptr_t end) {
    if (watches == 64) return;
    watched[watches].start = start;
    watched[watches++].end = end;
}

/* Let the allocation fail that comes after so many others, and with `from_there_on` all that follow; -1: none. */
void fail_after(long count, int from_there_on) {
    left = count;
    goes_on = from_there_on;
    asked = 0;
}

long fail_asked(void) { return asked; } /* allocations since */
long fail_held(void) { return held; }

static int is_watched(const void *caller) {
    for (int i = 0; i < watches; i++)
        if ((uintptr_t)caller >= watched[i].start && (uintptr_t)caller < watched[i].end) return 1;
    return 0;
}

static int fails(const void *caller) {
    if (!watches || !is_watched(caller)) return 0;
    asked++;
    if (left < 0) return 0;
    if (left > 0) {
        left--;
        return 0;
    }
    if (!goes_on) left = -1;
    errno = ENOMEM;
    return 1;
}

static void *counted(void *made, const void *caller) {
    if (made != NULL && watches && is_watched(caller)) held++;
    return made;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size) { return fails(CALLER) ? NULL : counted(__libc_malloc(size), CALLER); }

void *calloc(size_t count, size_t size) { return fails(CALLER) ? NULL : counted(__libc_calloc(count, size), CALLER); }

void *realloc(void *held_before, size_t size) {
    if (fails(CALLER)) return NULL;
    void *made = __libc_realloc(held_before, size);
    return held_before == NULL ? counted(made, CALLER) : made;
}

int posix_memalign(void **made, size_t alignment, size_t size) {
    if (fails(CALLER)) return ENOMEM;
    *made = counted(__libc_memalign(alignment, size), CALLER);
    return *made == NULL ? ENOMEM : 0;
}

void free(void *given) {
    if (given != NULL && watches && is_watched(CALLER)) held--;
    __libc_free(given);
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    if (fails(CALLER)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}

void *mmap64(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    if (fails(CALLER)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}
