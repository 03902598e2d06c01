/* Where a program comes from. */
#ifndef ISLE_OPENCL_ORIGIN_H
#define ISLE_OPENCL_ORIGIN_H

#include "opencl.h"

struct link;

struct origin {
    struct context *context;
    uint32_t kind;
    const isle_source_file *files; /* to be compiled; a program of one source has one file, whose name is NULL */
    uint32_t file_count;
    const isle_source_file *headers;
    uint32_t header_count;
    const char *options;
    struct link *link; /* what its files are compiled to, as soon as they are */
};

/* Text behind one of the files. */
struct appendix {
    uint32_t file;
    const char *text;
    size_t length;
};

static inline bool origin_has_names(const struct origin *o)
{
    return o->files[0].name != NULL;
}

struct scan;

/* All texts, read; NULL without memory, and for what is no text. */
struct scan *origin_scan(const struct origin *o);
/* Takes off the prefix that a library's header gives to what is called like one of its functions, unless the texts have that very name. */
void origin_own_name(const struct origin *o, char *name);
/* Of all texts and names; `behind` may be NULL. */
void origin_digest(const struct origin *o, const struct appendix *behind, uint8_t digest[32]);

#endif
