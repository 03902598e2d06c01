#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>

#include "futex.h"
#include "rt.h"

#define BATCH 64

/* The heartbeat, on the way into the runtime and its driver and on the way out again. */
static void step(struct host *h)
{
    __atomic_store_n(&h->channel->heartbeat, h->channel->heartbeat + 1, __ATOMIC_RELAXED);
}

/*
 * The core must hear of a refused submission too: it is told as the completion of its tag, and one that the driver had no room
 * for, or no device any more, as work that comes back unbegun.
 */
static void submit(struct host *h, const isle_request *r)
{
    bool answerable;
    step(h);
    IoResultCode rc = rt_submit(h->rt, r->tag, r->context, r->offset, r->length, r->seen, &answerable);
    step(h);
    if (rc >= 0 || !answerable)
        return;
    uint64_t now = clock_ns();
    bool back = rc == -EAGAIN || rc == -ENODEV;
    uint32_t status = back ? ACCEL_COMPLETION_PREEMPTED : ACCEL_COMPLETION_ERROR;
    isle_completion c = {.tag = r->tag, .status = status, .detail = rc, .start_ns = now, .end_ns = now, .busy_ns = 0};
    uint64_t ticket = rt_publish(h->rt, &c);
    if (back)
        rt_came_back(h->rt, r->context, ticket);
}

static IoResultCode preempt(struct host *h, const isle_request *r)
{
    step(h);
    IoResultCode rc = isle_rt_preempt(h->rt, r->context, r->reason);
    step(h);
    return rc;
}

static uint32_t ask(struct host *h)
{
    step(h);
    int32_t done = isle_rt_poll(h->rt, BATCH);
    step(h);
    return (uint32_t)done;
}

/* Takes up to BATCH requests; returns how many. */
static uint32_t drain(struct host *h, uint64_t *position)
{
    uint32_t taken = 0;
    while (taken < BATCH) {
        isle_request *slot = &h->requests[*position & h->request_mask];
        if (__atomic_load_n(&slot->seq, __ATOMIC_ACQUIRE) != *position + 1)
            break;
        isle_request r = *slot;
        ++*position;
        taken++;
        /* The record is copied, so the core may have its place back before the driver has seen it. */
        __atomic_store_n(&h->channel->requests_taken, *position, __ATOMIC_RELEASE);
        if (r.kind == ISLE_REQUEST_SUBMIT)
            submit(h, &r);
        else if (r.kind != ISLE_REQUEST_PREEMPT || preempt(h, &r) == -EINVAL)
            rt_violation(h->rt);
        atomic_store_explicit(&h->handed, *position, memory_order_release);
    }
    return taken;
}

static bool is_posted(const struct host *h, uint64_t position)
{
    const isle_request *slot = &h->requests[position & h->request_mask];
    return __atomic_load_n(&slot->seq, __ATOMIC_ACQUIRE) == position + 1;
}

static bool ready(const struct host *h, uint64_t position)
{
    return is_posted(h, position) || atomic_load(&h->pause_wanted) || atomic_load(&h->stop);
}

static void set_paused(struct host *h, uint32_t paused)
{
    atomic_store(&h->paused, paused);
    futex_wake_all((uint32_t *)&h->paused);
}

static void await_paused(struct host *h, uint32_t paused)
{
    while (atomic_load(&h->paused) != paused)
        futex_wait((uint32_t *)&h->paused, !paused, 0);
}

static void stand_still(struct host *h)
{
    if (!atomic_load(&h->pause_wanted))
        return;
    set_paused(h, 1);
    while (atomic_load(&h->pause_wanted) && !atomic_load(&h->stop))
        futex_wait((uint32_t *)&h->pause_wanted, 1, 0);
    set_paused(h, 0);
}

void *data_thread(void *host)
{
    struct host *h = host;
    isle_channel_header *c = h->channel;
    uint64_t position = 0, idle_since = 0;
    prctl(PR_SET_NAME, "isle-data");
    crash_thread("isle-data");
    while (!atomic_load(&h->stop)) {
        stand_still(h);
        bool unanswered = h->polling && h->rt->polled_count;
        uint32_t work = drain(h, &position) + (unanswered ? ask(h) : 0);
        if (work) {
            idle_since = 0;
            continue;
        }
        for (int i = 0; i < 32 && !ready(h, position); i++)
            cpu_relax();
        uint64_t now = clock_ns();
        if (!idle_since)
            idle_since = now;
        if (now - idle_since < (uint64_t)h->spin_us * 1000) {
            sched_yield(); /* the driver's threads may be waiting for this very core */
            continue;
        }
        uint32_t seen = __atomic_load_n(&c->data_bell, __ATOMIC_SEQ_CST);
        __atomic_store_n(&c->data_sleeping, 1, __ATOMIC_SEQ_CST);
        if (!ready(h, position))
            futex_wait(&c->data_bell, seen, unanswered ? 50000 : 0);
        __atomic_store_n(&c->data_sleeping, 0, __ATOMIC_SEQ_CST);
        /* a sign of life: the core rings also when it has waited long for the other thread */
        step(h);
        step(h);
        idle_since = 0;
    }
    return NULL;
}

void data_catch_up(struct host *h)
{
    uint64_t upto = atomic_load(&h->handed);
    for (uint32_t n = 0; n <= h->request_mask && is_posted(h, upto); n++)
        upto++;
    while (atomic_load(&h->handed) < upto && !atomic_load(&h->stop))
        usleep(20);
}

void data_pause(struct host *h)
{
    atomic_store(&h->pause_wanted, 1);
    bell_ring(&h->channel->data_bell, &h->channel->data_sleeping);
    await_paused(h, 1);
}

void data_resume(struct host *h)
{
    atomic_store(&h->pause_wanted, 0);
    futex_wake_all((uint32_t *)&h->pause_wanted);
    await_paused(h, 0);
}
