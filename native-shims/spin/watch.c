/* The thread that ends handlers whose time is over. It looks while handlers run, and sleeps otherwise. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "futex.h"
#include "hpu.h"

#define WALL_TIMES 20u
#define STUCK_NS 250000000u
#define IDLE_ROUNDS 20

static uint64_t cpu_ns(const struct hpu *h)
{
    struct timespec t;
    clockid_t clock;
    if (pthread_getcpuclockid(h->thread, &clock) || clock_gettime(clock, &t))
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint32_t cause_of(const struct hpu *h, const struct watched *w, uint64_t now)
{
    const struct spin_context *x = h->context;
    uint64_t limit = x->how.limits.handler_limit_us * 1000ull;
    uint64_t waited = __atomic_load_n(&h->waited_ns, __ATOMIC_RELAXED) - w->waited_ns;
    if (__atomic_load_n(&x->stopping, __ATOMIC_RELAXED))
        return ISLE_SPIN_STOPPED;
    if (__atomic_load_n(&h->shared->end.state, __ATOMIC_RELAXED) == ISLE_SPIN_WAITING)
        return 0;
    if (cpu_ns(h) - w->cpu_ns > limit)
        return ISLE_SPIN_CPU_TIME;
    return now - w->wall_ns > waited && now - w->wall_ns - waited > WALL_TIMES * limit ? ISLE_SPIN_WALL_TIME : 0;
}

static void end(struct hpu *h, struct watched *w, uint32_t cause, uint64_t now)
{
    h->overdue_cause = cause;
    __atomic_store_n(&h->overdue, w->sequence, __ATOMIC_RELEASE);
    w->told = 1;
    w->told_ns = now;
    syscall(SYS_tgkill, getpid(), __atomic_load_n(&h->tid, __ATOMIC_RELAXED), SPIN_TIME_SIGNAL);
}

/* Whether a handler runs. */
static bool look(struct hpu *h, struct watched *w, uint64_t now)
{
    uint32_t sequence = __atomic_load_n(&h->sequence, __ATOMIC_ACQUIRE), cause;
    if (!__atomic_load_n(&h->active, __ATOMIC_ACQUIRE))
        return false;
    if (sequence != w->sequence) {
        *w = (struct watched){.sequence = sequence,
                              .cpu_ns = cpu_ns(h),
                              .wall_ns = now,
                              .waited_ns = __atomic_load_n(&h->waited_ns, __ATOMIC_RELAXED)};
        if (!__atomic_load_n(&h->context->stopping, __ATOMIC_RELAXED))
            return true;
    }
    if (w->told && now - w->told_ns > STUCK_NS) {
        if (h->context->how.stuck)
            h->context->how.stuck(h->context->how.argument, h->number);
        else
            abort();
        w->told_ns = now;
    } else if (!w->told && (cause = cause_of(h, w, now))) {
        end(h, w, cause, now);
    }
    return true;
}

void spin_watch_wake(struct spin_context *x)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&x->watch_sleeping, __ATOMIC_RELAXED)) {
        __atomic_fetch_add(&x->watch_bell, 1, __ATOMIC_SEQ_CST);
        futex_wake_all(&x->watch_bell);
    }
}

static void rest(struct spin_context *x)
{
    uint32_t seen = __atomic_load_n(&x->watch_bell, __ATOMIC_SEQ_CST);
    bool busy = false;
    __atomic_store_n(&x->watch_sleeping, 1, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (uint32_t i = 0; i < ISLE_SPIN_HPUS; i++)
        busy |= __atomic_load_n(&x->hpus[i].sequence, __ATOMIC_SEQ_CST) != __atomic_load_n(&x->hpus[i].finished, __ATOMIC_SEQ_CST);
    if (!busy && !__atomic_load_n(&x->stopping, __ATOMIC_SEQ_CST))
        futex_wait(&x->watch_bell, seen, 0);
    __atomic_store_n(&x->watch_sleeping, 0, __ATOMIC_SEQ_CST);
}

void *spin_watch_main(void *argument)
{
    struct spin_context *x = argument;
    uint64_t tick = x->how.limits.handler_limit_us * 200ull;
    struct timespec pause = {0, (long)(tick < 100000 ? 100000 : tick > 10000000 ? 10000000 : tick)};
    prctl(PR_SET_NAME, "isle-hpu-watch");
    for (int idle = 0; __atomic_load_n(&x->watching, __ATOMIC_ACQUIRE);) {
        bool busy = false;
        uint64_t now = clock_ns();
        for (uint32_t i = 0; i < ISLE_SPIN_HPUS; i++)
            busy |= look(&x->hpus[i], &x->watched[i], now);
        idle = busy ? 0 : idle + 1;
        if (idle < IDLE_ROUNDS || __atomic_load_n(&x->stopping, __ATOMIC_RELAXED))
            nanosleep(&pause, NULL);
        else
            rest(x);
    }
    return NULL;
}
