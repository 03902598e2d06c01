#define _GNU_SOURCE
#include "low.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

#define FIRST 0x10000000u
#define STEP 0x01000000u
#ifdef ISLE_SANITIZED
#define LAST 0x7f000000u /* behind it the sanitizers have memory of theirs */
#else
#define LAST 0xf0000000u
#endif

int spin_low_reserve(struct spin_low *low)
{
    uint64_t size = (uint64_t)low->image_size + low->handler_size + ISLE_SPIN_PAGE + low->scratchpads_size + ISLE_SPIN_PAGE + low->packets_size +
                    ISLE_SPIN_PAGE + (uint64_t)ISLE_SPIN_HPUS * SPIN_PLACE;
    low->size = 0;
    for (uint64_t at = FIRST; at + size <= LAST; at += STEP) {
        void *got = mmap(spin_at((uint32_t)at), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == MAP_FAILED)
            continue;
        if (got != spin_at((uint32_t)at)) {
            munmap(got, size); /* a kernel that does not know the flag */
            continue;
        }
        low->base = low->image = (uint32_t)at;
        low->size = (uint32_t)size;
        low->handler = low->image + low->image_size;
        low->scratchpads = low->handler + low->handler_size + ISLE_SPIN_PAGE;
        low->packets = low->scratchpads + low->scratchpads_size + ISLE_SPIN_PAGE;
        low->places = low->packets + low->packets_size + ISLE_SPIN_PAGE;
        return 0;
    }
    return -ENOMEM;
}

int spin_low_fill(uint32_t at, uint32_t size)
{
    void *got = mmap(spin_at(at), size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return got == MAP_FAILED ? -errno : 0;
}

int spin_low_share(uint32_t at, void *from, uint32_t size)
{
    if (!size)
        return 0;
    void *got = mremap(from, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, spin_at(at));
    return got == MAP_FAILED ? -errno : 0;
}

void spin_low_release(struct spin_low *low)
{
    if (low->size)
        munmap(spin_at(low->base), low->size);
    low->size = 0;
}
