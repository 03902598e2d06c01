/*
 * First fit over a list of extents in pages. The list lies in private memory: whoever else maps the segment can spoil contents, never
 * the bookkeeping. Freed memory is zeroed at once by giving its pages back, so what is allocated is always zero.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096u

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

int heap_init(struct heap *h, uint32_t segment, void *base, uint64_t size)
{
    *h = (struct heap){.segment = segment, .base = base, .size = size & ~(uint64_t)(PAGE - 1)};
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
        give_back(h, b->offset, b->size);
        b->used = false;
        merge_free(h);
        return 0;
    }
    return -ESTALE;
}

void heap_destroy(struct heap *h)
{
    while (h->blocks) {
        struct heap_block *b = h->blocks;
        if (b->used)
            give_back(h, b->offset, b->size);
        h->blocks = b->next;
        free(b);
    }
}
