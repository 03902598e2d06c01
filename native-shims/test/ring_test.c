/* The completion ring and the in-flight table, without a driver. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "harness.h"
#include "rt.h"

#define PRODUCERS 8
#define ROUNDS 4000u

static struct core core;
static atomic_uint refused, accepted;

static isle_rt *bare(void)
{
    core_make(&core);
    setenv("ISLE_TEST_DRIVER", "completes", 1);
    return core_load(&core, "libtestdriver.so") ? NULL : core.rt;
}

static void done(void)
{
    core_unload(&core);
    core_free(&core);
}

static void put_in_flight(isle_rt *rt, uint64_t tag)
{
    atomic_store(&rt->slots[(uint32_t)tag].word, (tag & ~(uint64_t)UINT32_MAX) | 1);
}

static struct {
    pthread_barrier_t barrier;
    uint64_t tags[PRODUCERS];
} round_;

/* Producer p owns the tags with index p; it waits in the barrier until the reader has put the next ones in flight. */
static void *produce(void *arg)
{
    uint32_t p = (uint32_t)(uintptr_t)arg;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint64_t tag = (uint64_t)(i + 1) << 32 | p;
        isle_completion c = {.tag = tag, .start_ns = tag, .end_ns = tag + 1, .busy_ns = tag + 2, .detail = (int32_t)i};
        while (rt_complete(core.rt, &c) == -ESTALE)
            sched_yield();
    }
    return NULL;
}

static void many_producers_lose_and_double_nothing(void)
{
    isle_rt *rt = bare();
    CHECK(rt);
    pthread_t threads[PRODUCERS];
    uint32_t seen[PRODUCERS] = {0};
    for (uint32_t p = 0; p < PRODUCERS; p++)
        put_in_flight(rt, 1ull << 32 | p);
    for (uintptr_t p = 0; p < PRODUCERS; p++)
        pthread_create(&threads[p], NULL, produce, (void *)p);
    for (uint32_t n = 0; n < PRODUCERS * ROUNDS; n++) {
        isle_completion_slot s;
        CHECK(core_next(&core, 30000, &s));
        uint32_t p = (uint32_t)s.tag;
        CHECK(p < PRODUCERS);
        CHECK_EQ(++seen[p], s.tag >> 32);
        CHECK(s.start_ns == s.tag && s.end_ns == s.tag + 1 && s.busy_ns == s.tag + 2 && s.detail == (int32_t)seen[p] - 1);
        if (seen[p] < ROUNDS)
            put_in_flight(rt, (uint64_t)(seen[p] + 1) << 32 | p);
    }
    for (uint32_t p = 0; p < PRODUCERS; p++)
        pthread_join(threads[p], NULL);
    isle_completion_slot extra;
    CHECK(!core_next(&core, 1, &extra));
    CHECK_EQ(PRODUCERS * ROUNDS, core.channel->completion_tail);
    done();
}

static void *race(void *arg)
{
    isle_completion c = {.tag = (uint64_t)(uintptr_t)arg};
    pthread_barrier_wait(&round_.barrier);
    atomic_fetch_add(rt_complete(core.rt, &c) == 0 ? &accepted : &refused, 1);
    return NULL;
}

static void one_of_many_completions_of_a_tag_wins(void)
{
    isle_rt *rt = bare();
    CHECK(rt);
    for (uint64_t round = 1; round <= 50; round++) {
        pthread_t threads[PRODUCERS];
        uint64_t tag = round << 32 | 5;
        put_in_flight(rt, tag);
        accepted = refused = 0;
        pthread_barrier_init(&round_.barrier, NULL, PRODUCERS);
        for (int p = 0; p < PRODUCERS; p++)
            pthread_create(&threads[p], NULL, race, (void *)(uintptr_t)tag);
        for (int p = 0; p < PRODUCERS; p++)
            pthread_join(threads[p], NULL);
        pthread_barrier_destroy(&round_.barrier);
        CHECK_EQ(1, accepted);
        CHECK_EQ(PRODUCERS - 1, refused);
        isle_completion_slot s;
        CHECK(core_next(&core, 1000, &s) && s.tag == tag);
    }
    CHECK_EQ(50 * (PRODUCERS - 1), core.channel->violations);
    done();
}

