#define _GNU_SOURCE
#include "worker.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "exec.h"
#include "loop.h"
#include "ready.h"

#define SPIN_NS 20000
#define BATCH 64 /* light submissions of one context before the next context has its turn; after others it has it at once */

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

static void run_context(struct worker *w, struct context *c)
{
    struct device *d = w->device;
    uint64_t head = atomic_load_explicit(&c->head, memory_order_relaxed);
    w->last_end_ns = 0;
    for (int n = 0; n < BATCH;) {
        uint64_t tail = atomic_load_explicit(&c->tail, memory_order_acquire);
        for (; head != tail && n < BATCH; n++) {
            bool light = run_work(w, c, head);
            head++;
            atomic_store_explicit(&c->head, head, memory_order_release);
            if (!light && ready_from(d, c->priority))
                n = BATCH;
        }
        if (head != tail)
            break;
        atomic_store_explicit(&c->idle_since_ns, w->last_end_ns ? w->last_end_ns : soft_now(), memory_order_relaxed);
        atomic_store(&c->scheduled, 0);
        if (atomic_load(&c->tail) == head || atomic_exchange(&c->scheduled, 1))
            return; /* empty, or the producer has put it on the list again */
        /* Taken back; between the two lines above another worker may have had it. */
        head = atomic_load_explicit(&c->head, memory_order_acquire);
    }
    ready_push(&d->ready[c->priority], c->index);
}

static bool run_one(struct worker *w)
{
    struct device *d = w->device;
    for (int p = SOFT_PRIORITIES; p-- > 0;) {
        uint32_t index;
        if (ready_pop(&d->ready[p], &index)) {
            run_context(w, atomic_load_explicit(&d->contexts[index], memory_order_acquire));
            return true;
        }
    }
    return false;
}

static bool anything(struct device *d)
{
    if (ready_from(d, ACCEL_PRIORITY_BACKGROUND))
        return true;
    for (uint32_t i = 0; i < d->settings.compute_units; i++)
        if (loop_open(d, &d->workers[i].job))
            return true;
    return atomic_load(&d->stopping);
}

static void idle(struct device *d)
{
    uint64_t until = soft_now() + SPIN_NS;
    do {
        for (int i = 0; i < 16; i++)
            relax();
        if (anything(d))
            return;
        sched_yield(); /* the submitting thread may be waiting for this very core */
    } while (soft_now() < until);
    uint32_t seen = __atomic_load_n(&d->wake, __ATOMIC_SEQ_CST);
    atomic_fetch_add(&d->sleepers, 1);
    if (!anything(d))
        syscall(SYS_futex, &d->wake, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
    atomic_fetch_sub(&d->sleepers, 1);
}

static void *worker_main(void *arg)
{
    struct worker *w = arg;
    struct device *d = w->device;
    char name[16];
    snprintf(name, sizeof name, "soft-cu%u", w->index);
    pthread_setname_np(pthread_self(), name);
    while (run_one(w) || loop_help(w) || !atomic_load(&d->stopping))
        if (!anything(d))
            idle(d);
    return NULL;
}

IoResultCode workers_start(struct device *d)
{
    uint32_t n = d->settings.compute_units;
    d->workers = aligned_alloc(64, n * sizeof *d->workers);
    if (!d->workers)
        return -ENOMEM;
    memset(d->workers, 0, n * sizeof *d->workers);
    for (uint32_t i = 0; i < n; i++) {
        d->workers[i].device = d;
        d->workers[i].index = i;
        d->workers[i].pieces = malloc(2ull * (n + 1) * sizeof(struct piece));
        if (!d->workers[i].pieces)
            return -ENOMEM;
    }
    for (uint32_t i = 0; i < n; i++) {
        int rc = pthread_create(&d->workers[i].thread, NULL, worker_main, &d->workers[i]);
        if (rc)
            return -rc;
        d->workers[i].started = true;
    }
    return 0;
}

void workers_stop(struct device *d)
{
    atomic_store(&d->stopping, true);
    __atomic_fetch_add(&d->wake, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &d->wake, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
    for (uint32_t i = 0; d->workers && i < d->settings.compute_units; i++)
        if (d->workers[i].started)
            pthread_join(d->workers[i].thread, NULL);
    for (uint32_t i = 0; d->workers && i < d->settings.compute_units; i++)
        free(d->workers[i].pieces);
    free(d->workers);
}
