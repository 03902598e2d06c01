/* A bit a page: faulty ones, and those that lie on the CPU's side. Under device->lock but for what work meets. */
#ifndef ISLE_SOFT_PAGES_H
#define ISLE_SOFT_PAGES_H

#include "work.h"

static inline uint64_t page_count(const struct memory *m)
{
    return m->size / SOFT_PAGE;
}

static inline bool page_is_set(const uint64_t *bits, uint64_t page)
{
    return bits && (bits[page / 64] >> page % 64 & 1);
}

static inline void page_clear(uint64_t *bits, uint64_t page)
{
    bits[page / 64] &= ~(1ull << page % 64);
}

/* false without memory for the bits */
bool page_set(const struct memory *m, uint64_t **bits, uint64_t page);
/* Room for a page on the device, or none; counts it. */
bool page_take_room(struct device *d);
/* From the CPU's side, where there is room for it. */
void page_bring_back(struct device *d, struct memory *m, uint64_t page);

extern const isle_page_retirement_vtable soft_page_retirement;
/* Bytes of the device that no retired page has taken; pages that are replaced again and again can take them all. */
uint64_t pages_capacity(const struct device *d);
/* Of a memory that is going. Its faulty pages are retired. Returns the bytes that were not on the device. */
uint64_t pages_forget(struct device *d, struct memory *m);

/* Before the work of a submission: brings back what lies on the CPU's side; -EHWPOISON when it names a faulty page. */
int pages_touch(struct exec *x);
/* An uncorrectable error at `offset` of what the submission's first memory binding names. */
int pages_poison(struct exec *x, uint64_t offset);

#endif
