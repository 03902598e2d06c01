/* A question to the compiler: what types are that their names do not tell. */
#ifndef ISLE_OPENCL_QUESTION_H
#define ISLE_OPENCL_QUESTION_H

#include "origin.h"

#define QUESTION_TYPES 256u
#define QUESTION_TYPE 64u

struct answer {
    uint32_t bytes, plain; /* 0, or 1 + the number of a plain type */
};

struct question {
    char types[QUESTION_TYPES][QUESTION_TYPE];
    struct answer answers[QUESTION_TYPES];
    uint32_t count;
};

/* Where a type is in the question; `count` where it is not. */
uint32_t question_find(const struct question *q, const char *type);
/* Once each, of less than QUESTION_TYPE characters; those that there is no room for are not asked about. */
void question_add(struct question *q, const char *type);
/* Asks behind that file; false when there is no answer: one type that the compiler does not know is enough. That is kept on disk, too. */
bool question_ask(struct device *d, struct origin *o, uint32_t file, struct question *q);

#endif
