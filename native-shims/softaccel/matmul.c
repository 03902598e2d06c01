/*
 * C = A x B by blocks. For each block of depth and of columns, B is packed once and shared by all units; each task packs a block of A
 * on its own stack (it stays in the second-level cache) and multiplies it by the panels of B. A sum's order depends on k alone, so
 * results do not depend on how many units there are.
 */
#include <errno.h>
#include <stdlib.h>

#include "compute.h"

#define ROWS_MOST 96u
#define DEPTH_BYTES 1024u   /* of packed A and B, in a block */
#define COLUMNS_MOST 2048u
#define GROUP 512u          /* columns of a task, when rows alone do not keep all units busy */

struct product {
    const struct matmul *kernel;
    const uint8_t *a, *b;
    uint8_t *c;
    uint64_t m, n, k;
    uint8_t *packed;             /* B's panels of this block */
    uint64_t column, columns;    /* of the block */
    uint64_t first, depth;
    uint32_t rows, group;        /* of a task */
    uint64_t groups;
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t pieces(uint64_t all, uint64_t piece)
{
    return all / piece + (all % piece != 0);
}

/* Bytes of a packed panel of B. */
static uint64_t panel_bytes(const struct product *p)
{
    return pieces(p->depth, p->kernel->pair) * p->kernel->pair * p->kernel->columns * p->kernel->unit;
}

static void pack_panel(struct exec *x, const void *args, uint64_t index)
{
    const struct product *p = args;
    uint64_t at = index * p->kernel->columns;
    if (exec_stopped(x))
        return;
    p->kernel->pack_b(p->packed + index * panel_bytes(p), p->b + (p->first * p->n + p->column + at) * p->kernel->element, p->n,
                      (uint32_t)p->depth, (uint32_t)least(p->kernel->columns, p->columns - at));
}

static void multiply_block(struct exec *x, const void *args, uint64_t index)
{
    const struct product *p = args;
    const struct matmul *kernel = p->kernel;
    uint8_t a[ROWS_MOST * DEPTH_BYTES] __attribute__((aligned(64)));
    uint64_t row = index / p->groups * p->rows, rows = least(p->rows, p->m - row);
    uint64_t from = index % p->groups * p->group, to = least(from + p->group, p->columns);
    uint64_t a_panel = pieces(p->depth, kernel->pair) * kernel->pair * kernel->rows * kernel->unit;
    for (uint64_t r = 0; r < rows; r += kernel->rows)
        kernel->pack_a(a + r / kernel->rows * a_panel, p->a + ((row + r) * p->k + p->first) * kernel->element, p->k,
                       (uint32_t)least(kernel->rows, rows - r), (uint32_t)p->depth);
    for (uint64_t j = from; j < to && !exec_stopped(x); j += kernel->columns)
        for (uint64_t r = 0; r < rows; r += kernel->rows)
            kernel->tile(p->c + ((row + r) * p->n + p->column + j) * 4, p->n, a + r / kernel->rows * a_panel,
                         p->packed + j / kernel->columns * panel_bytes(p), (uint32_t)p->depth, (uint32_t)least(kernel->rows, rows - r),
                         (uint32_t)least(kernel->columns, p->columns - j), p->first != 0);
}

static void multiply(struct exec *x, struct product *p)
{
    uint64_t depth_most = DEPTH_BYTES / p->kernel->unit;
    for (p->column = 0; p->column < p->n; p->column += COLUMNS_MOST) {
        p->columns = least(COLUMNS_MOST, p->n - p->column);
        p->groups = pieces(p->columns, p->group);
        for (p->first = 0; p->first < p->k; p->first += depth_most) {
            p->depth = least(depth_most, p->k - p->first);
            parallel(x, pieces(p->columns, p->kernel->columns), pack_panel, p);
            if (exec_was_stopped(x)) /* what was not packed is somebody's old memory */
                return;
            parallel(x, pieces(p->m, p->rows) * p->groups, multiply_block, p);
            if (exec_was_stopped(x))
                return;
        }
    }
}

int run_matmul(struct exec *x, const struct call *c, const struct matmul *kernel)
{
    struct product p = {.kernel = kernel,
                        .a = c->pointer[0],
                        .b = c->pointer[1],
                        .c = c->pointer[2],
                        .m = c->scalar[3],
                        .n = c->scalar[4],
                        .k = c->scalar[5],
                        .rows = ROWS_MOST / kernel->rows * kernel->rows};
    /* products of two 32-bit numbers fit */
    if (!p.m || !p.n || !p.k || !call_holds(c, 0, p.m * p.k, kernel->element) || !call_holds(c, 1, p.k * p.n, kernel->element) ||
        !call_holds(c, 2, p.m * p.n, 4) || call_overlaps(c, 0, 2) || call_overlaps(c, 1, 2))
        return -EINVAL;
    uint32_t units = x->device->settings.compute_units;
    p.group = units > 1 && pieces(p.m, p.rows) < 2ull * units ? GROUP : COLUMNS_MOST;
    uint64_t columns = pieces(least(p.n, COLUMNS_MOST), kernel->columns) * kernel->columns;
    uint64_t depth = pieces(least(p.k, DEPTH_BYTES / kernel->unit), kernel->pair) * kernel->pair;
    p.packed = aligned_alloc(64, (columns * depth * kernel->unit + 63) / 64 * 64);
    if (!p.packed)
        return -ENOMEM;
    multiply(x, &p);
    free(p.packed);
    x->bytes_read += (p.m * p.k + p.k * p.n) * kernel->element;
    x->bytes_written += p.m * p.n * 4;
    return 0;
}
