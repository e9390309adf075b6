/* Run a target once per kept input, without libFuzzer. Any C compiler builds it. The arguments are folders and files. */
#include <dirent.h>

#include "common.h"

static size_t files;

static void replay_file(const char *path) {
    static uint8_t data[FUZZ_OPTIONS + FUZZ_TEXT_MAX + 1];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    const size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    fprintf(stderr, "%s\r", path); /* the last path printed is the input that failed */
    uint8_t *exact = (uint8_t *)malloc(size ? size : 1);
    FUZZ_CHECK(exact != NULL);
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    files++;
}

int main(int count, char **arguments) {
    for (int i = 1; i < count; i++) {
        DIR *folder = opendir(arguments[i]);
        if (folder == NULL) {
            replay_file(arguments[i]);
            continue;
        }
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            char path[4096];
            if (entry->d_name[0] == '.') continue;
            snprintf(path, sizeof path, "%s/%s", arguments[i], entry->d_name);
            replay_file(path);
        }
        closedir(folder);
    }
    printf("%zu inputs, on", files);
    for (size_t k = 0; k < fuzz_runtime()->count; k++) printf(" %s", fuzz_runtime()->kernels[k]->name);
    printf("\n");
    return files ? 0 : 2;
}
