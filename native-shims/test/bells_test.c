/* The bells of two processes of a device, and the agent that sleeps on both: no completion is left lying while it sleeps. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "futex.h"
#include "harness.h"
#include "rt.h"

#define PROCESSES 2
#define THREADS 3u
#define ROUNDS 6000u
#define LONG_NS 20000000000ull

/* As <linux/futex.h> has it from 5.16 on. */
struct word {
    uint64_t value, address;
    uint32_t flags, reserved;
};

static struct core core[PROCESSES];
static uint64_t given[PROCESSES][THREADS]; /* the tag that a thread may complete; 0 ends it */

/* The second one rings for the agent of the first. */
static bool begin(void)
{
    setenv("ISLE_TEST_DRIVER", "completes", 1);
    for (int p = 0; p < PROCESSES; p++) {
        core_make(&core[p]);
        if (core_load(&core[p], "libtestdriver.so"))
            return false;
    }
    return !segment_remove(core[1].rt, ISLE_SEGMENT_AGENT) && !isle_rt_add_segment(core[1].rt, ISLE_SEGMENT_AGENT, core[0].agent, 4096, 0);
}

static void end(void)
{
    for (int p = 0; p < PROCESSES; p++) {
        core_unload(&core[p]);
        core_free(&core[p]);
    }
}

static void *complete(void *arg)
{
    uint32_t p = (uint32_t)(uintptr_t)arg / THREADS, t = (uint32_t)(uintptr_t)arg % THREADS;
    for (uint64_t last = 0;;) {
        uint64_t tag = __atomic_load_n(&given[p][t], __ATOMIC_ACQUIRE);
        if (!tag)
            return NULL;
        if (tag == last) {
            sched_yield();
            continue;
        }
        isle_completion c = {.tag = last = tag};
        rt_complete(core[p].rt, &c);
    }
}

static void give(uint32_t p, uint32_t t, uint64_t tag)
{
    atomic_store(&core[p].rt->slots[t].word, (tag & ~(uint64_t)UINT32_MAX) | 1);
    __atomic_store_n(&given[p][t], tag, __ATOMIC_RELEASE);
}

/* Takes what lies there and gives the next; how many. */
static uint32_t look(uint32_t *rounds)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < PROCESSES; p++) {
        isle_channel_header *h = core[p].channel;
        isle_completion_slot *ring = (isle_completion_slot *)(void *)((uint8_t *)h + h->completion_offset);
        for (;; n++) {
            isle_completion_slot *s = &ring[core[p].taken & (h->completion_capacity - 1)];
            if (__atomic_load_n(&s->seq, __ATOMIC_ACQUIRE) != core[p].taken + 1)
                break;
            core[p].taken++;
            uint64_t tag = s->tag;
            if (++*rounds <= ROUNDS)
                give(p, (uint32_t)tag, tag + (1ull << 32));
        }
    }
    return n;
}

/* -1 with ETIMEDOUT when nobody rang. */
static long await(const uint32_t *seen)
{
    struct word words[PROCESSES];
    uint64_t until = clock_ns() + LONG_NS;
    struct timespec at = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
    for (int p = 0; p < PROCESSES; p++)
        words[p] = (struct word){seen[p], (uintptr_t)&core[p].doorbell->bell, 2, 0};
    return syscall(449, words, PROCESSES, 0, &at, CLOCK_MONOTONIC);
}

static void an_agent_that_sleeps_on_two_bells_misses_no_completion(void)
{
    pthread_t threads[PROCESSES * THREADS];
    uint32_t rounds = 0, sleeps = 0, seen[PROCESSES];
    CHECK(begin());
    for (uint32_t i = 0; i < PROCESSES * THREADS; i++)
        give(i / THREADS, i % THREADS, 1ull << 32 | i % THREADS);
    for (uintptr_t i = 0; i < PROCESSES * THREADS; i++)
        pthread_create(&threads[i], NULL, complete, (void *)i);
    while (rounds < ROUNDS + PROCESSES * THREADS) {
        for (int p = 0; p < PROCESSES; p++)
            seen[p] = __atomic_load_n(&core[p].doorbell->bell, __ATOMIC_SEQ_CST);
        if (look(&rounds))
            continue;
        __atomic_store_n(&core[0].agent->sleeping, 1, __ATOMIC_SEQ_CST);
        long woken = await(seen);
        int why = errno;
        __atomic_store_n(&core[0].agent->sleeping, 0, __ATOMIC_SEQ_CST);
        sleeps += woken >= 0;
        CHECK(woken >= 0 || why == EAGAIN || why == EINTR || why == ENOSYS);
    }
    for (uint32_t i = 0; i < PROCESSES * THREADS; i++)
        __atomic_store_n(&given[i / THREADS][i % THREADS], 0, __ATOMIC_RELEASE);
    for (uint32_t i = 0; i < PROCESSES * THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQ(ROUNDS + PROCESSES * THREADS, core[0].taken + core[1].taken);
    CHECK_EQ(core[0].taken, core[0].doorbell->bell);
    CHECK_EQ(core[1].taken, core[1].doorbell->bell);
    CHECK(sleeps > 0 || ROUNDS < 100);
    end();
}

static void the_page_of_the_agent_is_never_writable(void)
{
    static uint8_t page[8192] __attribute__((aligned(4096)));
    core_make(&core[0]);
    setenv("ISLE_TEST_DRIVER", "completes", 1);
    CHECK_EQ(0, core_load(&core[0], "libtestdriver.so"));
    CHECK_EQ(0, segment_remove(core[0].rt, ISLE_SEGMENT_AGENT));
    CHECK_EQ(-EINVAL, isle_rt_add_segment(core[0].rt, ISLE_SEGMENT_AGENT, page, 4096, 1));
    CHECK_EQ(-EINVAL, isle_rt_add_segment(core[0].rt, ISLE_SEGMENT_AGENT, page, 3, 0));
    CHECK_EQ(0, isle_rt_add_segment(core[0].rt, ISLE_SEGMENT_AGENT, page, 4096, 0));
    CHECK_EQ(-EEXIST, isle_rt_add_segment(core[0].rt, ISLE_SEGMENT_AGENT, page + 4096, 4096, 0));
    CHECK_EQ(0, core_open(&core[0], NULL));
    CHECK_EQ(-EBUSY, segment_remove(core[0].rt, ISLE_SEGMENT_AGENT));
    core_unload(&core[0]);
    core_free(&core[0]);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {
        TEST(an_agent_that_sleeps_on_two_bells_misses_no_completion),
        TEST(the_page_of_the_agent_is_never_writable),
    };
    return run_tests("bells", tests, sizeof tests / sizeof tests[0], argc, argv);
}
