/*
 * libFuzzer against the scanner of OpenCL sources: an input is build options, a NUL, and a source, or several that a NUL parts. Whatever it
 * says, it is read without harm, the same question has the same answer, and what is found stands in the input.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../opencl/scan.h"

#define MOST_TEXTS 5

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *nul = memchr(data, 0, size);
    size_t n = nul ? (size_t)(nul - data) : 0;
    char found[64], *options = strndup((const char *)data, n);
    static const char *const names[MOST_TEXTS] = {"m.cl", "a", "b.h", "d/a", "d/e/b.h"};
    struct scan_text texts[MOST_TEXTS];
    uint32_t count = 0;
    const uint8_t *at = nul ? nul + 1 : data, *end = data + size;
    const bool several = memchr(at, 0, (size_t)(end - at));
    while (count < MOST_TEXTS) {
        const uint8_t *next = count + 1 < MOST_TEXTS ? memchr(at, 0, (size_t)(end - at)) : NULL;
        texts[count] = (struct scan_text){.name = several ? names[count] : NULL, .bytes = at, .length = (size_t)((next ? next : end) - at)};
        count++;
        if (!next)
            break;
        at = next + 1;
    }
    struct scan *s = options ? scan_read(texts, count, options) : NULL;
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
    if (scan_texts_of(s, "k") >> count)
        abort();
    char links[64];
    if (several)
        scan_links(s, count, links, sizeof links);
    scan_free(s);
    free(options);
    return 0;
}
