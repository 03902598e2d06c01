/* A stretch of addresses below 4 GiB, with all that C pointers of handlers reach. */
#ifndef ISLE_SPIN_LOW_H
#define ISLE_SPIN_LOW_H

#include <stdint.h>

#include "isle_spin.h"

#define SPIN_STACK 65536u
/* Of an HPU: a packet and what is behind it, the task, a guard, the stack, a guard. */
#define SPIN_L1 4096u
#define SPIN_PLACE (SPIN_L1 + ISLE_SPIN_PAGE + ISLE_SPIN_PAGE + SPIN_STACK + ISLE_SPIN_PAGE)

struct spin_low {
    uint32_t base, size; /* size 0: none */
    uint32_t image, image_size;
    uint32_t handler, handler_size; /* right behind the image */
    uint32_t scratchpads, scratchpads_size;
    uint32_t packets, packets_size;
    uint32_t places; /* of the HPUs */
};

/* Reserves addresses for the sizes that are set, and sets the others. 0 or -ENOMEM */
int spin_low_reserve(struct spin_low *low);
/* Zeroed memory of its own. 0 or a negated errno */
int spin_low_fill(uint32_t at, uint32_t size);
/* The memory that lies at `from` too, which is mapped shared. 0 or a negated errno */
int spin_low_share(uint32_t at, void *from, uint32_t size);
void spin_low_release(struct spin_low *low);

static inline uint32_t spin_l1(const struct spin_low *low, uint32_t hpu)
{
    return low->places + hpu * SPIN_PLACE;
}

static inline uint32_t spin_task_page(const struct spin_low *low, uint32_t hpu)
{
    return spin_l1(low, hpu) + SPIN_L1;
}

static inline uint32_t spin_stack(const struct spin_low *low, uint32_t hpu)
{
    return spin_task_page(low, hpu) + 2 * ISLE_SPIN_PAGE;
}

static inline void *spin_at(uint32_t address)
{
    return (void *)(uintptr_t)address;
}

#endif
