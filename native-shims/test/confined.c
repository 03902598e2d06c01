#define _GNU_SOURCE
#include "confined.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)

struct core confined;

int confined_segments(void)
{
    int rc = core_host_wait(&confined, 30000) == ISLE_HOST_READY ? 0 : -ENOEXEC;
    rc = rc ? rc : core_send_segment(&confined, ISLE_SEGMENT_COMMANDS, 0, TEST_COMMANDS, confined.commands_fd);
    rc = rc ? rc : core_send_segment(&confined, ISLE_SEGMENT_DOORBELL, 1, 4096, confined.doorbell_fd);
    return rc ? rc : core_send_segment(&confined, ISLE_SEGMENT_AGENT, 0, 4096, confined.agent_fd);
}

int confined_start(const char *option)
{
    return confined_start_with((const char *[]){option, NULL});
}

int confined_start_with(const char *const *options)
{
    unsetenv("ISLE_TEST_DRIVER");
    core_make(&confined);
    core_host_options = options;
    int rc = core_host_start(&confined, "libtestdriver.so");
    core_host_options = NULL;
    rc = rc ? rc : confined_segments();
    rc = rc ? rc : core_open(&confined, NULL);
    return rc ? rc : core_context(&confined, CONTEXT, 0, NULL);
}

void confined_stop(void)
{
    kill(confined.host_pid, SIGKILL);
    core_host_reap(&confined, 10000);
    core_free(&confined);
}

int confined_act(uint32_t action, uint32_t what, uint64_t *tag)
{
    return core_vendor(&confined, CONTEXT, action, what, 0, tag);
}

int confined_attempt(uint32_t what)
{
    uint64_t tag;
    isle_completion_slot s;
    if (confined_act(TEST_ACTION_ESCAPE, what, &tag) || !core_next(&confined, 20000, &s))
        return 1;
    return s.detail;
}
