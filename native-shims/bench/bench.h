#ifndef ISLE_BENCH_H
#define ISLE_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "isle_wire.h"

#define BENCH_INFLIGHT 1024u

struct bench {
    bool (*submit)(struct bench *b, uint32_t index); /* false: full, try again */
    bool (*take)(struct bench *b);                   /* one completion, if there is one */
    void (*close)(struct bench *b);
};

struct bench *bench_raw(const char *library);
struct bench *bench_rt(const char *library);
void bench_check(const char *what, int rc); /* ends the program when rc is negative */
/* Writes an envelope with one no-op dispatch; returns its length. */
uint32_t bench_noop(uint8_t *to, uint64_t program, uint64_t tag);

#endif
