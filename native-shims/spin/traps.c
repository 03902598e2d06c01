/* Signals that end a handler. Each one that is not a handler's goes to who had it before. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "hpu.h"

#define DIRECTION 0x400u
#define STEP 0x100u
#define ALIGNMENT 0x40000u

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
#define FAULTS (sizeof signals / sizeof *signals)
static const uint32_t causes[FAULTS] = {ISLE_SPIN_ACCESS, ISLE_SPIN_BUS, ISLE_SPIN_ARITHMETIC, ISLE_SPIN_ILLEGAL, ISLE_SPIN_BREAK};

/* Signals belong to the process, so this is too; contexts hold it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t holders;
static struct sigaction before[FAULTS], before_time;

#if defined(__x86_64__)
static void leave(struct hpu *h, uint32_t cause, uint64_t address, ucontext_t *at)
{
    greg_t *r = at->uc_mcontext.gregs;
    h->cause = cause;
    h->address = address;
    h->instruction = (uint64_t)r[REG_RIP];
    r[REG_RIP] = (greg_t)(uintptr_t)spin_leave;
    r[REG_R10] = (greg_t)(uintptr_t)h;
    r[REG_EFL] &= ~(greg_t)(DIRECTION | STEP | ALIGNMENT);
}
#else
/* no handler runs */
static void leave(struct hpu *h, uint32_t cause, uint64_t address, ucontext_t *at)
{
    (void)h, (void)cause, (void)address, (void)at;
}
#endif

static size_t index_of(int signal)
{
    size_t i = 0;
    while (i < FAULTS - 1 && signals[i] != signal)
        i++;
    return i;
}

static void pass_on(int signal, siginfo_t *info, void *at)
{
    const struct sigaction *old = &before[index_of(signal)];
    if (old->sa_flags & SA_SIGINFO)
        old->sa_sigaction(signal, info, at);
    else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN)
        old->sa_handler(signal);
    else if (old->sa_handler == SIG_DFL) {
        sigaction(signal, old, NULL);
        raise(signal); /* acts when this returns, if the fault does not come again */
    }
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    struct hpu *h = spin_self;
    ucontext_t *at = context;
    greg_t *flags = &at->uc_mcontext.gregs[REG_EFL];
    uint32_t cause = causes[index_of(signal)];
    if (!h || !h->active || info->si_code <= 0) {
        pass_on(signal, info, context);
    } else if (!h->in_call) {
        leave(h, cause, cause == ISLE_SPIN_ACCESS || cause == ISLE_SPIN_BUS ? (uint64_t)(uintptr_t)info->si_addr : 0, at);
    } else if (*flags & (greg_t)(STEP | ALIGNMENT)) {
        /* the handler called with flags that make the runtime fault: the trap is the handler's */
        *flags &= ~(greg_t)(STEP | ALIGNMENT);
        h->pending = cause;
    } else {
        pass_on(signal, info, context);
    }
}

/* Of the watch. It may come late: then its task is not the one that runs. */
static void on_time(int signal, siginfo_t *info, void *context)
{
    struct hpu *h = spin_self;
    (void)signal;
    (void)info;
    if (!h || !h->active || __atomic_load_n(&h->overdue, __ATOMIC_ACQUIRE) != h->sequence)
        return;
    if (h->in_call)
        __atomic_store_n(&h->pending, h->overdue_cause, __ATOMIC_RELEASE);
    else
        leave(h, h->overdue_cause, 0, context);
}

static void put_back(size_t faults)
{
    for (size_t i = 0; i < faults; i++)
        sigaction(signals[i], &before[i], NULL);
}

static int install(void)
{
    struct sigaction a = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigfillset(&a.sa_mask);
    for (size_t i = 0; i < FAULTS; i++)
        if (sigaction(signals[i], &a, &before[i])) {
            put_back(i);
            return -errno;
        }
    a.sa_sigaction = on_time;
    a.sa_flags &= ~SA_RESTART; /* a call that waits looks whether its time is over */
    if (sigaction(SPIN_TIME_SIGNAL, &a, &before_time)) {
        put_back(FAULTS);
        return -errno;
    }
    return 0;
}

int spin_traps_hold(void)
{
    pthread_mutex_lock(&lock);
    int code = holders ? 0 : install();
    holders += !code;
    pthread_mutex_unlock(&lock);
    return code;
}

void spin_traps_release(void)
{
    pthread_mutex_lock(&lock);
    if (!--holders) {
        put_back(FAULTS);
        sigaction(SPIN_TIME_SIGNAL, &before_time, NULL);
    }
    pthread_mutex_unlock(&lock);
}
