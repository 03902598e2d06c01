#define _GNU_SOURCE
#include "pocl_harness.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>

char pocl_cache[64];

static int remove_one(const char *path, const struct stat *at, int type, struct FTW *where)
{
    (void)at, (void)type, (void)where;
    return remove(path);
}

int pocl_begin(const char *settings)
{
    static char option[128];
    snprintf(option, sizeof option, "--cache=%s", pocl_cache);
    static const char *options[] = {"--profile=opencl", option, NULL};
    core_make(&ocl);
    core_host_options = options;
    int rc = core_host_start(&ocl, "libisleopencl.so");
    core_host_options = NULL;
    rc = rc ? rc : core_host_wait(&ocl, 30000) == ISLE_HOST_READY ? 0 : -ENOEXEC;
    rc = rc ? rc : core_send_segment(&ocl, ISLE_SEGMENT_COMMANDS, 0, TEST_COMMANDS, ocl.commands_fd);
    rc = rc ? rc : core_send_segment(&ocl, ISLE_SEGMENT_DOORBELL, 1, 4096, ocl.doorbell_fd);
    rc = rc ? rc : core_send_segment(&ocl, ISLE_SEGMENT_AGENT, 0, 4096, ocl.agent_fd);
    rc = rc ? rc : ocl_open(settings);
    rc = rc ? rc : core_heap(&ocl, 16, TEST_HEAP, &ocl_heap);
    return rc ? rc : core_context(&ocl, CONTEXT, 16, &(AccelContextLimits){.max_execution_us = 60000000});
}

void pocl_stop(void)
{
    kill(ocl.host_pid, SIGKILL);
    core_host_reap(&ocl, 10000);
    core_free(&ocl);
}

uint32_t pocl_kept(char *path, size_t size)
{
    char folder[128];
    uint32_t count = 0;
    snprintf(folder, sizeof folder, "%s/programs", pocl_cache);
    DIR *list = opendir(folder);
    for (struct dirent *e; list && (e = readdir(list));) {
        if (*e->d_name == '.')
            continue;
        snprintf(path, size, "%s/%.80s", folder, e->d_name);
        count++;
    }
    if (list)
        closedir(list);
    return count;
}

static bool there_is_a_device(void)
{
    uint32_t index = 0;
    core_make(&ocl);
    bool there = !core_load(&ocl, "libisleopencl.so") && !core_call(&ocl, ISLE_OP_PROBE, &index, sizeof index);
    ocl_end();
    return there;
}

int pocl_main(const char *suite, const struct test *tests, size_t count, int argc, char **argv)
{
    snprintf(pocl_cache, sizeof pocl_cache, "/tmp/isle pocl test-XXXXXX");
    if (!mkdtemp(pocl_cache))
        return 2;
    setenv("POCL_CACHE_DIR", pocl_cache, 1); /* for the look at what there is, which no sandbox keeps from writing elsewhere */
    int rc = 0;
    bool there = there_is_a_device();
    unsetenv("POCL_CACHE_DIR"); /* hosts find a folder of their own */
    if (there) {
        rc = run_tests(suite, tests, count, argc, argv);
    } else {
        printf("%s is skipped: there is no OpenCL device here (apt-get install pocl-opencl-icd has one)\n"
               "%s: 0 passed, 0 failed, %zu skipped\n",
               suite, suite, count);
    }
    nftw(pocl_cache, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return rc;
}
