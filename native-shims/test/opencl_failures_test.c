/* The OpenCL driver when the library fails, the device disappears, or work does not end. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opencl_fake.h"

static void a_kernel_that_fails_is_an_error_of_its_own(void)
{
    uint64_t tag;
    CHECK_EQ(0, fake_begin(NULL));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, fake_load());
    fake->enqueue = -5;
    CHECK_EQ(0, fake_twice(0, &tag));
    CHECK_EQ(0, core_expect(&ocl, tag, ACCEL_COMPLETION_ERROR, -ENOMEM));
    fake->enqueue = 0;
    fake->event_status = -14;
    CHECK_EQ(0, fake_twice(1, &tag));
    CHECK_EQ(0, core_expect(&ocl, tag, ACCEL_COMPLETION_ERROR, -EIO));
    fake->event_status = 0;
    fake->callback = -6; /* the driver waits for the end itself */
    CHECK_EQ(0, fake_twice(2, &tag));
    CHECK_EQ(0, core_expect(&ocl, tag, ACCEL_COMPLETION_SUCCESS, 0));
    fake->event_status = -14;
    CHECK_EQ(0, fake_twice(3, &tag));
    CHECK_EQ(0, core_expect(&ocl, tag, ACCEL_COMPLETION_ERROR, -EIO));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

