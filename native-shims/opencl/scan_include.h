/* What an #include names. */
#ifndef ISLE_OPENCL_SCAN_INCLUDE_H
#define ISLE_OPENCL_SCAN_INCLUDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INCLUDE_PATH 512u
#define INCLUDE_FOLDERS 16u

/* Relative folders of the options -I, in their order, as names of files begin with them: "" is the root. */
struct include_folders {
    uint32_t count;
    bool more; /* than there is room for */
    char at[INCLUDE_FOLDERS][INCLUDE_PATH];
};

void include_folders(const char *options, struct include_folders *out);
/* The path of `name` in the folder of the first `folder_length` bytes of `folder`, without "." and ".."; false: it leaves the root, or is
 * too long. */
bool include_path(const char *folder, size_t folder_length, const char *name, char out[INCLUDE_PATH]);

#endif
