/* SHA-256. */
#ifndef ISLE_SOFT_HASH_H
#define ISLE_SOFT_HASH_H

#include "work.h"

/* `dst`: 32 bytes for each block of `src`, the last of which may be short; in `room` bytes. */
int run_sha256(struct exec *x, const uint8_t *src, uint64_t length, uint8_t *dst, uint64_t room, uint64_t block);

#endif