/* What is copied back behind it ends well all the same. */
static void a_kernel_that_fails_in_the_middle_is_an_error(void)
{
    uint64_t tag;
    CHECK_EQ(0, fake_begin("memory=staging"));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, fake_load());
    fake->kernel_status = -5;
    CHECK_EQ(0, fake_twice(0, &tag));
    CHECK_EQ(0, core_expect(&ocl, tag, ACCEL_COMPLETION_ERROR, -ENOMEM));
    fake->kernel_status = 0;
    CHECK_EQ(0, fake_twice(1, &tag));
    CHECK_EQ(0, core_expect(&ocl, tag, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

/* -9999 is a vendor's word for a stray access of a kernel; after one the context is no good any more. */
static void what_a_kernel_spoils_is_no_wrong_argument(void)
{
    static const int codes[][2] = {{-9999, -EIO}, {-34, -EIO}, {-36, -EIO}, {-54, -EINVAL}};
    uint64_t tag;
    CHECK_EQ(0, fake_begin(NULL));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, fake_load());
    for (uint32_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        fake->enqueue = codes[i][0];
        CHECK_EQ(0, fake_twice(i, &tag));
        CHECK_EQ(0, core_expect(&ocl, tag, ACCEL_COMPLETION_ERROR, codes[i][1]));
    }
    fake->enqueue = 0;
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void a_device_that_disappears_is_reported(void)
{
    uint64_t tag;
    isle_completion_slot s;
    CHECK_EQ(0, fake_begin(NULL));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, fake_load());
    fake->enqueue = -2;
    CHECK_EQ(0, fake_twice(0, &tag));
    CHECK(core_next(&ocl, 20000, &s) && s.tag == tag && s.status == ACCEL_COMPLETION_ERROR && s.detail == -ENODEV);
    fake->enqueue = 0;
    CHECK_EQ(-ENODEV, fake_twice(1, &tag));
    CHECK_EQ(-ENODEV, core_context(&ocl, OTHER, 0, NULL));
    CHECK_EQ(-ENODEV, core_call(&ocl, ISLE_OP_RESET_DEVICE, NULL, 0));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void what_runs_cannot_be_stopped(void)
{
    uint64_t tag[2], id = CONTEXT, memory = A;
    CHECK_EQ(0, fake_begin("reset_wait_ms=50"));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, fake_load());
    fake->hold = 1;
    CHECK_EQ(0, fake_twice(0, &tag[0]));
    CHECK_EQ(0, fake_twice(1, &tag[1]));
    for (uint64_t until = clock_ns() + 20000000000ull; fake->held < 2;)
        CHECK(clock_ns() < until);
    CHECK_EQ(IO_NOT_SUPPORTED, isle_rt_preempt(ocl.rt, CONTEXT, PREEMPT_EXECUTION_TIMEOUT));
    CHECK_EQ(-EBUSY, core_call(&ocl, ISLE_OP_FREE, &memory, sizeof memory));
    CHECK_EQ(-EBUSY, core_call(&ocl, ISLE_OP_RESET_CONTEXT, &id, sizeof id));
    CHECK_EQ(-EBUSY, core_call(&ocl, ISLE_OP_RESET_DEVICE, NULL, 0));
    isle_completion_slot s;
    CHECK(!core_next(&ocl, 20, &s));
    fake_release();
    for (int i = 0; i < 2; i++)
        CHECK_EQ(0, core_expect(&ocl, tag[i], ACCEL_COMPLETION_ERROR, -EINTR));
    CHECK_EQ(0, core_call(&ocl, ISLE_OP_RESET_CONTEXT, &id, sizeof id));
    CHECK_EQ(0, fake_twice(2, &tag[0]));
    CHECK_EQ(0, core_expect(&ocl, tag[0], ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(0, core_call(&ocl, ISLE_OP_DESTROY_CONTEXT, &id, sizeof id));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void *let_go(void *unused)
{
    fake_release();
    return unused;
}

/* However the two meet. */
static void the_end_of_a_context_waits_for_what_runs(void)
{
    for (int round = 0; round < 20; round++) {
        pthread_t other;
        uint64_t tag, id = CONTEXT;
        isle_completion_slot s;
        CHECK_EQ(0, fake_begin("reset_wait_ms=1"));
        CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
        CHECK_EQ(0, fake_load());
        fake->hold = 1;
        CHECK_EQ(0, fake_twice(0, &tag));
        for (uint64_t until = clock_ns() + 20000000000ull; fake->held < 1;)
            CHECK(clock_ns() < until);
        CHECK_EQ(0, pthread_create(&other, NULL, let_go, NULL));
        int rc = round % 2 ? core_call(&ocl, ISLE_OP_DESTROY_CONTEXT, &id, sizeof id) : core_call(&ocl, ISLE_OP_CLOSE, NULL, 0);
        pthread_join(other, NULL);
        CHECK_EQ(0, rc);
        CHECK(core_next(&ocl, 20000, &s) && s.tag == tag && (s.detail == -ISLE_ECLOSED || !s.status));
        CHECK(!core_next(&ocl, 0, &s));
        CHECK_EQ(0, ocl.channel->violations);
        CHECK_EQ(0, ocl_end());
        CHECK_EQ(0, fake->live);
    }
}

/* In a line that the core can show. */
static void a_device_that_does_not_open_says_why(void)
{
    static const struct {
        const char *settings, *said;
        int svm, create_context, outcome;
    } cases[] = {
        {NULL, "Fake (R) Device cannot be used: no context and queue, OpenCL error -6", 1, -6, -ENOMEM},
        {"memory=svm", "memory=svm: device Fake (R) Device has no coarse-grained shared virtual memory", 0, 0, IO_NOT_SUPPORTED},
        {"device=none", "no OpenCL device none: no OpenCL platform has this device", 1, 0, -ENODEV},
        {"units=9", "units=9, part=0: the device has 8 units and cannot be divided this way", 1, 0, IO_NOT_SUPPORTED},
        {"memory=none", "memory=none", 1, 0, -EINVAL},
    };
    CHECK_EQ(0, fake_begin(NULL));
    CHECK_EQ(0, ocl_end());
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        core_make(&ocl);
        fake->create_context = cases[i].create_context;
        fake->svm = cases[i].svm;
        CHECK_EQ(0, core_load(&ocl, "libisleopencl.so"));
        CHECK_EQ(cases[i].outcome, ocl_open(cases[i].settings));
        CHECK(strstr(ocl_said(), cases[i].said));
        char answer[1024];
        snprintf(answer, sizeof answer, "%.*s", (int)core_body_length(&ocl), (const char *)core_body(&ocl));
        CHECK(!strncmp(answer, "open failed with -", 18) && strstr(answer, cases[i].said));
        CHECK_EQ(0, ocl_end());
    }
    fake->create_context = 0;
    CHECK_EQ(0, fake->live);
}

static int inject(uint32_t fault, uint64_t after)
{
    isle_inject_request q = {.fault = fault, .after = after, .count = 1};
    return core_call(&ocl, ISLE_OP_INJECT_FAULT, &q, sizeof q);
}

static void faults_need_the_setting(void)
{
    CHECK_EQ(0, fake_begin(NULL));
    CHECK_EQ(IO_NOT_SUPPORTED, inject(ISLE_FAULT_EXIT, 0));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake_begin("fault_injection=true"));
    CHECK_EQ(IO_NOT_SUPPORTED, inject(ISLE_FAULT_LATENCY, 0));
    CHECK_EQ(-EINVAL, inject(0, 0));
    CHECK_EQ(0, inject(ISLE_FAULT_EXIT, 5));
    CHECK_EQ(-ENOSPC, inject(ISLE_FAULT_ABORT, 0));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

/* How a process ends that submits until it meets the fault, after two submissions that end well. */
static int end_by(uint32_t fault)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        uint64_t tag;
        bool well = !fake_begin("fault_injection=true") && ocl_memory(A, 4096) && ocl_memory(B, 4096) && !fake_load() && !inject(fault, 2);
        for (uint32_t i = 0; well && i < 2; i++)
            well = !fake_twice(i, &tag) && !core_expect(&ocl, tag, ACCEL_COMPLETION_SUCCESS, 0);
        if (!well || fake_twice(2, &tag))
            _exit(9);
        for (;;)
            pause();
    }
    if (child > 0)
        waitpid(child, &status, 0);
    return status;
}

static void a_planned_crash_ends_the_process(void)
{
    int status = end_by(ISLE_FAULT_EXIT);
    CHECK(WIFEXITED(status));
    CHECK_EQ(3, WEXITSTATUS(status));
    status = end_by(ISLE_FAULT_ABORT);
    CHECK(WIFSIGNALED(status));
    CHECK_EQ(SIGABRT, WTERMSIG(status));
#ifndef ISLE_SANITIZED
    status = end_by(ISLE_FAULT_SEGV);
    CHECK(WIFSIGNALED(status));
    CHECK_EQ(SIGSEGV, WTERMSIG(status));
#endif
}

static const struct test tests[] = {
    TEST(a_kernel_that_fails_is_an_error_of_its_own),
    TEST(a_kernel_that_fails_in_the_middle_is_an_error),
    TEST(what_a_kernel_spoils_is_no_wrong_argument),
    TEST(a_device_that_disappears_is_reported),
    TEST(what_runs_cannot_be_stopped),
    TEST(the_end_of_a_context_waits_for_what_runs),
    TEST(a_device_that_does_not_open_says_why),
    TEST(faults_need_the_setting),
    TEST(a_planned_crash_ends_the_process),
};

int main(int argc, char **argv)
{
    return fake_find() ? run_tests("opencl_failures", tests, sizeof tests / sizeof tests[0], argc, argv) : 2;
}
