/* An HPU: a thread that takes its tasks from its place in the rings. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "futex.h"
#include "hpu.h"

/* handler_args_t and task_t of handler.h */
struct handler_args {
    uint32_t task, hpu_gid, cluster_id, hpu_id;
};

struct __attribute__((packed)) handler_task {
    uint32_t handler_mem, handler_mem_size, pkt_mem, pkt_mem_size;
    uint32_t scratchpad[ISLE_SPIN_CLUSTERS], unused_0[2], scratchpad_size[ISLE_SPIN_CLUSTERS], unused_1[2];
    uint32_t host_mem_high, host_mem_low, host_mem_size;
    uint32_t l2_pkt_mem, home_cluster_id, flow_id;
};

_Static_assert(sizeof(struct handler_task) == 72 && ISLE_SPIN_CLUSTERS == 2, "as programs have it");

struct task_page {
    struct handler_args args;
    struct handler_task task;
};

/* Of a queue and a cluster. */
static uint32_t scratchpad_size(const struct spin_low *low)
{
    return low->scratchpads_size / (ISLE_SPIN_CLUSTERS * ISLE_SPIN_QUEUES);
}

int spin_run(struct hpu *h, uint32_t function)
{
    const struct spin_low *low = &h->context->low;
    h->pending = 0;
    h->cause = 0;
    h->address = h->instruction = 0;
    h->reserved = NULL;
    __atomic_store_n(&h->sequence, h->sequence + 1, __ATOMIC_RELEASE);
    int trapped = spin_enter(h, function, spin_task_page(low, h->number), spin_stack(low, h->number) + SPIN_STACK);
    h->in_call = 0;
    if (trapped && h->pending)
        h->cause = h->pending;
    return trapped;
}

/* Before the first task and behind each one, while the NIC looks at its end: what a handler may have changed and the next one must not see. */
static void renew(const struct hpu *h)
{
    const struct spin_context *x = h->context;
    const struct spin_low *low = &x->low;
    uint32_t l1 = spin_l1(low, h->number), page = spin_task_page(low, h->number);
    spin_controls();
    memset(spin_at(l1), 0, SPIN_L1);
    *(struct task_page *)spin_at(page) = (struct task_page){
        .args = {.task = page + (uint32_t)offsetof(struct task_page, task),
                 .hpu_gid = h->number,
                 .cluster_id = h->number / ISLE_SPIN_CORES,
                 .hpu_id = h->number % ISLE_SPIN_CORES},
        .task = {.handler_mem = low->handler,
                 .handler_mem_size = low->handler_size,
                 .pkt_mem = l1,
                 .scratchpad_size = {scratchpad_size(low), scratchpad_size(low)},
                 .host_mem_high = x->how.host.size ? (uint32_t)(ISLE_SPIN_HOST >> 32) : 0,
                 .host_mem_low = (uint32_t)ISLE_SPIN_HOST,
                 .host_mem_size = (uint32_t)x->how.host.size},
    };
}

/* The packet, and where all is that depends on the task. */
static void prepare(struct hpu *h, const isle_spin_task *t)
{
    const struct spin_low *low = &h->context->low;
    struct handler_task *task = &((struct task_page *)spin_at(spin_task_page(low, h->number)))->task;
    memcpy(spin_at(spin_l1(low, h->number)), spin_at(low->packets + t->offset), t->length);
    task->pkt_mem_size = t->length;
    task->l2_pkt_mem = low->packets + t->offset;
    task->home_cluster_id = t->home_cluster;
    task->flow_id = t->queue;
    for (uint32_t c = 0; c < ISLE_SPIN_CLUSTERS; c++)
        task->scratchpad[c] = low->scratchpads + (c * ISLE_SPIN_QUEUES + t->queue) * scratchpad_size(low);
}

static bool is_task(const struct spin_context *x, const isle_spin_task *t)
{
    return !__atomic_load_n(&x->rings->stopped, __ATOMIC_RELAXED) && t->handler <= ISLE_SPIN_TAIL && x->handlers[t->handler] &&
           t->queue < ISLE_SPIN_QUEUES && t->home_cluster < ISLE_SPIN_CLUSTERS && t->length && t->length <= ISLE_SPIN_FRAME &&
           t->offset <= x->low.packets_size && t->length <= x->low.packets_size - t->offset;
}

