/* The test is the core; the driver runs in a driver-host process. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "futex.h"
#include "harness.h"
#include "testdriver.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define OTHER core_id(ISLE_KIND_CONTEXT, 1, 2)
#define SOURCE core_id(ISLE_KIND_MEMORY, 1, 1)
#define TARGET core_id(ISLE_KIND_MEMORY, 1, 2)
#define PROGRAM core_id(ISLE_KIND_PROGRAM, 1, 1)
#define VISIBLE (ACCEL_MEM_CPU_VISIBLE | ACCEL_MEM_COHERENT)

static struct core core;

static int start(const char *settings, uint8_t **heap)
{
    core_make(&core);
    int rc = core_host_start(&core, "libsoftaccel.so");
    if (!rc && core_host_wait(&core, 30000) != ISLE_HOST_READY)
        rc = -ENOEXEC;
    if (!rc)
        rc = core_send_segment(&core, ISLE_SEGMENT_COMMANDS, 0, TEST_COMMANDS, core.commands_fd);
    if (!rc)
        rc = core_send_segment(&core, ISLE_SEGMENT_DOORBELL, 1, 4096, core.doorbell_fd);
    if (!rc)
        rc = core_send_segment(&core, ISLE_SEGMENT_AGENT, 0, 4096, core.agent_fd);
    if (!rc)
        rc = core_open(&core, settings);
    if (!rc)
        rc = core_heap(&core, 16, TEST_HEAP, heap);
    if (!rc)
        rc = core_context(&core, CONTEXT, 16, NULL);
    return rc;
}

static void hashes_through_a_host(void)
{
    uint8_t *heap;
    isle_alloc_response source, target;
    CHECK_EQ(0, start("compute_units=2", &heap));
    CHECK_EQ(core.host_pid, core.channel->host_pid);
    CHECK_EQ(0, core_alloc(&core, CONTEXT, SOURCE, 1 << 20, VISIBLE, &source));
    CHECK_EQ(0, core_alloc(&core, CONTEXT, TARGET, 4096, VISIBLE, &target));
    CHECK_EQ(0, core_program(&core, CONTEXT, PROGRAM, "sha256"));
    CHECK_EQ(16, source.segment);
    memcpy(heap + source.offset, "abc", 3);
    struct command k;
    command_begin(&k);
    command_bind(&k, SOURCE, 0, 3, ISLE_ACCESS_READ);
    command_bind(&k, TARGET, 0, 32, ISLE_ACCESS_WRITE);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    command_dispatch(&k, 2, 3, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_U64, 0, 1 << 20}});
    CHECK_EQ(0, core_run(&core, CONTEXT, &k, NULL));
    CHECK(!memcmp(heap + target.offset, "\xba\x78\x16\xbf\x8f\x01\xcf\xea\x41\x41\x40\xde\x5d\xae\x22\x23", 16));
    CHECK_EQ(0, core_call(&core, ISLE_OP_EXIT, NULL, 0));
    CHECK_EQ(0, core_host_reap(&core, 10000));
    CHECK_EQ(ISLE_HOST_CLOSED, core.channel->host_state);
    core_free(&core);
}


static void stop(void)
{
    if (core.host_pid > 0 && !kill(core.host_pid, 0))
        kill(core.host_pid, SIGKILL);
    core_host_reap(&core, 10000);
    core_free(&core);
}

static int noop(uint32_t index, uint64_t *tag)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    command_dispatch(&k, 0, 0, NULL);
    return core_submit(&core, CONTEXT, &k, index, tag);
}

static void every_submission_completes_once(void)
{
    uint8_t *heap;
    static uint32_t seen[TEST_INFLIGHT];
    uint64_t tag;
    isle_completion_slot s;
    CHECK_EQ(0, start("compute_units=1", &heap));
    CHECK_EQ(0, core_program(&core, CONTEXT, PROGRAM, "noop"));
    memset(seen, 0, sizeof seen);
    uint32_t submitted = 0, completed = 0;
    while (completed < 20000) {
        while (submitted < 20000 && submitted - completed < 64) {
            CHECK_EQ(0, noop(submitted % 64, &tag));
            submitted++;
        }
        CHECK(core_next(&core, 20000, &s));
        CHECK_EQ(0, s.status);
        CHECK_EQ(++seen[(uint32_t)s.tag % TEST_INFLIGHT], s.tag >> 32);
        completed++;
        usleep(completed % 1000 ? 0 : 2000); /* lets the host fall asleep now and then */
    }
    CHECK_EQ(20000, core.channel->requests_taken);
    CHECK_EQ(0, core.channel->violations);
    stop();
}

