/*
 * bench-tango MODE DEPTH ROUNDS: two processes on a processor each, on links in shared memory (isle_tango.h), without sleeping. Prints
 * nanoseconds, the mean of ROUNDS.
 *   rate  a fragment's metadata one way, with flow control: the consumer gives credit back every 512 fragments
 *   rtt   a fragment's metadata there and back, by two links
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "isle_tango.h"

enum { CREDIT = 512 };

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "bench-tango: %s\n", what);
    exit(1);
}

static void pin(int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) < 0)
        fail("sched_setaffinity");
}

static int64_t now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000000000LL + at.tv_nsec;
}

static void *memory(uint64_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        fail("mmap");
    return at;
}

static isle_mcache *mcache(uint64_t depth)
{
    uint64_t bytes = isle_mcache_footprint(depth, 0);
    if (!bytes)
        fail("DEPTH is a power of two from 128 to 16777216");
    return isle_mcache_new(memory(bytes), bytes, depth, 0, 0);
}

static pid_t forked(void)
{
    pid_t parent = getpid(), child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            exit(1);
        pin(1);
    } else
        pin(0);
    return child;
}

static void pause_cpu(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
}

static _Noreturn void consume(const isle_mcache *m, uint64_t depth, isle_fseq *fseq)
{
    for (uint64_t seq = 0, told = 0;; told = seq) {
        int64_t ahead = 0;
        for (isle_frag_meta got; seq - told < CREDIT && !(ahead = isle_mcache_read(m, depth, seq, &got)); seq++)
            if (got.sig != seq)
                fail("a fragment is lost");
        if (ahead > 0)
            fail("a fragment is lost");
        if (seq != told)
            isle_fseq_update(fseq, seq);
        else
            pause_cpu();
    }
}

static double rate(uint64_t depth, uint64_t rounds)
{
    isle_mcache *m = mcache(depth);
    isle_fseq *fseq = isle_fseq_new(memory(sizeof *fseq), 0);
    pid_t child = forked();
    if (child == 0)
        consume(m, depth, fseq);
    isle_fctl_consumer consumer = {fseq, (int64_t)depth, 0};
    isle_fctl credits;
    if (isle_fctl_start(&credits, &consumer, 1, 1, 0, 0, 0, 0))
        fail("no credits");
    uint64_t seq = 0, warm = rounds / 4 + 1;
    int64_t begin = 0;
    for (uint64_t end = warm; ; end += rounds) {
        while (seq != end) {
            uint64_t most = (uint64_t)isle_fctl_update(&credits, seq), n = end - seq < most ? end - seq : most;
            if (!n)
                pause_cpu();
            credits.available -= (int64_t)n;
            for (uint64_t to = seq + n; seq != to; seq++)
                isle_mcache_publish(m, depth, seq, seq, 1, 64, ISLE_CTL_WHOLE, 0, 0);
        }
        while (isle_fseq_seq(fseq) != seq)
            pause_cpu();
        if (end != warm)
            break;
        begin = now();
    }
    double ns = (double)(now() - begin) / (double)rounds;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return ns;
}

static void await(const isle_mcache *m, uint64_t depth, uint64_t seq)
{
    isle_frag_meta got;
    int64_t ahead;
    while ((ahead = isle_mcache_read(m, depth, seq, &got)))
        if (ahead > 0)
            fail("a fragment is lost");
}

static void round_trips(isle_mcache *there, isle_mcache *back, uint64_t depth, uint64_t from, uint64_t to)
{
    for (uint64_t seq = from; seq != to; seq++) {
        isle_mcache_publish(there, depth, seq, seq, 1, 64, ISLE_CTL_WHOLE, 0, 0);
        await(back, depth, seq);
    }
}

static double rtt(uint64_t depth, uint64_t rounds)
{
    isle_mcache *there = mcache(depth), *back = mcache(depth);
    pid_t child = forked();
    if (child == 0)
        for (uint64_t seq = 0;; seq++) {
            await(there, depth, seq);
            isle_mcache_publish(back, depth, seq, seq, 1, 64, ISLE_CTL_WHOLE, 0, 0);
        }
    uint64_t warm = rounds / 4 + 1;
    round_trips(there, back, depth, 0, warm);
    int64_t begin = now();
    round_trips(there, back, depth, warm, warm + rounds);
    double ns = (double)(now() - begin) / (double)rounds;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return ns;
}

int main(int argc, char **argv)
{
    if (argc != 4 || (strcmp(argv[1], "rate") && strcmp(argv[1], "rtt"))) {
        fputs("usage: bench-tango rate|rtt DEPTH ROUNDS\n", stderr);
        return 2;
    }
    uint64_t depth = strtoull(argv[2], NULL, 10), rounds = strtoull(argv[3], NULL, 10);
    if (rounds < 1 || rounds > 1ull << 40) {
        fputs("bench-tango: ROUNDS are 1 to 2^40\n", stderr);
        return 2;
    }
    printf("%.3f\n", strcmp(argv[1], "rate") ? rtt(depth, rounds) : rate(depth, rounds));
    return 0;
}