static void count_traps(struct hpu *h, uint32_t handler, bool trapped, uint32_t instruction)
{
    struct spin_context *x = h->context;
    uint32_t limit = x->how.limits.trap_limit;
    if (!trapped) {
        if (__atomic_load_n(&x->traps_in_a_row, __ATOMIC_RELAXED))
            __atomic_store_n(&x->traps_in_a_row, 0, __ATOMIC_RELAXED);
        return;
    }
    pthread_mutex_lock(&x->trap_lock);
    x->newest_trap = (struct spin_trap){h->cause, handler, h->number, instruction, h->address};
    pthread_mutex_unlock(&x->trap_lock);
    spin_count(&x->rings->counters.traps, 1);
    if (__atomic_add_fetch(&x->traps_in_a_row, 1, __ATOMIC_RELAXED) == limit && limit)
        __atomic_store_n(&x->rings->stopped, 1, __ATOMIC_RELEASE);
}

static void take(struct hpu *h, uint32_t posted)
{
    struct spin_context *x = h->context;
    isle_spin_end *end = &h->shared->end;
    isle_spin_task task = h->shared->task;
    uint32_t result = ISLE_SPIN_REFUSED, instruction = 0;
    uint64_t start = clock_ns();
    h->cause = 0;
    h->address = 0;
    if (is_task(x, &task)) {
        prepare(h, &task);
        result = spin_run(h, x->handlers[task.handler]) ? ISLE_SPIN_TRAPPED : ISLE_SPIN_DONE;
        spin_count(&x->rings->counters.tasks, 1);
        instruction = h->instruction - x->low.image < x->low.image_size ? (uint32_t)(h->instruction - x->low.image) : 0;
        count_traps(h, task.handler, result == ISLE_SPIN_TRAPPED, instruction);
    } else {
        spin_count(&x->rings->counters.refused, 1);
    }
    end->start_ns = start;
    end->end_ns = clock_ns();
    end->result = result;
    end->cause = h->cause;
    end->address = h->address;
    end->instruction = instruction;
    __atomic_store_n(&end->ended, posted, __ATOMIC_RELEASE);
    renew(h);
}

static bool has_work(const struct hpu *h, const uint32_t *posted, uint32_t seen)
{
    return __atomic_load_n(posted, __ATOMIC_SEQ_CST) != seen || __atomic_load_n(&h->context->stopping, __ATOMIC_SEQ_CST);
}

/* Whether there is work before its time to spin is over. */
static bool spin(const struct hpu *h, const uint32_t *posted, uint32_t seen)
{
    uint64_t until = 0, spin_ns = h->context->how.limits.hpu_spin_us * 1000ull;
    /* the clock costs as much as several looks */
    for (uint32_t looks = 1; spin_ns; looks++) {
        if (has_work(h, posted, seen))
            return true;
        cpu_relax();
        if (looks % 32)
            continue;
        uint64_t now = clock_ns();
        until = until ? until : now + spin_ns;
        if (now >= until)
            return false;
    }
    return false;
}

/* Sleeps until there is a task, or the end. The watch sleeps only while all HPUs do. */
static void sleep_for(struct hpu *h, uint32_t *posted, uint32_t seen)
{
    uint32_t *sleeping = &h->shared->end.sleeping;
    if (spin(h, posted, seen))
        return;
    __atomic_store_n(sleeping, 1, __ATOMIC_SEQ_CST);
    if (!has_work(h, posted, seen)) {
        __atomic_store_n(&h->awake, 0, __ATOMIC_RELEASE);
        futex_wait(posted, seen, 0);
        __atomic_store_n(&h->awake, 1, __ATOMIC_SEQ_CST);
        spin_watch_wake(h->context);
    }
    __atomic_store_n(sleeping, 0, __ATOMIC_RELAXED);
}

static void begin(struct hpu *h)
{
    struct spin_context *x = h->context;
    int trapped = spin_run(h, x->low.image + x->entry.begin);
    renew(h);
    __atomic_store_n(&x->begun, trapped ? 2 : 1, __ATOMIC_RELEASE);
    futex_wake_all(&x->begun);
}

void *spin_hpu_main(void *argument)
{
    struct hpu *h = argument;
    uint32_t *posted = &h->shared->task.posted, seen, ended = 0; /* of the rings as they were made */
    char name[16];
    sigset_t all;
    stack_t stack = {.ss_sp = h->signal_stack, .ss_size = SPIN_STACK}, before;
    snprintf(name, sizeof name, "isle-hpu-%u", h->number);
    prctl(PR_SET_NAME, name);
    __atomic_store_n(&h->tid, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
    spin_self = h;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGTRAP);
    sigdelset(&all, SIGABRT);
    sigdelset(&all, SPIN_TIME_SIGNAL);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    sigaltstack(&stack, &before);
    renew(h);
    if (!h->number)
        begin(h);
    while (!__atomic_load_n(&h->context->stopping, __ATOMIC_ACQUIRE)) {
        seen = __atomic_load_n(posted, __ATOMIC_ACQUIRE);
        if (seen == ended)
            sleep_for(h, posted, seen);
        else
            take(h, ended = seen);
    }
    sigaltstack(&before, NULL);
    return NULL;
}
