/* Shared by tests of programs of several files: the message that brings them. */
#ifndef ISLE_SOURCE_FILES_H
#define ISLE_SOURCE_FILES_H

#include "harness.h"

struct text_file {
    const char *name, *text;
};

/* Table, names and texts as the wire has them; how many bytes. */
uint32_t files_write(uint8_t *to, const struct text_file *files, uint32_t count);
/* A message with these files, the first `compiled` of them to be compiled. */
int files_load(struct core *core, uint64_t context, uint64_t program, const char *options, const struct text_file *files, uint32_t compiled,
               uint32_t count);
/* What the last load had to say. */
const char *files_log(const struct core *core);

#endif
