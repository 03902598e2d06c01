#define _GNU_SOURCE
#include "request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void fail(const char *what)
{
    fprintf(stderr, "isle: %s: %s\n", what, strerror(errno));
    exit(1);
}

void request_add(struct request *request, const char *key, const char *value)
{
    size_t size = strlen(key) + 1 + strlen(value) + 1;
    if (size > MAX_REQUEST - request->length) {
        fputs("isle: the command is longer than 1 MiB\n", stderr);
        exit(2);
    }
    snprintf(request->text + request->length, size, "%s=%s", key, value);
    request->length += (uint32_t)size;
}

/* The caller's own descriptors, as another process can open them. */
static void add_word(struct request *request, const char *word, int is_setting)
{
    const char *equals = is_setting ? strchr(word, '=') : NULL;
    const char *value = equals == NULL ? word : equals + 1;
    char path[4096];
    const char *descriptor = NULL;

    if ((equals != NULL && strcmp(value, "-") == 0) || strcmp(value, "/dev/stdin") == 0) {
        descriptor = "0";
    } else if (strcmp(value, "/dev/stdout") == 0) {
        descriptor = "1";
    } else if (strncmp(value, "/dev/fd/", 8) == 0) {
        descriptor = value + 8;
    } else if (strncmp(value, "/proc/self/fd/", 14) == 0) {
        descriptor = value + 14;
    }
    if (descriptor == NULL) {
        request_add(request, "word", word);
        return;
    }
    if (snprintf(path, sizeof path, "%.*s/proc/%ld/fd/%s", (int)(value - word), word,
                 (long)getpid(), descriptor) >= (int)sizeof path) {
        fputs("isle: a word that names a descriptor is longer than 4 KiB\n", stderr);
        exit(2);
    }
    request_add(request, "word", path);
}

void request_add_surroundings(struct request *request)
{
    struct winsize size;
    char columns[16];
    char *cwd = getcwd(NULL, 0);

    if (cwd == NULL) {
        fail("the working directory cannot be read");
    }
    request_add(request, "cwd", cwd);
    free(cwd);
    request_add(request, "tty", isatty(STDOUT_FILENO) ? "1" : "0");
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        snprintf(columns, sizeof columns, "%u", (unsigned)size.ws_col);
        request_add(request, "columns", columns);
    }
}

void request_add_words(struct request *request, char **words)
{
    int is_setting = 0;
    for (; *words != NULL; words++) {
        add_word(request, *words, is_setting);
        is_setting = strcmp(*words, "--set") == 0;
    }
}
