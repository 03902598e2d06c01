#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spin.h"

static void pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) < 0)
        spin_fail("sched_setaffinity");
}

static void await(_Atomic uint64_t *word, uint64_t value)
{
    while (atomic_load_explicit(word, memory_order_acquire) != value)
#ifdef __x86_64__
        __builtin_ia32_pause();
#else
        ;
#endif
}

static _Noreturn void answer(_Atomic uint64_t *word)
{
    for (uint64_t n = 1;; n += 2) {
        await(word, n);
        atomic_store_explicit(word, n + 1, memory_order_release);
    }
}

/* The answering process, which ends with this one. */
static pid_t begin(_Atomic uint64_t *word)
{
    pid_t parent = getpid(), child = fork();
    if (child < 0)
        spin_fail("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            exit(1);
        pin(1);
        answer(word);
    }
    pin(0);
    return child;
}

static void round_trips(_Atomic uint64_t *word, uint64_t from, uint64_t to)
{
    for (uint64_t n = from; n != to; n++) {
        atomic_store_explicit(word, 2 * n + 1, memory_order_release);
        await(word, 2 * n + 2);
    }
}

double spin_line(uint64_t rounds)
{
    _Atomic uint64_t *word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (word == MAP_FAILED)
        spin_fail("mmap");
    pid_t child = begin(word);
    uint64_t warm = rounds / 4 + 1;
    round_trips(word, 0, warm);
    int64_t start = spin_now();
    round_trips(word, warm, warm + rounds);
    double ns = (double)(spin_now() - start) / (double)rounds;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    munmap((void *)word, 4096);
    return ns;
}
