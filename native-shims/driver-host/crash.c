#define _GNU_SOURCE
#include "host.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "crash.h"
#include "futex.h"

#define WILD_REGISTERS 3

/* A signal handler gets no pointer of ours; written once, before the handler is installed. */
static char *volatile crash_text;
static isle_channel_header *volatile crash_channel;
static volatile int crash_maps = -1;

/* Threads of the host's own; others without a name have inherited one of these. */
#define FIRST_THREAD "driver-host"
static _Thread_local const char *own_name;

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

static bool inherited(const char *name)
{
    return !strcmp(name, FIRST_THREAD) || !strcmp(name, "isle-data") || !strcmp(name, "isle-watch");
}

static size_t put_thread(char *to, size_t at)
{
    char name[17] = "";
    prctl(PR_GET_NAME, name);
    if (!own_name && inherited(name))
        return put(to, at, " in a thread without a name");
    at = put(to, at, " in thread ");
    return put(to, at, own_name ? own_name : name);
}

/* The processor does not tell an address that none can be, so the registers must: whose value is one. */
static size_t put_wild(char *to, size_t at, const ucontext_t *c)
{
    at = put(to, at, " at an invalid address");
#if defined(__x86_64__)
    static const struct {
        int index;
        const char *name;
    } all[] = {{REG_RAX, "rax"}, {REG_RBX, "rbx"}, {REG_RCX, "rcx"}, {REG_RDX, "rdx"}, {REG_RSI, "rsi"}, {REG_RDI, "rdi"},
               {REG_RBP, "rbp"}, {REG_RSP, "rsp"}, {REG_R8, "r8"},   {REG_R9, "r9"},   {REG_R10, "r10"}, {REG_R11, "r11"},
               {REG_R12, "r12"}, {REG_R13, "r13"}, {REG_R14, "r14"}, {REG_R15, "r15"}};
    int told = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0] && told < WILD_REGISTERS; i++) {
        int64_t value = c->uc_mcontext.gregs[all[i].index];
        if (value >> 47 == 0 || value >> 47 == -1)
            continue;
        at = put(to, at, told++ ? ", " : " (");
        at = put(to, at, all[i].name);
        at = put(to, at, " 0x");
        at = put_number(to, at, (uint64_t)value, 16);
    }
    at = put(to, at, told ? ")" : "");
#else
    (void)c;
#endif
    return at;
}

static size_t put_reason(char *to, size_t at, int signal, const siginfo_t *info, const void *context)
{
    if (info->si_code <= 0 && info->si_pid == getpid())
        return put(to, at, signal == SIGABRT ? "" : " that the driver sent itself");
    if (info->si_code <= 0)
        return put(to, at, " that another process sent");
    if (signal != SIGSEGV && signal != SIGBUS)
        return at;
    if (info->si_code == SI_KERNEL)
        return put_wild(to, at, context);
    at = put(to, at, " at address 0x");
    return put_number(to, at, (uintptr_t)info->si_addr, 16);
}

/* "PC OFFSET PATH", a line each; PC alone where no file is mapped. */
static size_t put_frames(char *to, size_t at, const void *context)
{
    static struct crash_frame frames[CRASH_FRAMES];
    uint32_t count = crash_frames(context, crash_maps, frames);
    for (uint32_t i = 0; i < count; i++) {
        at = put_number(to, at, frames[i].pc, 16);
        if (frames[i].path[0]) {
            at = put(to, at, " ");
            at = put_number(to, at, frames[i].offset, 16);
            at = put(to, at, " ");
            at = put(to, at, frames[i].path);
        }
        at = put(to, at, "\n");
    }
    return at;
}

/* The text comes first and ends with a NUL, so that it stands should there be another crash on the way to the frames. */
static void tell(int signal, const siginfo_t *info, const void *context)
{
    char *to = crash_text;
    size_t at = put(to, 0, "the driver died of ");
    at = put(to, at, name_of(signal));
    at = put(to, at, " (");
    at = put_number(to, at, (uint64_t)signal, 10);
    at = put(to, at, ")");
    at = put_reason(to, at, signal, info, context);
    at = put_thread(to, at);
    to[at++] = 0;
    at = put_frames(to, at, context);
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
    if (atomic_compare_exchange_strong(&teller, &first, self))
        tell(signal, info, context);
    else if (first != self)
        for (;;)
            syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0); /* which the sandbox allows, unlike pause */
    sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL); /* so that the parent sees the true end */
    raise(signal);
}

void crash_thread(const char *name)
{
    own_name = name;
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
    crash_maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC); /* while there is a descriptor to be had */
    crash_thread("isle-control");
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
