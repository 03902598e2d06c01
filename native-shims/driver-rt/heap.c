/*
 * First fit over a list of extents in pages. The list lies in private memory: whoever else maps the segment can spoil contents, never
 * the bookkeeping. What is allocated is always zero: freed memory gives its pages back at once. The pages of the first `kept` bytes stay
 * for the next block or the next context, and are zeroed before either has them: new pages cost far more than zeros in old ones.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096u
#define CLEARED 512u /* pages looked at together */

static struct heap_block *block_new(uint64_t offset, uint64_t size, struct heap_block *next)
{
    struct heap_block *b = calloc(1, sizeof *b);
    if (b) {
        b->offset = offset;
        b->size = size;
        b->next = next;
    }
    return b;
}

int heap_init(struct heap *h, uint32_t segment, void *base, uint64_t size, uint64_t kept)
{
    size &= ~(uint64_t)(PAGE - 1);
    *h = (struct heap){.segment = segment, .base = base, .size = size, .kept = kept < size ? kept & ~(uint64_t)(PAGE - 1) : size};
    if (!h->size)
        return -EINVAL;
    h->blocks = block_new(0, h->size, NULL);
    return h->blocks ? 0 : -ENOMEM;
}

static void give_back(struct heap *h, uint64_t offset, uint64_t size)
{
    /* Only shared file mappings can be punched; other memory (a test's) is cleared by hand. */
    if (madvise(h->base + offset, size, MADV_REMOVE))
        memset(h->base + offset, 0, size);
}

/* Zeros in those pages of a range that exist; where that cannot be known, in all. */
static void clear(struct heap *h, uint64_t offset, uint64_t size)
{
    unsigned char exists[CLEARED];
    for (uint64_t part; size; offset += part, size -= part) {
        part = size < CLEARED * PAGE ? size : CLEARED * PAGE;
        if (mincore(h->base + offset, part, exists))
            memset(exists, 1, sizeof exists);
        for (uint64_t page = 0, run; page < part / PAGE; page += run + 1) {
            for (run = 0; page + run < part / PAGE && exists[page + run] & 1; run++)
                ;
            memset(h->base + offset + page * PAGE, 0, run * PAGE);
        }
    }
}

/* Bytes of a range that keep their pages: its first ones. */
static uint64_t kept_of(const struct heap *h, uint64_t offset, uint64_t size)
{
    return offset >= h->kept ? 0 : size < h->kept - offset ? size : h->kept - offset;
}

static void give_rest_back(struct heap *h, uint64_t offset, uint64_t size)
{
    uint64_t kept = kept_of(h, offset, size);
    if (kept < size)
        give_back(h, offset + kept, size - kept);
}

/* Cuts block `b` so that a block starts at `offset`. Returns that block, or NULL without memory. */
static struct heap_block *split(struct heap_block *b, uint64_t offset)
{
    if (offset == b->offset)
        return b;
    struct heap_block *tail = block_new(offset, b->offset + b->size - offset, b->next);
    if (!tail)
        return NULL;
    b->size = offset - b->offset;
    b->next = tail;
    tail->dirty = b->dirty;
    return tail;
}

static void merge_free(struct heap *h)
{
    for (struct heap_block *b = h->blocks; b && b->next;) {
        struct heap_block *n = b->next;
        if (b->used || n->used) {
            b = n;
            continue;
        }
        b->size += n->size;
        b->dirty |= n->dirty;
        b->next = n->next;
        free(n);
    }
}

int heap_alloc(struct heap *h, uint64_t size, uint64_t alignment, isle_shared *out)
{
    if (!size || (alignment & (alignment - 1)))
        return -EINVAL;
    if (size > h->size || alignment > h->size)
        return -ENOMEM;
    uint64_t align = alignment < PAGE ? PAGE : alignment;
    uint64_t need = (size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    for (struct heap_block *b = h->blocks; b; b = b->next) {
        uint64_t start = (b->offset + align - 1) & ~(align - 1);
        uint64_t end = b->offset + b->size;
        if (b->used || start >= end || end - start < need)
            continue;
        struct heap_block *mine = split(b, start);
        if (!mine || (mine->size > need && !split(mine, start + need))) {
            merge_free(h);
            return -ENOMEM;
        }
        if (mine->dirty)
            clear(h, start, kept_of(h, start, mine->size));
        mine->dirty = false;
        mine->used = true;
        *out = (isle_shared){.segment = h->segment, .offset = start, .size = mine->size, .pointer = h->base + start};
        return 0;
    }
    return -ENOMEM;
}

int heap_free(struct heap *h, const isle_shared *shared)
{
    for (struct heap_block *b = h->blocks; b; b = b->next) {
        if (b->offset != shared->offset || !b->used)
            continue;
        if (b->size != shared->size)
            return -EINVAL;
        give_rest_back(h, b->offset, b->size);
        b->used = false;
        b->dirty = kept_of(h, b->offset, b->size);
        merge_free(h);
        return 0;
    }
    return -ESTALE;
}

/* Kept pages go to another context: whatever was written there, in a block or not, goes. */
void heap_zero(struct heap *h)
{
    clear(h, 0, h->kept);
    for (struct heap_block *b = h->blocks; b; b = b->next) {
        b->dirty = false;
        if (b->used)
            give_rest_back(h, b->offset, b->size);
    }
}

void heap_destroy(struct heap *h)
{
    while (h->blocks) {
        struct heap_block *b = h->blocks;
        h->blocks = b->next;
        free(b);
    }
}
