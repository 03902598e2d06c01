/* One number out of many: partial results of pieces, put together in the order of the pieces, whoever made them. */
#include "reduce.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "leave.h"
#include "loop.h"
#include "progress.h"
#include "span.h"

#define PIECE (128u << 10) /* bytes, between two looks at whether the work must leave */
#define QUIET_NAN 0x7ff8000000000000u

struct reduction {
    const uint8_t *src;
    uint64_t count, piece; /* elements */
    uint32_t bytes;
    reduce_part *part;
    uint64_t *parts;
};

static bool reduce_piece(struct exec *x, const void *args, struct piece *p)
{
    const struct reduction *r = args;
    uint64_t at = p->index * r->piece, left = r->count - at;
    if (piece_left(x, p))
        return false;
    r->parts[p->index] = r->part(r->src + at * r->bytes, left < r->piece ? left : r->piece);
    return true;
}

static double as_double(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t as_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static uint64_t put_together(uint32_t type, uint32_t operation, uint64_t a, uint64_t b)
{
    bool is_signed = type == REDUCE_I32 || type == REDUCE_F32;
    bool less = is_signed ? (int64_t)b < (int64_t)a : b < a;
    if (operation == REDUCE_SUM)
        return type == REDUCE_F32 ? as_bits(as_double(a) + as_double(b)) : a + b;
    return less == (operation == REDUCE_MIN) ? b : a;
}

/* The double that is the result for floats, always the same NaN: which one a sum ends with depends on the order of its operands. */
static uint64_t of_floats(uint32_t operation, uint64_t result)
{
    int64_t key = (int64_t)result;
    bool none = operation == REDUCE_SUM ? isnan(as_double(result)) : key == REDUCE_NAN_MIN || key == REDUCE_NAN_MAX;
    if (none)
        return QUIET_NAN;
    if (operation == REDUCE_SUM)
        return result;
    float f;
    int32_t bits = (int32_t)key ^ ((int32_t)key >> 31 & 0x7fffffff);
    memcpy(&f, &bits, sizeof f);
    return as_bits(f);
}

static int type_of(uint32_t kind)
{
    return kind == ISLE_ARG_U32   ? REDUCE_U32
           : kind == ISLE_ARG_I32 ? REDUCE_I32
           : kind == ISLE_ARG_U64 ? REDUCE_U64
           : kind == ISLE_ARG_F32 ? REDUCE_F32
                                  : -1;
}

int run_reduce(struct exec *x, const struct call *c)
{
    int type = type_of(c->scalar[2]);
    uint32_t bytes = type_bytes(c->scalar[2]), operation = c->scalar[3];
    if (type < 0 || operation >= REDUCE_OPS || c->length[0] % bytes || !call_holds(c, 0, 0, bytes) || !call_holds(c, 1, 1, 8))
        return -EINVAL;
    struct reduction r = {.src = c->pointer[0],
                          .count = c->length[0] / bytes,
                          .piece = PIECE / bytes,
                          .bytes = bytes,
                          .part = x->device->kernels->reduce[type][operation]};
    if (!r.count && operation != REDUCE_SUM)
        return -EINVAL;
    uint64_t pieces = (r.count + r.piece - 1) / r.piece, result = 0;
    r.parts = exec_keep(x, (pieces + 1) * sizeof *r.parts);
    if (!r.parts)
        return -ENOMEM;
    parallel(x, pieces, reduce_piece, &r);
    if (!exec_was_stopped(x)) {
        for (uint64_t i = 0; i < pieces; i++)
            result = i ? put_together((uint32_t)type, operation, result, r.parts[i]) : r.parts[i];
        if (type == REDUCE_F32)
            result = of_floats(operation, result);
        memcpy(c->pointer[1], &result, sizeof result);
    }
    x->did.bytes_read += c->length[0];
    x->did.bytes_written += sizeof result;
    return 0;
}
