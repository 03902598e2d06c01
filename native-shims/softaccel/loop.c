/* Loops spread over idle units. Who runs the submission claims pieces like all others, and has the loop's end to itself. */
#include "loop.h"

#include <sched.h>

#include "clock.h"
#include "leave.h"
#include "ready.h"

bool piece_left(struct exec *x, const struct piece *p)
{
    /* a context that waits has a better claim to a helper's unit */
    return exec_stopped(x) || (p->helper && ready_from(x->device, x->context->priority));
}

/* The state of a loop: open or not, how many helpers are in it, and how many came in this round. */
#define OPEN 1u
#define HELPER 2u
#define JOINED (1u << 16)
#define INSIDE (JOINED - 1)

/* Each unit that takes part leaves at most one piece unfinished, so there is room for those of a round. */
static bool has_room(const struct device *d, uint32_t state)
{
    return state / JOINED < d->settings.compute_units;
}

static bool takes_helpers(const struct device *d, struct job *j, uint32_t state)
{
    return (state & OPEN) && has_room(d, state) &&
           atomic_load_explicit(&j->next, memory_order_relaxed) < atomic_load_explicit(&j->count, memory_order_relaxed);
}

bool loop_open(struct device *d, struct job *j)
{
    return takes_helpers(d, j, atomic_load(&j->state));
}

/* Each claim is followed up: done, or noted as unfinished; a unit leaves after the one that it has not finished. */
static void run_pieces(struct job *j, bool helper)
{
    uint32_t state;
    while (!exec_was_stopped(j->exec) && ((state = atomic_load(&j->state)) & OPEN)) {
        if (!helper && !has_room(j->exec->device, state) && atomic_load(&j->unfinished_count))
            return; /* a new round, so that idle units can help again */
        uint64_t i = atomic_fetch_add_explicit(&j->next, 1, memory_order_relaxed);
        if (i >= atomic_load_explicit(&j->count, memory_order_relaxed))
            return;
        struct piece p;
        if (i < j->left)
            p = j->piece[i];
        else
            p.index = j->first + (i - j->left), p.done = 0;
        p.helper = helper;
        if (j->body(j->exec, j->args, &p))
            continue;
        j->unfinished[atomic_fetch_add(&j->unfinished_count, 1)] = p;
        return;
    }
}

bool loop_help(struct worker *w)
{
    struct device *d = w->device;
    bool helped = false;
    for (uint32_t i = 0; i < d->settings.compute_units && !helped; i++) {
        struct job *j = &d->workers[i].job;
        uint32_t state = atomic_load(&j->state);
        while (!helped && takes_helpers(d, j, state))
            helped = atomic_compare_exchange_weak(&j->state, &state, state + HELPER + JOINED);
        if (!helped)
            continue;
        uint64_t before = thread_cpu_ns();
        run_pieces(j, true);
        uint64_t busy = thread_cpu_ns() - before;
        atomic_fetch_add(&j->exec->helper_busy_ns, busy);
        atomic_fetch_add_explicit(&w->busy_ns, busy, memory_order_relaxed);
        atomic_fetch_sub(&j->state, HELPER); /* the last touch: the owner waits for it and then the loop is gone */
    }
    return helped;
}

/* What is left after a round. */
static void collect(struct progress *at, struct job *j)
{
    uint64_t claimed = atomic_load(&j->next), count = atomic_load(&j->count);
    uint32_t n = atomic_load(&j->unfinished_count);
    claimed = claimed < count ? claimed : count;
    for (uint64_t i = claimed; i < j->left; i++)
        j->unfinished[n++] = j->piece[i];
    at->next += claimed > j->left ? claimed - j->left : 0;
    at->left = n;
    at->piece = j->unfinished;
}

static void run_round(struct exec *x, struct job *j, uint64_t count)
{
    struct device *d = x->device;
    struct worker *w = x->worker;
    uint32_t room = d->settings.compute_units + 1;
    j->first = x->at.next;
    j->left = x->at.left;
    j->piece = x->at.piece;
    j->unfinished = j->piece == w->pieces ? w->pieces + room : w->pieces;
    atomic_store_explicit(&j->unfinished_count, 0, memory_order_relaxed);
    atomic_store_explicit(&j->count, count, memory_order_relaxed);
    atomic_store_explicit(&j->next, 0, memory_order_relaxed);
    atomic_store(&j->state, OPEN);
    for (uint64_t i = 1; i < d->settings.compute_units && i < count; i++)
        ready_wake(d);
    run_pieces(j, false);
    atomic_fetch_and(&j->state, ~OPEN);
    while (atomic_load(&j->state) & INSIDE)
        sched_yield();
    collect(&x->at, j);
}

void parallel(struct exec *x, uint64_t count, loop_body *body, const void *args)
{
    struct progress *at = &x->at;
    struct job *j = &x->worker->job;
    if (x->loop++ < at->loops)
        return;
    j->body = body;
    j->args = args;
    j->exec = x;
    while (!exec_was_stopped(x) && (at->left || at->next < count))
        run_round(x, j, at->left + (count - at->next));
    if (exec_was_stopped(x))
        return;
    at->loops++;
    at->next = 0;
}
