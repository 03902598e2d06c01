/*
 * Whether a kernel's results may depend on its work-group size, told from its source. It may say so in vain, but misses no use: all branches
 * of conditionals count, a name may be any of what has it, and text that cannot be followed counts as a use.
 */
#ifndef ISLE_OPENCL_SCAN_H
#define ISLE_OPENCL_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan_text {
    const char *name; /* of the file, from the root of all names on; NULL: none */
    const uint8_t *bytes;
    size_t length;
};

struct scan;

/* Reads the texts of a program, at most 64, and its build options; the result needs neither any more. NULL without memory. */
struct scan *scan_read(const struct scan_text *texts, uint32_t count, const char *options);
/* Whether the kernel may depend on it; if so, what says so, for people: "get_local_id in function sum, line 12". */
bool scan_kernel(struct scan *s, const char *kernel, char *found, size_t size);
/* A bit for each text that may define the kernel; 0: not known. */
uint64_t scan_texts_of(struct scan *s, const char *kernel);
/* Lines "FILE:LINE: ..." about functions that no linker finds, or finds twice, where the first texts are compiled; "": there are none, or the
 * texts cannot be followed. All texts have names. */
void scan_links(const struct scan *s, uint32_t compiled, char *out, size_t size);
void scan_free(struct scan *s);

#endif
