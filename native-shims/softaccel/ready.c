#define _GNU_SOURCE
#include "ready.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int ready_init(struct ready *r, uint32_t capacity)
{
    uint32_t size = 2;
    while (size < capacity)
        size *= 2;
    r->cells = calloc(size, sizeof *r->cells);
    if (!r->cells)
        return -ENOMEM;
    r->mask = size - 1;
    for (uint32_t i = 0; i < size; i++)
        atomic_init(&r->cells[i].seq, i);
    return 0;
}

/* Never full: a context is on the list at most once, and there are at most as many contexts as cells. */
void ready_push(struct ready *r, uint32_t value)
{
    uint32_t at = atomic_load_explicit(&r->tail, memory_order_relaxed);
    for (;;) {
        struct ready_cell *cell = &r->cells[at & r->mask];
        int32_t lead = (int32_t)(atomic_load_explicit(&cell->seq, memory_order_acquire) - at);
        if (lead == 0 && atomic_compare_exchange_weak_explicit(&r->tail, &at, at + 1, memory_order_seq_cst, memory_order_relaxed)) {
            cell->value = value;
            atomic_store_explicit(&cell->seq, at + 1, memory_order_release);
            return;
        }
        if (lead != 0)
            at = atomic_load_explicit(&r->tail, memory_order_relaxed);
    }
}

bool ready_pop(struct ready *r, uint32_t *value)
{
    uint32_t at = atomic_load_explicit(&r->head, memory_order_relaxed);
    for (;;) {
        struct ready_cell *cell = &r->cells[at & r->mask];
        int32_t lead = (int32_t)(atomic_load_explicit(&cell->seq, memory_order_acquire) - (at + 1));
        if (lead < 0)
            return false;
        if (lead == 0 && atomic_compare_exchange_weak_explicit(&r->head, &at, at + 1, memory_order_relaxed, memory_order_relaxed)) {
            *value = cell->value;
            atomic_store_explicit(&cell->seq, at + r->mask + 1, memory_order_release);
            return true;
        }
        if (lead != 0)
            at = atomic_load_explicit(&r->head, memory_order_relaxed);
    }
}

static bool ready_empty(struct ready *r)
{
    return atomic_load(&r->head) == atomic_load(&r->tail);
}

bool ready_from(struct device *d, AccelPriority priority)
{
    for (uint32_t p = priority; p < SOFT_PRIORITIES; p++)
        if (!ready_empty(&d->ready[p]))
            return true;
    return false;
}

/* An idle worker counts itself as asleep before it looks for work the last time. */
void ready_wake(struct device *d)
{
    if (!atomic_load(&d->sleepers))
        return;
    __atomic_fetch_add(&d->wake, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &d->wake, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
