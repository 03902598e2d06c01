/*
 * libFuzzer against the scanner of OpenCL sources: an input is build options, a NUL, and a source. Whatever it says, it is read without harm,
 * the same question has the same answer, and what is found stands in the input.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../opencl/scan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *nul = memchr(data, 0, size);
    size_t n = nul ? (size_t)(nul - data) : 0;
    char found[64], *options = strndup((const char *)data, n);
    const struct scan_text text = {.bytes = nul ? nul + 1 : data, .length = nul ? size - n - 1 : size};
    struct scan *s = options ? scan_read(&text, 1, options) : NULL;
    if (!s)
        abort();
    *found = 0;
    for (int round = 0; round < 2; round++) /* the second answer is the first one */
        if (scan_kernel(s, "k", found, sizeof found) != (*found != 0))
            abort();
    if (strnlen(found, sizeof found) == sizeof found)
        abort();
    if (!strncmp(found, "barrier in ", 11) && !memmem(data, size, "barrier", 7) && !memmem(data, size, "\\", 1))
        abort();
    scan_free(s);
    free(options);
    return 0;
}
