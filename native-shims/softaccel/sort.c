/*
 * Least significant digit radix sort of keys whose unsigned order is the order of the elements. It works on private copies: elements
 * are read once and written once, at the end, so nobody who changes them meanwhile can make an index out of them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compute.h"

#define DIGIT 11u
#define BUCKETS (1u << DIGIT)
#define PARTS_MOST 64u
#define PART_LEAST (1u << 16) /* elements */
#define STEP (1u << 14)       /* elements between two looks at the deadline */

struct sort {
    uint8_t *data;
    uint8_t *from, *to;           /* keys of this pass and of the next */
    uint64_t (*counts)[BUCKETS];  /* of a part; then where its elements go */
    uint64_t count, part;         /* elements */
    uint32_t type, shift;
    bool wide;                    /* 64 bits */
};

#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t get(const uint8_t *keys, uint64_t at, bool wide)
{
    return wide ? ((const uint64_t *)(const void *)keys)[at] : ((const uint32_t *)(const void *)keys)[at];
}

INLINE void put(uint8_t *keys, uint64_t at, uint64_t key, bool wide)
{
    if (wide)
        ((uint64_t *)(void *)keys)[at] = key;
    else
        ((uint32_t *)(void *)keys)[at] = (uint32_t)key;
}

/* A float's order is that of its bits when it is positive, and the other way round when it is negative: IEEE 754 totalOrder. */
INLINE uint32_t key_of(uint32_t bits, uint32_t type)
{
    return type == ISLE_ARG_I32 ? bits ^ 0x80000000u : type == ISLE_ARG_F32 ? bits ^ ((0u - (bits >> 31)) | 0x80000000u) : bits;
}

INLINE uint32_t of_key(uint32_t key, uint32_t type)
{
    return type == ISLE_ARG_I32 ? key ^ 0x80000000u : type == ISLE_ARG_F32 ? key ^ (((key >> 31) - 1) | 0x80000000u) : key;
}

/* Calls of `body` for pieces of a part, until the work is stopped. */
INLINE void in_steps(struct exec *x, const struct sort *s, uint64_t index, void (*body)(const struct sort *, uint64_t, uint64_t, uint64_t))
{
    uint64_t at = index * s->part, end = s->count - at < s->part ? s->count : at + s->part;
    for (; at < end && !exec_stopped(x); at += STEP)
        body(s, index, at, end - at < STEP ? end : at + STEP);
}

static void read_step(const struct sort *s, uint64_t index, uint64_t at, uint64_t end)
{
    (void)index;
    if (s->wide)
        memcpy(s->from + at * 8, s->data + at * 8, (end - at) * 8);
    else
        for (; at < end; at++)
            put(s->from, at, key_of((uint32_t)get(s->data, at, false), s->type), false);
}

static void write_step(const struct sort *s, uint64_t index, uint64_t at, uint64_t end)
{
    (void)index;
    if (s->wide)
        memcpy(s->data + at * 8, s->from + at * 8, (end - at) * 8);
    else
        for (; at < end; at++)
            put(s->data, at, of_key((uint32_t)get(s->from, at, false), s->type), false);
}

INLINE void count_keys(const struct sort *s, uint64_t *counts, uint64_t at, uint64_t end, bool wide)
{
    for (; at < end; at++)
        counts[get(s->from, at, wide) >> s->shift & (BUCKETS - 1)]++;
}

INLINE void move_keys(const struct sort *s, uint64_t *to, uint64_t at, uint64_t end, bool wide)
{
    for (; at < end; at++) {
        uint64_t key = get(s->from, at, wide);
        put(s->to, to[key >> s->shift & (BUCKETS - 1)]++, key, wide);
    }
}

static void count_step(const struct sort *s, uint64_t index, uint64_t at, uint64_t end)
{
    if (s->wide)
        count_keys(s, s->counts[index], at, end, true);
    else
        count_keys(s, s->counts[index], at, end, false);
}

static void move_step(const struct sort *s, uint64_t index, uint64_t at, uint64_t end)
{
    if (s->wide)
        move_keys(s, s->counts[index], at, end, true);
    else
        move_keys(s, s->counts[index], at, end, false);
}

static void read_part(struct exec *x, const void *args, uint64_t index)
{
    in_steps(x, args, index, read_step);
}

static void write_part(struct exec *x, const void *args, uint64_t index)
{
    in_steps(x, args, index, write_step);
}

static void count_part(struct exec *x, const void *args, uint64_t index)
{
    const struct sort *s = args;
    memset(s->counts[index], 0, sizeof s->counts[index]);
    in_steps(x, s, index, count_step);
}

static void move_part(struct exec *x, const void *args, uint64_t index)
{
    in_steps(x, args, index, move_step);
}

/* From counts to places: digits first, within one the parts in their order. False when all keys have the same digit. */
static bool places(const struct sort *s, uint64_t parts)
{
    uint64_t place = 0;
    for (uint32_t b = 0; b < BUCKETS; b++)
        for (uint64_t p = 0, before = place; p < parts; p++) {
            uint64_t n = s->counts[p][b];
            s->counts[p][b] = place;
            place += n;
            if (place - before == s->count)
                return false;
        }
    return true;
}

static void sort(struct exec *x, struct sort *s, uint64_t parts)
{
    parallel(x, parts, read_part, s);
    for (s->shift = 0; s->shift < (s->wide ? 64 : 32) && !exec_was_stopped(x); s->shift += DIGIT) {
        parallel(x, parts, count_part, s);
        if (exec_was_stopped(x) || !places(s, parts))
            continue;
        parallel(x, parts, move_part, s);
        uint8_t *keys = s->from;
        s->from = s->to;
        s->to = keys;
    }
    if (!exec_was_stopped(x))
        parallel(x, parts, write_part, s);
}

int run_sort(struct exec *x, const struct call *c)
{
    uint32_t bytes = type_bytes(c->scalar[1]);
    if (!bytes || c->length[0] % bytes || !call_holds(c, 0, 0, bytes))
        return -EINVAL;
    struct sort s = {.data = c->pointer[0], .count = c->length[0] / bytes, .type = c->scalar[1], .wide = bytes == 8};
    if (s.count < 2)
        return 0;
    s.part = (s.count + PARTS_MOST - 1) / PARTS_MOST;
    s.part = s.part < PART_LEAST ? PART_LEAST : s.part;
    uint64_t parts = (s.count + s.part - 1) / s.part;
    uint8_t *keys = malloc(2 * c->length[0]);
    s.counts = malloc(parts * sizeof *s.counts);
    int rc = keys && s.counts ? 0 : -ENOMEM;
    if (!rc) {
        s.from = keys;
        s.to = keys + c->length[0];
        sort(x, &s, parts);
        x->bytes_read += c->length[0];
        x->bytes_written += c->length[0];
    }
    free(s.counts);
    free(keys);
    return rc;
}
