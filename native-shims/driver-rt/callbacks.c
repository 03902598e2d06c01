/*
 * Drivers without complete(): callbacks and polling. The specification's callback carries no pointer of ours, so each such device takes
 * one function of a fixed pool. A callback may come before submit_commands has returned the handle that names it: it is then kept as
 * "early" until the submission in progress is known. Only these drivers pay for the lock.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <errno.h>
#include <sched.h>

#include "futex.h"

#define POOL 16

static _Atomic(isle_rt *) pool[POOL];

static void lock(isle_rt *rt)
{
    for (uint32_t spins = 0; atomic_flag_test_and_set_explicit(&rt->callback_lock, memory_order_acquire); spins++)
        if (spins % 64 == 63)
            sched_yield();
        else
            cpu_relax();
}

static void unlock(isle_rt *rt)
{
    atomic_flag_clear_explicit(&rt->callback_lock, memory_order_release);
}

/* Ends the submission of a slot that was in `polled`; the slot's tag is rebuilt from its word. */
static void finish(isle_rt *rt, uint32_t index, uint32_t status, int32_t detail)
{
    struct slot *s = &rt->slots[index];
    uint64_t word = atomic_load_explicit(&s->word, memory_order_acquire);
    if (!(word & 1))
        return; /* a reset ended it before */
    if (status > ACCEL_COMPLETION_PARTIAL_ERROR) {
        rt_violation(rt);
        status = ACCEL_COMPLETION_ERROR;
        detail = -EPROTO;
    }
    isle_completion c = {.tag = (word & ~(uint64_t)UINT32_MAX) | index,
                         .status = status,
                         .detail = detail,
                         .start_ns = s->submitted_ns,
                         .end_ns = clock_ns()};
    rt_complete(rt, &c);
}

static void drop(isle_rt *rt, uint32_t at)
{
    rt->polled[at] = rt->polled[--rt->polled_count];
}

/* Drops what a reset has ended meanwhile (handles may be given out again), and an older use of the slot `index`. */
static void sweep(isle_rt *rt, uint32_t index)
{
    for (uint32_t i = 0; i < rt->polled_count;)
        if (rt->polled[i] != index && (atomic_load_explicit(&rt->slots[rt->polled[i]].word, memory_order_acquire) & 1))
            i++;
        else
            drop(rt, i);
}

static void on_callback(isle_rt *rt, AccelSubmissionHandle submission, AccelCompletionStatus status)
{
    if (!rt)
        return;
    lock(rt);
    bool known = false;
    for (uint32_t i = 0; i < rt->polled_count && !known; i++) {
        uint32_t index = rt->polled[i];
        if (rt->slots[index].submission != submission)
            continue;
        known = true;
        drop(rt, i);
        finish(rt, index, status, status == ACCEL_COMPLETION_ERROR ? -EIO : 0);
    }
    if (!known && rt->submitting && rt->early_count < RT_EARLY)
        rt->early[rt->early_count++] = (struct early){submission, status};
    else if (!known)
        rt_violation(rt);
    unlock(rt);
}

#define TRAMPOLINE(n)                                                                                                     \
    static void trampoline##n(AccelContextHandle context, AccelSubmissionHandle submission, AccelCompletionStatus status) \
    {                                                                                                                     \
        (void)context;                                                                                                    \
        on_callback(atomic_load_explicit(&pool[n], memory_order_acquire), submission, status);                            \
    }
TRAMPOLINE(0) TRAMPOLINE(1) TRAMPOLINE(2) TRAMPOLINE(3) TRAMPOLINE(4) TRAMPOLINE(5) TRAMPOLINE(6) TRAMPOLINE(7)
TRAMPOLINE(8) TRAMPOLINE(9) TRAMPOLINE(10) TRAMPOLINE(11) TRAMPOLINE(12) TRAMPOLINE(13) TRAMPOLINE(14) TRAMPOLINE(15)

static const AccelCompletionCallback functions[POOL] = {
    trampoline0, trampoline1, trampoline2,  trampoline3,  trampoline4,  trampoline5,  trampoline6,  trampoline7,
    trampoline8, trampoline9, trampoline10, trampoline11, trampoline12, trampoline13, trampoline14, trampoline15};

int callbacks_claim(isle_rt *rt)
{
    for (int i = 0; i < POOL; i++) {
        isle_rt *none = NULL;
        if (atomic_compare_exchange_strong(&pool[i], &none, rt)) {
            rt->trampoline = i;
            return 0;
        }
    }
    return -EBUSY;
}

void callbacks_release(isle_rt *rt)
{
    if (rt->trampoline >= 0)
        atomic_store(&pool[rt->trampoline], NULL);
    rt->trampoline = -1;
}

AccelCompletionCallback callbacks_function(const isle_rt *rt)
{
    return rt->trampoline >= 0 ? functions[rt->trampoline] : NULL;
}

IoResultCode callbacks_submit(isle_rt *rt, uint32_t index, AccelContextHandle context, const uint8_t *command, uint32_t length)
{
    struct slot *s = &rt->slots[index];
    AccelSubmissionHandle submission = 0;
    s->submitted_ns = clock_ns();
    lock(rt);
    sweep(rt, index);
    rt->submitting = true;
    rt->early_count = 0;
    unlock(rt);
    IoResultCode rc = rt->base.submit_commands(rt->device, context, command, length, NULL, 0, &submission);
    lock(rt);
    rt->submitting = false;
    bool early = false;
    for (uint32_t i = 0; i < rt->early_count; i++) {
        if (rc >= 0 && !early && rt->early[i].submission == submission) {
            early = true;
            finish(rt, index, rt->early[i].status, rt->early[i].status == ACCEL_COMPLETION_ERROR ? -EIO : 0);
        } else {
            rt_violation(rt);
        }
    }
    if (rc >= 0 && !early) {
        s->submission = submission;
        rt->polled[rt->polled_count++] = index;
    }
    unlock(rt);
    return rc;
}

static int32_t poll_some(isle_rt *rt, uint32_t limit)
{
    int32_t done = 0;
    if (!atomic_load_explicit(&rt->open, memory_order_acquire))
        return 0;
    for (uint32_t n = 0; n < limit && rt->polled_count; n++) {
        if (rt->poll_next >= rt->polled_count)
            rt->poll_next = 0;
        uint32_t index = rt->polled[rt->poll_next];
        AccelCompletionStatus status = ACCEL_COMPLETION_SUCCESS;
        IoResultCode rc = rt->base.poll_completion(rt->device, rt->slots[index].submission, &status);
        if (rc == -EINPROGRESS) {
            rt->poll_next++;
            continue;
        }
        drop(rt, rt->poll_next);
        finish(rt, index, rc < 0 ? ACCEL_COMPLETION_ERROR : status, rc < 0 ? rc : status == ACCEL_COMPLETION_ERROR ? -EIO : 0);
        done++;
    }
    return done;
}

RT_API int32_t isle_rt_poll(isle_rt *rt, uint32_t limit)
{
    if (rt->completion_mode != RT_POLLING || !rt->polled_count)
        return 0;
    lane_enter(rt);
    int32_t done = poll_some(rt, limit);
    lane_leave(rt);
    return done;
}
