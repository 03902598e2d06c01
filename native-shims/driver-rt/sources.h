/* Programs of several files, as they come over. */
#ifndef ISLE_RT_SOURCES_H
#define ISLE_RT_SOURCES_H

#include "control.h"

struct sources {
    isle_source_file files[ISLE_SOURCE_FILES]; /* those to be compiled first; texts stay where the core put them */
    char names[ISLE_SOURCE_FILES][ISLE_FILE_NAME + 1];
    char options[ISLE_OPTIONS_MAX + 1];
};

/* -EINVAL or -EMSGSIZE when a number, a length, a name or a text is not as the ABI wants it. */
IoResultCode sources_find(const struct call *c, const isle_files_request *q, struct sources *out);

#endif
