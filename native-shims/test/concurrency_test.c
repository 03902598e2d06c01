/* The control lane makes and unmakes what the data lane is using at the same time. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#include "soft_harness.h"

#define OBJECTS 8u
#define SUBMISSIONS 20000u

/* While the other thread waits for a processor, no context may be there: then there are more submissions. */
#define LEAST_DONE 101u
#define MOST_SUBMISSIONS (100 * SUBMISSIONS)

static atomic_bool finished;
static uint32_t accepted, done_ok, done_error;
static bool flying[TEST_INFLIGHT];
static int wrong; /* a code that must not come */

static bool expected(int rc)
{
    return rc == 0 || rc == -ESTALE || rc == -EACCES || rc == -EINTR || rc == -ISLE_ECLOSED;
}

static void take(uint32_t ms)
{
    isle_completion_slot s;
    while (core_next(&soft, ms, &s)) {
        flying[(uint32_t)s.tag % TEST_INFLIGHT] = false;
        done_ok += s.status == ACCEL_COMPLETION_SUCCESS;
        done_error += s.status != ACCEL_COMPLETION_SUCCESS;
        if (!expected(s.detail))
            wrong = s.detail;
        ms = 0;
    }
}

static void *data_lane(void *unused)
{
    uint64_t state = 5;
    (void)unused;
    for (uint32_t i = 0; i < SUBMISSIONS || (done_ok < LEAST_DONE && i < MOST_SUBMISSIONS); i++) {
        struct command k;
        uint64_t tag, r = test_random(&state);
        command_begin(&k);
        command_bind(&k, A + r % OBJECTS, 0, 4096, WRITE_);
        command_bind(&k, A + r / 8 % OBJECTS, 0, 4096, WRITE_);
        command_fill(&k, (uint32_t)(r >> 32) % 2, 0, 64, (uint32_t)r);
        while (flying[i % TEST_INFLIGHT])
            take(100);
        int rc = core_submit(&soft, r >> 40 & 1 ? CONTEXT : OTHER, &k, i % TEST_INFLIGHT, &tag);
        flying[i % TEST_INFLIGHT] = rc == 0;
        if (!expected(rc))
            wrong = rc;
        accepted += rc == 0;
        take(0);
    }
    while (done_ok + done_error < accepted && wrong == 0)
        take(1000);
    atomic_store(&finished, true);
    return NULL;
}

static void objects_come_and_go(const char *settings)
{
    pthread_t thread;
    uint64_t state = 6, other = OTHER, context = CONTEXT;
    CHECK_EQ(0, soft_begin(settings, NULL));
    accepted = done_ok = done_error = 0;
    wrong = 0;
    atomic_store(&finished, false);
    pthread_create(&thread, NULL, data_lane, NULL);
    while (!atomic_load(&finished)) {
        uint64_t r = test_random(&state), id = A + r % OBJECTS;
        switch (r / 8 % 16) {
        case 0:
            core_call(&soft, ISLE_OP_RESET_CONTEXT, &context, sizeof context);
            break;
        case 1:
            core_call(&soft, ISLE_OP_DESTROY_CONTEXT, &other, sizeof other);
            core_context(&soft, OTHER, 17, NULL);
            break;
        case 2:
        case 3:
        case 4:
        case 5:
            core_call(&soft, ISLE_OP_FREE, &id, sizeof id);
            break;
        default:
            core_alloc(&soft, r >> 20 & 1 ? CONTEXT : OTHER, id, 4096, r >> 21 & 1 ? VISIBLE : 0, NULL);
        }
    }
    pthread_join(thread, NULL);
    CHECK_EQ(0, wrong);
    CHECK_EQ(accepted, done_ok + done_error);
    CHECK(done_ok >= LEAST_DONE);
    CHECK_EQ(0, soft.channel->violations);
    CHECK_EQ(0, core_call(&soft, ISLE_OP_DESTROY_CONTEXT, &other, sizeof other));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_DESTROY_CONTEXT, &context, sizeof context));
    AccelUtilization u;
    CHECK_EQ(0, core_call(&soft, ISLE_OP_UTILIZATION, NULL, 0));
    memcpy(&u, core_body(&soft), sizeof u);
    CHECK(u.memory_used_bytes == 0 && u.active_contexts == 0);
    soft_end();
}

static void objects_come_and_go_under_running_work(void)
{
    soft_library = "libsoftaccel.so";
    objects_come_and_go("compute_units=2");
}

static void so_they_do_on_the_template_for_drivers(void)
{
    soft_library = "libdemo.so";
    objects_come_and_go(NULL);
}

/* Work on the engine and behind it ends with the reset, and nothing is told twice. */
static void a_reset_of_the_template_ends_what_runs_and_what_waits(void)
{
    uint64_t tags[8], context = CONTEXT;
    isle_completion_slot s;
    soft_library = "libdemo.so";
    CHECK_EQ(0, soft_begin(NULL, NULL));
    CHECK_EQ(0, core_program(&soft, CONTEXT, PROGRAM, "busy"));
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ(0, soft_busy(CONTEXT, 60000000, i, &tags[i]));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_RESET_CONTEXT, &context, sizeof context));
    for (uint32_t i = 0; i < 8; i++) {
        CHECK(core_next(&soft, 1000, &s));
        CHECK_EQ(ACCEL_COMPLETION_ERROR, s.status);
        CHECK_EQ(-EINTR, s.detail);
    }
    CHECK(!core_next(&soft, 0, &s));
    CHECK_EQ(0, soft_busy(CONTEXT, 1, 8, &tags[0]));
    CHECK_EQ(0, core_expect(&soft, tags[0], ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(0, soft.channel->violations);
    soft_end();
}

static const struct test tests[] = {
    TEST(objects_come_and_go_under_running_work),
    TEST(so_they_do_on_the_template_for_drivers),
    TEST(a_reset_of_the_template_ends_what_runs_and_what_waits),
};

int main(int argc, char **argv)
{
    return run_tests("concurrency", tests, sizeof tests / sizeof tests[0], argc, argv);
}
