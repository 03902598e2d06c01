/*
 * bench-deadline SECONDS PERIOD_US
 *
 * What the kernel gives two SCHED_DEADLINE threads that are promised a half and a quarter of a CPU, beside a thread that takes all it
 * can get. Prints of each `NAME PROMISED_PPM CPU_NS WALL_NS`, and `pinned 1` when all three had one CPU to share: a kernel that admits
 * deadline threads by its books lets them be pinned only in a cpuset of their own; else the flood alone is pinned. Exit code 3, and
 * why, when the kernel refuses SCHED_DEADLINE.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif
#define THREADS 3

/* What the C library did not have for long: struct sched_attr. */
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

static struct share {
    const char *name;
    uint64_t ppm; /* of a CPU; 0: what is left */
    pthread_t thread;
    int refused;
    bool pinned;
    uint64_t cpu_ns;
} shares[THREADS] = {{.name = "half", .ppm = 500000}, {.name = "quarter", .ppm = 250000}, {.name = "flood"}};

static uint64_t period_ns;
static int cpu;
static atomic_bool stop;
static pthread_barrier_t ready;

static uint64_t read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int take_deadline(uint64_t ppm)
{
    struct attributes a = {.size = sizeof a, .policy = SCHED_DEADLINE, .deadline = period_ns, .period = period_ns};
    a.runtime = period_ns / 1000000 * ppm + period_ns % 1000000 * ppm / 1000000;
    return syscall(SYS_sched_setattr, 0, &a, 0) ? errno : 0;
}

static void take_place(struct share *s)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_getaffinity(0, sizeof all, &all);
    s->pinned = !sched_setaffinity(0, sizeof one, &one);
    if (!s->ppm)
        return;
    s->refused = take_deadline(s->ppm);
    if (s->refused == EPERM && s->pinned) {
        s->pinned = false;
        sched_setaffinity(0, sizeof all, &all);
        s->refused = take_deadline(s->ppm);
    }
}

static void *spin(void *share)
{
    take_place(share);
    pthread_barrier_wait(&ready);
    while (!atomic_load_explicit(&stop, memory_order_relaxed))
        ;
    return NULL;
}

/* CPU time of all threads, read as closely together as can be. */
static uint64_t read_all(uint64_t *ns)
{
    clockid_t clock[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_getcpuclockid(shares[i].thread, &clock[i]))
            abort();
    for (int i = 0; i < THREADS; i++)
        ns[i] = read_clock(clock[i]);
    return read_clock(CLOCK_MONOTONIC);
}

static uint64_t measure(uint64_t seconds)
{
    uint64_t before[THREADS], after[THREADS], begun;
    uint64_t settle = period_ns / 8 * 15; /* to where all have had their share of a period */
    struct timespec until = {.tv_sec = (time_t)(settle / 1000000000), .tv_nsec = (long)(settle % 1000000000)};
    nanosleep(&until, NULL);
    begun = read_all(before);
    until = (struct timespec){.tv_sec = (time_t)(begun / 1000000000 + seconds), .tv_nsec = (long)(begun % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
    uint64_t wall = read_all(after) - begun;
    for (int i = 0; i < THREADS; i++)
        shares[i].cpu_ns = after[i] - before[i];
    return wall;
}

static bool number(const char *text, uint64_t least, uint64_t most, const char *name, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    if (!errno && end != text && !*end && *text != '-' && *out >= least && *out <= most)
        return true;
    fprintf(stderr, "bench-deadline: %s %s: a whole number from %llu to %llu is needed\n", name, text, (unsigned long long)least,
            (unsigned long long)most);
    return false;
}

static int refused(int code)
{
    fprintf(stderr, "bench-deadline: the kernel refuses SCHED_DEADLINE: %s: %s\n", strerror(code),
            code == EPERM   ? "CAP_SYS_NICE is needed, outside of any user namespace"
            : code == EBUSY ? "less than 75 % of a CPU is free for deadline threads; see /proc/sys/kernel/sched_rt_runtime_us and other deadline threads"
                            : "see sched_setattr(2)");
    return 3;
}

static int start(void)
{
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &allowed))
        cpu++;
    pthread_barrier_init(&ready, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++) {
        int rc = pthread_create(&shares[i].thread, NULL, spin, &shares[i]);
        if (rc) {
            fprintf(stderr, "bench-deadline: no thread: %s\n", strerror(rc));
            exit(1);
        }
    }
    pthread_barrier_wait(&ready);
    return shares[0].refused ? shares[0].refused : shares[1].refused;
}

int main(int argc, char **argv)
{
    uint64_t seconds, period_us;
    if (argc != 3) {
        fprintf(stderr, "usage: bench-deadline SECONDS PERIOD_US\n");
        return 2;
    }
    if (!number(argv[1], 1, 600, "SECONDS", &seconds) || !number(argv[2], 1000, 1000000, "PERIOD_US", &period_us))
        return 2;
    period_ns = period_us * 1000;
    int rc = start();
    uint64_t wall = rc ? 0 : measure(seconds);
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(shares[i].thread, NULL);
    if (rc)
        return refused(rc);
    for (int i = 0; i < THREADS; i++)
        printf("%s %llu %llu %llu\n", shares[i].name, (unsigned long long)shares[i].ppm, (unsigned long long)shares[i].cpu_ns,
               (unsigned long long)wall);
    printf("pinned %d\n", shares[0].pinned && shares[1].pinned && shares[2].pinned);
    return 0;
}
