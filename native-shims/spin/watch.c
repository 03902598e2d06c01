/* The thread that ends handlers whose time is over. It looks while HPUs are awake, and sleeps otherwise. */
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

/* Nanoseconds after which a task may be over its time; else why it must end. */
static uint64_t time_left(const struct hpu *h, const struct watched *w, uint64_t now, uint32_t *cause)
{
    const struct spin_context *x = h->context;
    uint64_t limit = x->how.limits.handler_limit_us * 1000ull, wall = now - w->wall_ns, used;
    /* this first: a wait that ends meanwhile has its time in waited_ns */
    bool waits = __atomic_load_n(&h->shared->end.waiting, __ATOMIC_ACQUIRE);
    uint64_t waited = __atomic_load_n(&h->waited_ns, __ATOMIC_RELAXED) - w->waited_ns;
    if (__atomic_load_n(&x->stopping, __ATOMIC_RELAXED))
        *cause = ISLE_SPIN_STOPPED;
    else if (waits)
        return UINT64_MAX;
    else if ((used = cpu_ns(h) - w->cpu_ns) > limit)
        *cause = ISLE_SPIN_CPU_TIME;
    else if (wall > waited && wall - waited > WALL_TIMES * limit)
        *cause = ISLE_SPIN_WALL_TIME;
    else
        return limit - used + 1;
    return UINT64_MAX;
}

static void end(struct hpu *h, struct watched *w, uint32_t cause, uint64_t now)
{
    h->overdue_cause = cause;
    __atomic_store_n(&h->overdue, w->sequence, __ATOMIC_RELEASE);
    w->told = 1;
    w->told_ns = now;
    syscall(SYS_tgkill, getpid(), __atomic_load_n(&h->tid, __ATOMIC_RELAXED), SPIN_TIME_SIGNAL);
}

/* Returns nanoseconds until something may be due. */
static uint64_t look(struct hpu *h, struct watched *w, uint64_t now)
{
    uint32_t sequence = __atomic_load_n(&h->sequence, __ATOMIC_ACQUIRE), cause = 0;
    uint64_t left = UINT64_MAX;
    if (!__atomic_load_n(&h->active, __ATOMIC_ACQUIRE))
        return left;
    if (sequence != w->sequence)
        *w = (struct watched){.sequence = sequence,
                              .cpu_ns = cpu_ns(h),
                              .wall_ns = now,
                              .waited_ns = __atomic_load_n(&h->waited_ns, __ATOMIC_RELAXED)};
    if (!w->told)
        left = time_left(h, w, now, &cause);
    if (cause) {
        end(h, w, cause, now);
    } else if (w->told && now - w->told_ns > STUCK_NS) {
        if (h->context->how.stuck)
            h->context->how.stuck(h->context->how.argument, h->number);
        else
            abort();
        w->told_ns = now;
    }
    return left;
}

void spin_watch_wake(struct spin_context *x)
{
    if (__atomic_load_n(&x->watch_sleeping, __ATOMIC_SEQ_CST)) {
        __atomic_fetch_add(&x->watch_bell, 1, __ATOMIC_SEQ_CST);
        futex_wake_all(&x->watch_bell);
    }
}

static void rest(struct spin_context *x)
{
    uint32_t seen = __atomic_load_n(&x->watch_bell, __ATOMIC_SEQ_CST);
    bool busy = false;
    __atomic_store_n(&x->watch_sleeping, 1, __ATOMIC_SEQ_CST);
    for (uint32_t i = 0; i < ISLE_SPIN_HPUS; i++)
        busy |= __atomic_load_n(&x->hpus[i].awake, __ATOMIC_SEQ_CST);
    if (!busy && !__atomic_load_n(&x->stopping, __ATOMIC_SEQ_CST))
        futex_wait(&x->watch_bell, seen, 0);
    __atomic_store_n(&x->watch_sleeping, 0, __ATOMIC_SEQ_CST);
}

/* A task begins up to a tick before it is seen, and so ends up to a tick after its time. */
void *spin_watch_main(void *argument)
{
    struct spin_context *x = argument;
    uint64_t tick = x->how.limits.handler_limit_us * 200ull;
    tick = tick < 100000 ? 100000 : tick > 10000000 ? 10000000 : tick;
    prctl(PR_SET_NAME, "isle-hpu-watch");
    for (int idle = 0; __atomic_load_n(&x->watching, __ATOMIC_ACQUIRE);) {
        bool busy = false;
        uint64_t now = clock_ns(), pause = tick;
        for (uint32_t i = 0; i < ISLE_SPIN_HPUS; i++) {
            uint64_t left = look(&x->hpus[i], &x->watched[i], now);
            pause = left < pause ? left : pause;
            busy |= __atomic_load_n(&x->hpus[i].awake, __ATOMIC_RELAXED);
        }
        idle = busy ? 0 : idle + 1;
        if (idle < IDLE_ROUNDS || __atomic_load_n(&x->stopping, __ATOMIC_RELAXED))
            nanosleep(&(struct timespec){0, (long)pause}, NULL);
        else
            rest(x);
    }
    return NULL;
}
