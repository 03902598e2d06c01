#define _GNU_SOURCE
#include "work.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SPIN_NS 20000

static uint64_t clock_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t soft_now(void)
{
    return clock_of(CLOCK_MONOTONIC);
}

uint64_t thread_cpu_ns(void)
{
    return clock_of(CLOCK_THREAD_CPUTIME_ID);
}

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* The caller has published work; an idle worker counts itself as asleep before it looks for work the last time. */
void workers_wake(struct device *d)
{
    if (!atomic_load(&d->sleepers))
        return;
    __atomic_fetch_add(&d->wake, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &d->wake, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void note_depth(struct context *c, uint64_t depth)
{
    if (depth > atomic_load_explicit(&c->counters.peak_queue, memory_order_relaxed))
        atomic_store_explicit(&c->counters.peak_queue, depth, memory_order_relaxed);
}

static void run_context(struct worker *w, struct context *c)
{
    struct device *d = w->device;
    uint64_t head = atomic_load_explicit(&c->head, memory_order_relaxed);
    w->last_end_ns = 0;
    for (int n = 0; n < SOFT_BATCH;) {
        uint64_t tail = atomic_load_explicit(&c->tail, memory_order_acquire);
        note_depth(c, tail - head);
        for (; head != tail && n < SOFT_BATCH; n++) {
            run_work(w, c, head);
            head++;
            atomic_store_explicit(&c->head, head, memory_order_release);
        }
        if (head != tail)
            break;
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

static bool job_open(struct job *j)
{
    return (atomic_load(&j->state) & 1) &&
           atomic_load_explicit(&j->next, memory_order_relaxed) < atomic_load_explicit(&j->count, memory_order_relaxed);
}

static void job_loop(struct job *j)
{
    for (;;) {
        uint64_t i = atomic_fetch_add_explicit(&j->next, 1, memory_order_relaxed);
        if (i >= atomic_load_explicit(&j->count, memory_order_relaxed) || exec_was_stopped(j->exec))
            return;
        j->body(j->exec, j->args, i);
    }
}

static bool help(struct worker *w)
{
    struct device *d = w->device;
    bool helped = false;
    for (uint32_t i = 0; i < d->settings.compute_units && !helped; i++) {
        struct job *j = &d->workers[i].job;
        uint32_t state = atomic_load(&j->state);
        while ((state & 1) && job_open(j) && !helped)
            helped = atomic_compare_exchange_weak(&j->state, &state, state + 2);
        if (!helped)
            continue;
        uint64_t before = thread_cpu_ns();
        job_loop(j);
        uint64_t busy = thread_cpu_ns() - before;
        atomic_fetch_add(&j->exec->helper_busy_ns, busy);
        atomic_fetch_add_explicit(&w->busy_ns, busy, memory_order_relaxed);
        atomic_fetch_sub(&j->state, 2); /* the last touch: the owner waits for it and then the loop is gone */
    }
    return helped;
}

void parallel(struct exec *x, uint64_t count, void (*body)(struct exec *, const void *, uint64_t), const void *args)
{
    struct device *d = x->device;
    if (d->settings.compute_units == 1 || count < 2) {
        for (uint64_t i = 0; i < count && !exec_was_stopped(x); i++)
            body(x, args, i);
        return;
    }
    struct job *j = &x->worker->job;
    atomic_store_explicit(&j->count, count, memory_order_relaxed);
    j->body = body;
    j->args = args;
    j->exec = x;
    atomic_store(&j->next, 0);
    atomic_store(&j->state, 1);
    for (uint64_t i = 1; i < d->settings.compute_units && i < count; i++)
        workers_wake(d);
    job_loop(j);
    atomic_fetch_and(&j->state, ~1u);
    while (atomic_load(&j->state))
        sched_yield();
}

static bool anything(struct device *d)
{
    for (int p = 0; p < SOFT_PRIORITIES; p++)
        if (!ready_empty(&d->ready[p]))
            return true;
    for (uint32_t i = 0; i < d->settings.compute_units; i++)
        if (job_open(&d->workers[i].job))
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
    w->cpu_anchor_ns = thread_cpu_ns();
    while (run_one(w) || help(w) || !atomic_load(&d->stopping))
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
    free(d->workers);
}
