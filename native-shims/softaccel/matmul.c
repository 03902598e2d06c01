/*
 * C = A x B by blocks. For each block of depth and of columns, B is packed once and shared by all units; each task packs a block of A
 * on its own stack (it stays in the second-level cache) and multiplies it by the panels of B. A sum's order depends on k alone, so
 * results do not depend on how many units there are.
 */
#include "matmul.h"

#include <errno.h>

#include "leave.h"
#include "loop.h"
#include "progress.h"

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

static bool pack_panel(struct exec *x, const void *args, struct piece *p)
{
    const struct product *m = args;
    uint64_t at = p->index * m->kernel->columns;
    if (piece_left(x, p))
        return false;
    m->kernel->pack_b(m->packed + p->index * panel_bytes(m), m->b + (m->first * m->n + m->column + at) * m->kernel->element, m->n,
                      (uint32_t)m->depth, (uint32_t)least(m->kernel->columns, m->columns - at));
    return true;
}

/* A piece's measure is tiles. What was packed of A is packed again when it goes on: that is little beside the tiles. */
static bool multiply_block(struct exec *x, const void *args, struct piece *p)
{
    const struct product *m = args;
    const struct matmul *kernel = m->kernel;
    uint8_t a[ROWS_MOST * DEPTH_BYTES] __attribute__((aligned(64)));
    uint64_t row = p->index / m->groups * m->rows, rows = least(m->rows, m->m - row), high = pieces(rows, kernel->rows);
    uint64_t from = p->index % m->groups * m->group, to = least(from + m->group, m->columns);
    uint64_t a_panel = pieces(m->depth, kernel->pair) * kernel->pair * kernel->rows * kernel->unit;
    if (piece_left(x, p))
        return false;
    for (uint64_t r = 0; r < rows; r += kernel->rows)
        kernel->pack_a(a + r / kernel->rows * a_panel, m->a + ((row + r) * m->k + m->first) * kernel->element, m->k,
                       (uint32_t)least(kernel->rows, rows - r), (uint32_t)m->depth);
    for (uint64_t end = pieces(to - from, kernel->columns) * high; p->done < end; p->done++) {
        uint64_t j = from + p->done / high * kernel->columns, r = p->done % high * kernel->rows;
        if (piece_left(x, p))
            return false;
        kernel->tile(m->c + ((row + r) * m->n + m->column + j) * 4, m->n, a + r / kernel->rows * a_panel,
                     m->packed + j / kernel->columns * panel_bytes(m), (uint32_t)m->depth, (uint32_t)least(kernel->rows, rows - r),
                     (uint32_t)least(kernel->columns, m->columns - j), m->first != 0);
    }
    return true;
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
    p.packed = exec_keep(x, columns * depth * kernel->unit);
    if (!p.packed)
        return -ENOMEM;
    multiply(x, &p);
    x->did.bytes_read += (p.m * p.k + p.k * p.n) * kernel->element;
    x->did.bytes_written += p.m * p.n * 4;
    return 0;
}
