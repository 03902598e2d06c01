/* The test is the core; the driver runs in a driver-host process. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
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

static const struct test tests[] = {
    TEST(hashes_through_a_host),
};

int main(int argc, char **argv)
{
    return run_tests("host", tests, sizeof tests / sizeof tests[0], argc, argv);
}
