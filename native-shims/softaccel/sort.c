/*
 * Least significant digit radix sort of keys whose unsigned order is the order of the elements. It works on private copies: elements
 * are read once and written once, at the end, so nobody who changes them meanwhile can make an index out of them.
 */
#include "sort.h"

#include <errno.h>
#include <string.h>

#include "leave.h"
#include "loop.h"
#include "progress.h"
#include "span.h"

#define DIGIT 11u
#define BUCKETS (1u << DIGIT)
#define PARTS_MOST 64u
#define PART_LEAST (1u << 16) /* elements */
#define STEP (1u << 12)       /* elements between two looks at whether the work must leave */
#define PLACED 64u            /* buckets between two looks */
#define PASSES 6u             /* most */

struct sort {
    uint8_t *data;
    uint8_t *from, *to;           /* keys of this pass and of the next */
    struct counts {
        bool same[PASSES];        /* all keys have the same digit */
        uint64_t of[][BUCKETS];   /* of a part; then where its elements go */
    } *counts;
    uint64_t count, part, parts;  /* count, part: elements */
    uint32_t type, pass;
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

/* Calls of `body` for steps of a part, whose measure is elements; false when it was left. */
INLINE bool in_steps(struct exec *x, const struct sort *s, struct piece *p, void (*body)(const struct sort *, uint64_t, uint64_t, uint64_t))
{
    uint64_t first = p->index * s->part, n = s->count - first < s->part ? s->count - first : s->part;
    while (p->done < n) {
        if (piece_left(x, p))
            return false;
        uint64_t step = n - p->done < STEP ? n - p->done : STEP;
        body(s, p->index, first + p->done, first + p->done + step);
        p->done += step;
    }
    return true;
}

/* The first touch of a page costs so much that it is not left to the moves, which go everywhere. */
static void touch(uint8_t *from, const uint8_t *end)
{
    for (; from < end; from += SOFT_PAGE)
        *from = 0;
}

static void read_step(const struct sort *s, uint64_t index, uint64_t at, uint64_t end)
{
    const uint32_t bytes = s->wide ? 8 : 4;
    (void)index;
    touch(s->to + at * bytes, s->to + end * bytes);
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
    const uint32_t shift = s->pass * DIGIT;
    for (; at < end; at++)
        counts[get(s->from, at, wide) >> shift & (BUCKETS - 1)]++;
}

INLINE void move_keys(const struct sort *s, uint64_t *to, uint64_t at, uint64_t end, bool wide)
{
    const uint32_t shift = s->pass * DIGIT;
    for (; at < end; at++) {
        uint64_t key = get(s->from, at, wide);
        put(s->to, to[key >> shift & (BUCKETS - 1)]++, key, wide);
    }
}

static void count_step(const struct sort *s, uint64_t index, uint64_t at, uint64_t end)
{
    if (s->wide)
        count_keys(s, s->counts->of[index], at, end, true);
    else
        count_keys(s, s->counts->of[index], at, end, false);
}

static void move_step(const struct sort *s, uint64_t index, uint64_t at, uint64_t end)
{
    if (s->wide)
        move_keys(s, s->counts->of[index], at, end, true);
    else
        move_keys(s, s->counts->of[index], at, end, false);
}

static bool read_part(struct exec *x, const void *args, struct piece *p)
{
    return in_steps(x, args, p, read_step);
}

static bool write_part(struct exec *x, const void *args, struct piece *p)
{
    return in_steps(x, args, p, write_step);
}

static bool count_part(struct exec *x, const void *args, struct piece *p)
{
    const struct sort *s = args;
    if (!p->done)
        memset(s->counts->of[p->index], 0, sizeof s->counts->of[p->index]);
    return in_steps(x, s, p, count_step);
}

static bool move_part(struct exec *x, const void *args, struct piece *p)
{
    return in_steps(x, args, p, move_step);
}

/* From counts to places: digits first, within one the parts in their order. Its measure is buckets. */
static bool find_places(struct exec *x, const void *args, struct piece *p)
{
    const struct sort *s = args;
    uint64_t place = 0;
    if (p->done)
        memcpy(&place, p->state, sizeof place);
    s->counts->same[s->pass] = false;
    for (; p->done < BUCKETS; p->done++) {
        if (p->done % PLACED == 0 && piece_left(x, p)) {
            memcpy(p->state, &place, sizeof place);
            return false;
        }
        uint64_t before = place;
        for (uint64_t i = 0; i < s->parts; i++) {
            uint64_t n = s->counts->of[i][p->done];
            s->counts->of[i][p->done] = place;
            place += n;
        }
        if (place - before == s->count) {
            s->counts->same[s->pass] = true;
            return true;
        }
    }
    return true;
}

static void sort(struct exec *x, struct sort *s)
{
    parallel(x, s->parts, read_part, s);
    for (s->pass = 0; s->pass * DIGIT < (s->wide ? 64 : 32); s->pass++) {
        parallel(x, s->parts, count_part, s);
        parallel(x, 1, find_places, s);
        if (exec_was_stopped(x))
            return;
        if (s->counts->same[s->pass])
            continue;
        parallel(x, s->parts, move_part, s);
        uint8_t *keys = s->from;
        s->from = s->to;
        s->to = keys;
    }
    parallel(x, s->parts, write_part, s);
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
    s.parts = (s.count + s.part - 1) / s.part;
    s.from = exec_keep(x, 2 * c->length[0]);
    s.counts = exec_keep(x, sizeof *s.counts + s.parts * sizeof s.counts->of[0]);
    if (!s.from || !s.counts)
        return -ENOMEM;
    s.to = s.from + c->length[0];
    sort(x, &s);
    x->did.bytes_read += c->length[0];
    x->did.bytes_written += c->length[0];
    return 0;
}
