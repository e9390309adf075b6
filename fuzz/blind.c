/* The same mutations without libFuzzer: inputs are made of kept ones and no coverage is asked for, so that nothing is run but the
 * mutation and the target. Many more inputs in the same time, each less well chosen.
 *
 *     blind RUNS SECONDS MAX_LEN ARTIFACT FOLDER...     the input that failed is written to the file ARTIFACT */
#include <dirent.h>
#include <signal.h>
#include <time.h>

#include "common.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size, uint8_t *out,
                                 size_t max_size, unsigned seed);

#define KEPT_MAX 8192

static struct {
    uint8_t *octets;
    size_t size;
} kept[KEPT_MAX];
static size_t count;
static uint8_t input[FUZZ_OPTIONS + FUZZ_TEXT_MAX];
static size_t input_size;
static const char *artifact;
static uint64_t state;

static uint32_t random_below(uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return n ? (uint32_t)((state >> 32) * n >> 32) : 0;
}

/* Octet by octet, where the mutator leaves it to libFuzzer. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) {
    for (uint32_t times = 1 + random_below(4); times; times--) {
        const size_t at = random_below((uint32_t)size + 1), length = random_below(9);
        switch (random_below(5)) {
        case 0:
            if (at < size) data[at] ^= (uint8_t)(1u << random_below(8));
            break;
        case 1:
            if (at < size) data[at] = (uint8_t)random_below(random_below(2) ? 128 : 256);
            break;
        case 2: /* some go */
            if (at + length > size) break;
            memmove(data + at, data + at + length, size - at - length);
            size -= length;
            break;
        case 3: /* some come */
            if (size + length > max_size) break;
            memmove(data + at + length, data + at, size - at);
            for (size_t i = 0; i < length; i++) data[at + i] = (uint8_t)random_below(128);
            size += length;
            break;
        default: /* some come twice */
            if (at + length > size || size + length > max_size) break;
            memmove(data + at + length, data + at, size - at);
            size += length;
        }
    }
    return size;
}

static void keep_folder(const char *name) {
    DIR *folder = opendir(name);
    FUZZ_CHECK(folder != NULL);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL && count < KEPT_MAX;) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        FILE *file = entry->d_name[0] == '.' ? NULL : fopen(path, "rb");
        if (file == NULL) continue;
        const size_t size = fread(input, 1, sizeof input, file);
        fclose(file);
        kept[count].octets = (uint8_t *)malloc(size + 1);
        FUZZ_CHECK(kept[count].octets != NULL);
        memcpy(kept[count].octets, input, size);
        kept[count++].size = size;
    }
    closedir(folder);
}

static void failed(int number) {
    FILE *file = fopen(artifact, "wb");
    if (file != NULL) {
        fwrite(input, 1, input_size, file);
        fclose(file);
    }
    signal(number, SIG_DFL);
    raise(number);
}

int main(int argument_count, char **arguments) {
    FUZZ_CHECK(argument_count > 5);
    const uint64_t runs = strtoull(arguments[1], NULL, 10);
    const time_t seconds = (time_t)strtoll(arguments[2], NULL, 10), began = time(NULL);
    const size_t given = (size_t)strtoull(arguments[3], NULL, 10), most = given < sizeof input ? given : sizeof input;
    artifact = arguments[4];
    for (int i = 5; i < argument_count; i++) keep_folder(arguments[i]);
    FUZZ_CHECK(count > 0);
    state = (uint64_t)began * 0x9E3779B97F4A7C15u ^ (uint64_t)getpid();
    for (int number = 1; number < 32; number++)
        if (number == SIGABRT || number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE)
            signal(number, failed);
    uint64_t run = 0;
    for (; runs == 0 || run < runs; run++) {
        if ((run & 0xffff) == 0 && seconds && time(NULL) - began >= seconds) break;
        const size_t chosen = random_below((uint32_t)count);
        input_size = kept[chosen].size < most ? kept[chosen].size : most;
        memcpy(input, kept[chosen].octets, input_size);
        if (random_below(8) == 0) {
            const size_t other = random_below((uint32_t)count);
            const size_t made = LLVMFuzzerCustomCrossOver(kept[chosen].octets, input_size, kept[other].octets,
                                                          kept[other].size, input, most, random_below(UINT32_MAX));
            if (made) input_size = made;
        }
        for (uint32_t times = 1 + random_below(3); times; times--)
            input_size = LLVMFuzzerCustomMutator(input, input_size, most, random_below(UINT32_MAX));
        LLVMFuzzerTestOneInput(input, input_size);
    }
    printf("stat::number_of_executed_units: %llu\n", (unsigned long long)run);
    return 0;
}
