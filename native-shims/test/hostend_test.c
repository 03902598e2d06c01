/* How a host ends: by a crash, by its driver's will, with the core, or because it never began. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "futex.h"
#include "harness.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
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

static int noop(uint32_t index, uint64_t *tag)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    command_dispatch(&k, 0, 0, NULL);
    return core_submit(&core, CONTEXT, &k, index, tag);
}

static int works(void)
{
    uint64_t tag;
    isle_completion_slot s;
    int rc = noop(TEST_INFLIGHT - 1, &tag);
    return rc ? rc : !core_next(&core, 10000, &s) ? -ETIME : s.tag != tag ? -EPROTO : (int)s.status;
}

static void a_crash_is_recorded(void)
{
    static const struct {
        uint32_t fault;
        int signal;
        const char *text;
    } cases[] = {{ISLE_FAULT_SEGV, SIGSEGV, "SIGSEGV (11) at address 0x8 in thread soft-cu0"}, {ISLE_FAULT_ABORT, SIGABRT, "SIGABRT (6)"}};
    for (int i = 0; i < 2; i++) {
        uint8_t *heap;
        uint64_t tag;
        isle_inject_request q = {.fault = cases[i].fault, .count = 1};
        CHECK_EQ(0, start("compute_units=1\nfault_injection=true", &heap));
        CHECK_EQ(0, core_program(&core, CONTEXT, PROGRAM, "noop"));
        CHECK_EQ(0, core_call(&core, ISLE_OP_INJECT_FAULT, &q, sizeof q));
        CHECK_EQ(0, noop(0, &tag));
        int status = core_host_reap(&core, 20000);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == cases[i].signal);
        CHECK_EQ(ISLE_HOST_CRASHED, core.channel->host_state);
        CHECK(strstr((char *)core.channel + core.channel->crash_offset, cases[i].text));
        core_free(&core);
    }
}

static void an_exit_of_the_driver_ends_the_host(void)
{
    uint8_t *heap;
    uint64_t tag;
    isle_inject_request q = {.fault = ISLE_FAULT_EXIT, .count = 1};
    CHECK_EQ(0, start("fault_injection=true", &heap));
    CHECK_EQ(0, core_program(&core, CONTEXT, PROGRAM, "noop"));
    CHECK_EQ(0, core_call(&core, ISLE_OP_INJECT_FAULT, &q, sizeof q));
    CHECK_EQ(0, noop(0, &tag));
    int status = core_host_reap(&core, 20000);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    core_free(&core);
}

static void the_host_goes_when_the_core_is_gone(void)
{
    uint8_t *heap;
    CHECK_EQ(0, start(NULL, &heap));
    close(core.socket);
    core.socket = -1;
    CHECK_EQ(0, core_host_reap(&core, 10000));
    CHECK_EQ(ISLE_HOST_CLOSED, core.channel->host_state);
    core_free(&core);
}

static void a_driver_that_does_not_load_is_told(void)
{
    core_make(&core);
    CHECK_EQ(0, core_host_start(&core, "libisle_shim.so"));
    CHECK_EQ(ISLE_HOST_CRASHED, core_host_wait(&core, 20000));
    CHECK(strstr((char *)core.channel + core.channel->crash_offset, ISLE_DRIVER_ENTRY));
    int status = core_host_reap(&core, 10000);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    core_free(&core);
}

static void the_device_opens_again_after_close(void)
{
    uint8_t *heap;
    CHECK_EQ(0, start(NULL, &heap));
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(0, core_program(&core, CONTEXT, PROGRAM, "noop"));
        CHECK_EQ(0, works());
        CHECK_EQ(0, core_call(&core, ISLE_OP_CLOSE, NULL, 0));
        CHECK_EQ(-ENODEV, core_call(&core, ISLE_OP_INFO, NULL, 0));
        CHECK_EQ(0, core_open(&core, NULL));
        CHECK_EQ(0, core_context(&core, CONTEXT, 16, NULL));
    }
    CHECK_EQ(0, core_call(&core, ISLE_OP_EXIT, NULL, 0));
    CHECK_EQ(0, core_host_reap(&core, 10000));
    core_free(&core);
}

static const struct test tests[] = {
    TEST(a_crash_is_recorded),
    TEST(an_exit_of_the_driver_ends_the_host),
    TEST(the_host_goes_when_the_core_is_gone),
    TEST(a_driver_that_does_not_load_is_told),
    TEST(the_device_opens_again_after_close),
};

int main(int argc, char **argv)
{
    return run_tests("hostend", tests, sizeof tests / sizeof tests[0], argc, argv);
}
