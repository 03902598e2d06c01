/* What a host says of a crash when more than one thing goes wrong at a time. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../driver-host/host.h"
#include "harness.h"

/* How a process says that the machine has no seccomp. */
#define NO_TRAPS 77

#ifdef __SANITIZE_THREAD__ /* its handlers run with every signal blocked, so that a trap in one ends the process */
#define CAN_TRAP false
#else
#define CAN_TRAP true
#endif

/* Shared with the process that crashes. */
static struct shared {
    isle_channel_header channel;
    char record[ISLE_CRASH_BYTES];
    atomic_int crash_too, waits;
} *shared;
static bool bus_error_too;

/* The thread that tells asks for its name half way: there it is held, until the other one waits or, itself, has crashed once more. */
static void on_trap(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    if (info->si_syscall == SYS_ppoll) {
        atomic_store(&shared->waits, 1);
        for (;;)
            sched_yield();
    }
    if (bus_error_too)
        raise(SIGBUS);
    atomic_store(&shared->crash_too, 1);
    while (!atomic_load(&shared->waits))
        sched_yield();
}

static int trap_calls(void)
{
    struct sock_filter code[] = {
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr)},
        {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SYS_prctl},
        {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_ppoll},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_TRAP},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    };
    struct sock_fprog filter = {sizeof code / sizeof code[0], code};
    struct sigaction a = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    if (sigaction(SIGSYS, &a, NULL) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return -errno;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) ? -errno : 0;
}

static void *crash_second(void *arg)
{
    while (!atomic_load(&shared->crash_too))
        sched_yield();
    raise(SIGSEGV);
    return arg;
}

static void crash(void)
{
    pthread_t second;
    alarm(20);
    crash_install(shared->record, &shared->channel);
    if (trap_calls())
        _exit(NO_TRAPS);
    if (pthread_create(&second, NULL, crash_second, NULL))
        _exit(1);
    raise(SIGSEGV);
    _exit(2);
}

/* How a process that does so ends; what it told is in `shared`. */
static int end_of(void (*what)(void))
{
    int status = -1;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !CAN_TRAP)
        return -1;
    fflush(stdout);
    pid_t child = fork();
    if (!child)
        what();
    if (child > 0)
        waitpid(child, &status, 0);
    return status;
}

static bool no_traps(int status)
{
    return !CAN_TRAP || (WIFEXITED(status) && WEXITSTATUS(status) == NO_TRAPS);
}

static void a_second_thread_that_crashes_leaves_the_first_ones_record_whole(void)
{
    bus_error_too = false;
    int status = end_of(crash);
    if (no_traps(status))
        return;
    CHECK(WIFSIGNALED(status));
    CHECK_EQ(SIGSEGV, WTERMSIG(status));
    CHECK_EQ(ISLE_HOST_CRASHED, shared->channel.host_state);
    CHECK(strstr(shared->record, "the driver died of SIGSEGV (11) that the driver sent itself"));
    CHECK(strstr(shared->record, " in thread "));
}

static void a_crash_while_a_crash_is_told_ends_the_process(void)
{
    bus_error_too = true;
    int status = end_of(crash);
    if (no_traps(status))
        return;
    CHECK(WIFSIGNALED(status));
    CHECK_EQ(SIGBUS, WTERMSIG(status));
}

static const struct test tests[] = {
    TEST(a_second_thread_that_crashes_leaves_the_first_ones_record_whole),
    TEST(a_crash_while_a_crash_is_told_ends_the_process),
};

int main(int argc, char **argv)
{
    return run_tests("crash", tests, sizeof tests / sizeof tests[0], argc, argv);
}
