/*
 * bench-dispatch DRIVER.so raw|rt N INFLIGHT
 *
 * Prints the wall time in ns per completed no-op submission in steady state, INFLIGHT at a time, over N submissions after a warm-up of
 * N / 10. raw: calls the driver's vtable, complete() puts the tag into a ring. rt: the same through driver-rt with its checks.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "futex.h"

static void fail(const char *what, int rc)
{
    fprintf(stderr, "bench-dispatch: %s failed with %d\n", what, rc);
    exit(1);
}

void bench_check(const char *what, int rc)
{
    if (rc < 0)
        fail(what, rc);
}

uint32_t bench_noop(uint8_t *to, uint64_t program, uint64_t tag)
{
    struct {
        isle_command head;
        isle_binding program;
        isle_op_dispatch dispatch;
    } k = {.head = {.magic = ISLE_COMMAND_MAGIC,
                    .version = ISLE_COMMAND_VERSION,
                    .header_size = sizeof(isle_command),
                    .total_length = sizeof k,
                    .binding_count = 1,
                    .op_count = 1,
                    .tag = tag},
           .program = {.object = program, .access = ISLE_ACCESS_PROGRAM},
           .dispatch = {.op = {ISLE_OP_DISPATCH, 0, sizeof(isle_op_dispatch)}, .x = 1, .y = 1, .z = 1}};
    memcpy(to, &k, sizeof k);
    return sizeof k;
}

/* Keeps `inflight` submissions going until `n` have completed; the same loop for both ways. */
static void loop(struct bench *b, uint64_t n, uint32_t inflight)
{
    uint64_t submitted = 0, completed = 0;
    uint32_t spins = 0;
    while (completed < n) {
        bool moved = false;
        while (submitted < n && submitted - completed < inflight && b->submit(b, (uint32_t)(submitted % inflight))) {
            submitted++;
            moved = true;
        }
        while (b->take(b)) {
            completed++;
            moved = true;
        }
        if (moved)
            spins = 0;
        else if (++spins % 64 == 0)
            sched_yield(); /* on a crowded machine the worker may wait for this very core */
        else
            cpu_relax();
    }
}

int main(int argc, char **argv)
{
    if (argc != 5 || (strcmp(argv[2], "raw") && strcmp(argv[2], "rt"))) {
        fprintf(stderr, "usage: bench-dispatch DRIVER.so raw|rt N INFLIGHT\n");
        return 2;
    }
    uint64_t n = strtoull(argv[3], NULL, 10);
    uint32_t inflight = (uint32_t)strtoul(argv[4], NULL, 10);
    if (!n || !inflight || inflight > BENCH_INFLIGHT) {
        fprintf(stderr, "bench-dispatch: N must be positive, INFLIGHT 1 to %u\n", BENCH_INFLIGHT);
        return 2;
    }
    struct bench *b = strcmp(argv[2], "raw") ? bench_rt(argv[1]) : bench_raw(argv[1]);
    loop(b, n / 10 + 1, inflight);
    uint64_t start = clock_ns();
    loop(b, n, inflight);
    uint64_t took = clock_ns() - start;
    b->close(b);
    printf("%.2f\n", (double)took / (double)n);
    return 0;
}