static void refusals_come_as_completions(void)
{
    uint8_t *heap;
    uint64_t tag;
    isle_completion_slot s;
    CHECK_EQ(0, start(NULL, &heap));
    CHECK_EQ(0, noop(5, &tag)); /* the program is not loaded */
    CHECK(core_next(&core, 10000, &s));
    CHECK(s.tag == tag && s.status == ACCEL_COMPLETION_ERROR && s.detail == -ESTALE);
    stop();
}

static int start_test_driver(const char *variant)
{
    setenv("ISLE_TEST_DRIVER", variant, 1);
    core_make(&core);
    int rc = core_host_start(&core, "libtestdriver.so");
    if (!rc && core_host_wait(&core, 20000) != ISLE_HOST_READY)
        rc = -ENOEXEC;
    unsetenv("ISLE_TEST_DRIVER");
    if (!rc)
        rc = core_send_segment(&core, ISLE_SEGMENT_COMMANDS, 0, TEST_COMMANDS, core.commands_fd);
    if (!rc)
        rc = core_open(&core, NULL);
    return rc ? rc : core_context(&core, CONTEXT, 0, NULL);
}

static int act(uint64_t context, uint32_t action, uint32_t index, uint64_t *tag)
{
    return core_vendor(&core, context, action, 0, index, tag);
}

static void what_follows_refused_work_comes_back_too(void)
{
    uint64_t refused, behind, other, late;
    CHECK_EQ(0, start_test_driver("own"));
    CHECK_EQ(0, core_context(&core, OTHER, 0, NULL));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_REFUSE, 0, &refused));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_COMPLETE, 1, &behind));
    CHECK_EQ(0, act(OTHER, TEST_ACTION_COMPLETE, 2, &other));
    CHECK_EQ(0, core_expect(&core, refused, ACCEL_COMPLETION_PREEMPTED, -EAGAIN));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_COMPLETE, 3, &late)); /* the core does not know of the second one yet */
    CHECK_EQ(0, core_expect(&core, behind, ACCEL_COMPLETION_PREEMPTED, -EAGAIN));
    CHECK_EQ(0, core_expect(&core, other, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(0, core_expect(&core, late, ACCEL_COMPLETION_PREEMPTED, -EAGAIN));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_COMPLETE, 0, &refused));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_COMPLETE, 1, &behind));
    CHECK_EQ(0, core_expect(&core, refused, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(0, core_expect(&core, behind, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(0, core.channel->violations);
    stop();
}

static void work_of_a_device_that_is_gone_comes_back(void)
{
    uint64_t gone, behind;
    CHECK_EQ(0, start_test_driver("own"));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_GONE, 0, &gone));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_COMPLETE, 1, &behind));
    CHECK_EQ(0, core_expect(&core, gone, ACCEL_COMPLETION_PREEMPTED, -ENODEV));
    CHECK_EQ(0, core_expect(&core, behind, ACCEL_COMPLETION_PREEMPTED, -EAGAIN));
    CHECK_EQ(0, core.channel->violations);
    stop();
}

static void a_polled_driver_works_in_a_host(void)
{
    uint64_t tag;
    isle_completion_slot s;
    struct command k;
    CHECK_EQ(0, start_test_driver("poll"));
    command_begin(&k);
    for (uint32_t i = 0; i < 200; i++) {
        CHECK_EQ(0, core_submit(&core, CONTEXT, &k, i, &tag));
        CHECK(core_next(&core, 10000, &s) && s.tag == tag && s.status == 0);
    }
    stop();
}

static const struct test tests[] = {
    TEST(hashes_through_a_host),
    TEST(every_submission_completes_once),
    TEST(refusals_come_as_completions),
    TEST(what_follows_refused_work_comes_back_too),
    TEST(work_of_a_device_that_is_gone_comes_back),
    TEST(a_polled_driver_works_in_a_host),
};

int main(int argc, char **argv)
{
    return run_tests("host", tests, sizeof tests / sizeof tests[0], argc, argv);
}
