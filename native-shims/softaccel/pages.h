/* A bit a page: faulty ones, and those that lie on the CPU's side. All under device->lock. */
#ifndef ISLE_SOFT_PAGES_H
#define ISLE_SOFT_PAGES_H

#include "soft.h"

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

#endif