static void wrong_tags_and_fields_count_as_violations(void)
{
    isle_rt *rt = bare();
    CHECK(rt);
    put_in_flight(rt, 7ull << 32 | 3);
    uint64_t violations = core.channel->violations;
    const uint64_t wrong[] = {7ull << 32 | 4, 6ull << 32 | 3, 8ull << 32 | 3, 3, 7ull << 32 | TEST_INFLIGHT, 7ull << 32 | UINT32_MAX, UINT64_MAX, 0};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        isle_completion c = {.tag = wrong[i]};
        CHECK_EQ(-ESTALE, rt_complete(rt, &c));
        CHECK_EQ(++violations, core.channel->violations);
    }
    isle_completion bad = {.tag = 7ull << 32 | 3, .status = 5};
    CHECK_EQ(-EINVAL, rt_complete(rt, &bad));
    bad.status = UINT32_MAX;
    CHECK_EQ(-EINVAL, rt_complete(rt, &bad));
    bad = (isle_completion){.tag = 7ull << 32 | 3, .start_ns = 2, .end_ns = 1};
    CHECK_EQ(-EINVAL, rt_complete(rt, &bad));
    isle_completion_slot s;
    CHECK(!core_next(&core, 1, &s));
    CHECK_EQ(1, inflight_fail(rt, 0, -EINTR));
    CHECK_EQ(0, inflight_fail(rt, 0, -EINTR));
    CHECK(core_next(&core, 1000, &s));
    CHECK_EQ(-EINTR, s.detail);
    done();
}

static void ids_are_found_only_as_they_were_put(void)
{
    static struct table t;
    t.kind = ISLE_KIND_MEMORY;
    struct object_view v = {.handle = 11, .owner = 22, .size = 33}, got;
    uint64_t id = core_id(ISLE_KIND_MEMORY, 5, 70000);
    CHECK_EQ(0, table_put(&t, id, &v));
    CHECK_EQ(-EEXIST, table_put(&t, id, &v));
    CHECK_EQ(-EEXIST, table_put(&t, core_id(ISLE_KIND_MEMORY, 6, 70000), &v));
    CHECK_EQ(0, table_get(&t, id, &got));
    CHECK(got.handle == 11 && got.owner == 22 && got.size == 33);
    CHECK_EQ(-EINVAL, table_get(&t, core_id(ISLE_KIND_PROGRAM, 5, 70000), &got));
    CHECK_EQ(-ESTALE, table_get(&t, core_id(ISLE_KIND_MEMORY, 4, 70000), &got));
    CHECK_EQ(-ESTALE, table_get(&t, core_id(ISLE_KIND_MEMORY, 5, 70001), &got));
    CHECK_EQ(-ESTALE, table_get(&t, core_id(ISLE_KIND_MEMORY, 5, UINT32_MAX), &got));
    CHECK_EQ(-EINVAL, table_put(&t, core_id(ISLE_KIND_MEMORY, 5, RT_CHUNK * RT_CHUNKS), &v));
    CHECK_EQ(-EINVAL, table_put(&t, core_id(ISLE_KIND_CONTEXT, 5, 1), &v));
    table_remove_owned(&t, 23);
    CHECK_EQ(0, table_get(&t, id, &got));
    table_remove_owned(&t, 22);
    CHECK_EQ(-ESTALE, table_get(&t, id, &got));
    table_free(&t);
}

static void starts_are_kept_for_what_is_in_flight_alone(void)
{
    isle_rt *rt = bare();
    CHECK(rt);
    const isle_started *table = (void *)((uint8_t *)core.channel + core.channel->started_offset);
    uint64_t tag = 7ull << 32 | 5;
    CHECK(ISLE_CORE_HAS(&rt->core, started));
    put_in_flight(rt, tag);
    rt->core.started(rt->core.core, tag, 1234);
    CHECK(table[5].tag == tag && table[5].start_ns == 1234);
    CHECK_EQ(0, core.channel->violations);
    rt->core.started(rt->core.core, tag + (1ull << 32), 99);
    rt->core.started(rt->core.core, UINT64_MAX, 99);
    CHECK(table[5].tag == tag && table[5].start_ns == 1234);
    CHECK_EQ(2, core.channel->violations);
    isle_core old = {.vtable_size = offsetof(isle_core, started)};
    CHECK(!ISLE_CORE_HAS(&old, started));
    done();
}

static const struct test tests[] = {
    TEST(many_producers_lose_and_double_nothing),
    TEST(one_of_many_completions_of_a_tag_wins),
    TEST(wrong_tags_and_fields_count_as_violations),
    TEST(ids_are_found_only_as_they_were_put),
    TEST(starts_are_kept_for_what_is_in_flight_alone),
};

int main(int argc, char **argv)
{
    return run_tests("ring", tests, sizeof tests / sizeof tests[0], argc, argv);
}
