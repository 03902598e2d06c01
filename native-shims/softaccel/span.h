/* Loops over bytes: what they go over, and its pieces. */
#ifndef ISLE_SOFT_SPAN_H
#define ISLE_SOFT_SPAN_H

#include <stdint.h>

struct span {
    uint8_t *dst;
    const uint8_t *src;
    uint64_t bytes;
    uint64_t block; /* sha256 */
    uint32_t pattern;
};

static inline uint64_t parts(uint64_t bytes, uint64_t part)
{
    return bytes / part + (bytes % part != 0);
}

static inline uint64_t part_of(uint64_t bytes, uint64_t part, uint64_t index)
{
    uint64_t left = bytes - index * part;
    return left < part ? left : part;
}

/* The next bytes of a piece, none when it has come to its end; at most `most` of them. */
static inline uint64_t step_of(uint64_t all, uint64_t done, uint64_t most)
{
    return all - done < most ? all - done : most;
}

#endif
