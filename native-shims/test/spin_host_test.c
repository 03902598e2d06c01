/* The driver `spin` in a confined process of its own. */
#include <errno.h>
#include <sys/syscall.h>

#include "handlers/hostile.h"
#include "spin_core.h"

static int in_host(const char *settings, const char *image)
{
    core_make(&core);
    int rc = core_host_start(&core, "libspin.so");
    if (!rc && core_host_wait(&core, 30000) != ISLE_HOST_READY)
        rc = -ENODEV;
    return rc ? rc : prepare(settings, image);
}

/* With the sandbox of drivers: traps and limits work there as here. */
static void a_process_of_its_own_has_handlers(void)
{
    CHECK_EQ(0, in_host("handler_limit_us=50000", "hostile.spin"));
    request.limits.handler_limit_us = 50000;
    int rc = attach();
    if (rc)
        printf("  %s\n", why);
    CHECK_EQ(0, rc);
    CHECK_EQ(ISLE_SPIN_DONE, hostile(HOSTILE_NOTHING, 0));
    CHECK_EQ(ISLE_SPIN_TRAPPED, hostile(HOSTILE_WRITE, 0x40));
    CHECK_EQ(ISLE_SPIN_TRAPPED, hostile(HOSTILE_LOOP, 0));
    CHECK(spin_time_was_over(&rings()->hpus[2].end, 50000));
    CHECK_EQ(rings()->hpus[2].end.cause, report().cause);
    CHECK_EQ(ISLE_SPIN_DONE, hostile(HOSTILE_CALL, SYS_getpid));
    CHECK_EQ(ISLE_SPIN_DONE, hostile(HOSTILE_NOTHING, 0));
    CHECK_EQ(0, detach());
    core_call(&core, ISLE_OP_EXIT, NULL, 0);
    CHECK_EQ(0, core_host_reap(&core, 10000));
    core_free(&core);
}

static void an_hpu_that_hears_nothing_ends_the_process(void)
{
    CHECK_EQ(0, in_host("", "hostile.spin"));
    CHECK_EQ(0, attach());
    uint32_t packet[16] = {HOSTILE_DEAF};
    post(packet, sizeof packet);
    int status = core_host_reap(&core, 20000);
    CHECK(status != -1);
    CHECK_EQ(ISLE_HOST_CRASHED, core.channel->host_state);
    core_free(&core);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(a_process_of_its_own_has_handlers), TEST(an_hpu_that_hears_nothing_ends_the_process)};
    if (!rig_can("spin_host", sizeof tests / sizeof *tests))
        return 0;
    return run_tests("spin_host", tests, sizeof tests / sizeof *tests, argc, argv);
}
