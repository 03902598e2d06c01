#define _GNU_SOURCE
#include "host.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "futex.h"

/* A signal handler gets no pointer of ours; written once, before the handler is installed. */
static char *volatile crash_text;
static isle_channel_header *volatile crash_channel;

static size_t put(char *to, size_t at, const char *text)
{
    while (*text && at < ISLE_CRASH_BYTES - 1)
        to[at++] = *text++;
    return at;
}

static size_t put_number(char *to, size_t at, uint64_t value, unsigned base)
{
    char digits[24];
    int n = 0;
    do
        digits[n++] = "0123456789abcdef"[value % base];
    while ((value /= base));
    while (n && at < ISLE_CRASH_BYTES - 1)
        to[at++] = digits[--n];
    return at;
}

static const char *name_of(int signal)
{
    return signal == SIGSEGV   ? "SIGSEGV"
           : signal == SIGBUS  ? "SIGBUS"
           : signal == SIGABRT ? "SIGABRT"
           : signal == SIGFPE  ? "SIGFPE"
           : signal == SIGILL  ? "SIGILL"
                               : "signal";
}

static void told(isle_channel_header *c)
{
    __atomic_store_n(&c->host_state, ISLE_HOST_CRASHED, __ATOMIC_RELEASE);
    bell_ring(&c->reply_bell, &c->reply_sleeping);
}

static void tell(int signal, const siginfo_t *info)
{
    char *to = crash_text;
    char thread[17] = "";
    prctl(PR_GET_NAME, thread);
    size_t at = put(to, 0, "the driver died of ");
    at = put(to, at, name_of(signal));
    at = put(to, at, " (");
    at = put_number(to, at, (uint64_t)signal, 10);
    at = put(to, at, ")");
    if (signal != SIGABRT) {
        at = put(to, at, " at address 0x");
        at = put_number(to, at, (uintptr_t)info->si_addr, 16);
    }
    at = put(to, at, " in thread ");
    at = put(to, at, thread);
    to[at] = 0;
    told(crash_channel);
}

/*
 * Async-signal-safe: only stores and system calls. Of several threads that crash the first one tells and ends the process; the others
 * wait for that, so that none of them cuts the record short. One that crashes while it tells ends the process at once.
 */
static void on_crash(int signal, siginfo_t *info, void *context)
{
    static atomic_int teller;
    int self = (int)syscall(SYS_gettid), first = 0;
    (void)context;
    if (atomic_compare_exchange_strong(&teller, &first, self))
        tell(signal, info);
    else if (first != self)
        for (;;)
            syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0); /* which the sandbox allows, unlike pause */
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL); /* so that the parent sees the true end */
    raise(signal);
}

void crash_thread_stack(void)
{
    size_t size = 64u << 10;
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p != MAP_FAILED)
        sigaltstack(&(stack_t){.ss_sp = p, .ss_size = size}, NULL);
}

void crash_install(char *record, isle_channel_header *channel)
{
    const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
    crash_text = record;
    crash_channel = channel;
    crash_thread_stack();
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction a = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigaction(signals[i], &a, NULL);
    }
}

void crash_record(struct host *h, const char *text)
{
    size_t at = put(h->crash, 0, text);
    h->crash[at] = 0;
    told(h->channel);
}
