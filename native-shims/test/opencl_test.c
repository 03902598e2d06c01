/* The OpenCL driver against a library that behaves, and misbehaves, as it is told. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "futex.h"
#include "opencl_harness.h"

static struct fakecl *fake;
static fakecl_release_fn release;

#define SOURCE "kernel void twice(global const uint *in, global uint *out, uint add);"

static void use(const char *library)
{
    setenv("ISLE_OPENCL_LIBRARY", test_file(library), 1);
}

static int begin(const char *settings)
{
    use("libfakecl.so");
    fake->devices = fake->coherent = 1;
    fake->hold = fake->create_context = fake->create_buffer = fake->create_program = fake->enqueue = fake->callback = 0;
    fake->event_status = fake->compiled = 0;
    return ocl_begin(settings, NULL);
}

static int twice(uint32_t index, uint64_t *tag)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, A, 0, 4096, READ_);
    command_bind(&k, B, 0, 4096, WRITE_);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    ocl_dispatch(&k, 2, 0, 1024, 3, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_U32, 0, 5}});
    return core_submit(&ocl, CONTEXT, &k, index, tag);
}

static int load_twice(void)
{
    return ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, SOURCE, sizeof SOURCE - 1);
}

static bool next(isle_completion_slot *s)
{
    return core_next(&ocl, 20000, s);
}

static void a_machine_without_opencl_has_no_device(void)
{
    uint32_t index = 0;
    const char *const libraries[] = {"libno-such-opencl.so", "libfakecl_old.so", "libfakecl.so"};
    for (int i = 0; i < 3; i++) {
        use(libraries[i]);
        fake->devices = 0;
        core_make(&ocl);
        CHECK_EQ(0, core_load(&ocl, "libisleopencl.so"));
        CHECK_EQ(-ENOENT, core_call(&ocl, ISLE_OP_PROBE, &index, sizeof index));
        CHECK_EQ(-ENODEV, core_open(&ocl, NULL));
        CHECK_EQ(0, ocl_end());
    }
    fake->devices = 1;
}

static void devices_of_one_name_can_be_told_apart(void)
{
    isle_device_seed seed;
    const char *const names[] = {"fake-r-device-0", "fake-r-device-1", "fake-r-device-2"};
    CHECK_EQ(0, begin(NULL));
    fake->devices = 3;
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQ(0, core_call(&ocl, ISLE_OP_PROBE, &i, sizeof i));
        memcpy(&seed, core_body(&ocl), sizeof seed);
        CHECK(!strcmp(seed.name, names[i]));
        CHECK(strstr(seed.summary, "Fake (R) Device") && strstr(seed.summary, "Fake platform"));
    }
    uint32_t index = 3;
    CHECK_EQ(-ENOENT, core_call(&ocl, ISLE_OP_PROBE, &index, sizeof index));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void kernels_run_on_shared_and_on_staged_memory(void)
{
    static const char *const settings[] = {"memory=shared", "memory=staging", "memory=auto"};
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(0, begin(settings[i]));
        uint32_t *a = (void *)ocl_memory(A, 4096), *b = (void *)ocl_memory(B, 4096);
        CHECK(a && b && !a[0] && !b[1023]);
        CHECK_EQ(0, load_twice());
        for (uint32_t n = 0; n < 1024; n++)
            a[n] = n;
        b[7] = 99;
        uint64_t tag;
        isle_completion_slot s;
        uint64_t before = clock_ns();
        CHECK_EQ(0, twice(0, &tag));
        CHECK(next(&s));
        CHECK(s.tag == tag && s.status == 0 && s.detail == 0);
        CHECK(s.start_ns >= before && s.end_ns >= s.start_ns && s.end_ns <= clock_ns());
        CHECK(s.busy_ns <= s.end_ns - s.start_ns + 3);
        for (uint32_t n = 0; n < 1024; n++)
            CHECK_EQ(2 * n + 5, b[n]);
        CHECK_EQ(0, ocl_end());
        CHECK_EQ(0, fake->live);
    }
}

/* What a kernel leaves alone in memory that it may write keeps what the CPU put there. */
static void staging_keeps_what_is_not_written(void)
{
    CHECK_EQ(0, begin("memory=staging"));
    uint8_t *b = ocl_memory(B, 8192);
    memset(b, 0x31, 8192);
    struct command k;
    command_begin(&k);
    command_bind(&k, B, 128, 1024, WRITE_);
    command_fill(&k, 0, 3, 6, 0x44332211);
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
    CHECK(!memcmp(b + 130, "\x31\x11\x22\x33\x44\x11\x22\x31", 8));
    for (uint32_t i = 0; i < 8192; i++)
        CHECK(i >= 131 && i < 137 ? b[i] != 0x31 : b[i] == 0x31);
    CHECK_EQ(0, ocl_end());
}

static void memory_that_the_cpu_cannot_see_is_zero(void)
{
    isle_alloc_response r;
    CHECK_EQ(0, begin(NULL));
    uint8_t *b = ocl_memory(B, 4096);
    CHECK_EQ(0, core_alloc(&ocl, CONTEXT, A, 4096, 0, &r));
    CHECK_EQ(0, r.segment);
    memset(b, 1, 4096);
    struct command k;
    command_begin(&k);
    command_bind(&k, A, 0, 4096, READ_);
    command_bind(&k, B, 0, 4096, WRITE_);
    command_copy(&k, 1, 0, 4096);
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
    for (int i = 0; i < 4096; i++)
        CHECK_EQ(0, b[i]);
    CHECK_EQ(0, ocl_end());
}

static void memory_that_differs_is_never_called_shared(void)
{
    use("libfakecl.so");
    core_make(&ocl);
    fake->coherent = 0;
    CHECK_EQ(0, core_load(&ocl, "libisleopencl.so"));
    CHECK_EQ(IO_NOT_SUPPORTED, ocl_open("memory=shared"));
    CHECK_EQ(0, ocl_open("memory=auto"));
    isle_open_response r;
    memcpy(&r, core_body(&ocl), sizeof r);
    CHECK(!(r.info.memory_types & ACCEL_MEMTYPE_COHERENT));
    CHECK_EQ(PREEMPTION_NONE, r.info.preemption_granularity);
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void fills_begin_anywhere_and_copies_may_overlap(void)
{
    static const uint32_t spans[][2] = {{0, 16}, {1, 1}, {1, 3}, {2, 9}, {3, 5}, {4, 6}, {5, 4093 - 5}, {7, 0}};
    CHECK_EQ(0, begin(NULL));
    uint8_t *a = ocl_memory(A, 4096), pattern[4] = {0x11, 0x22, 0x33, 0x44};
    struct command k;
    for (size_t i = 0; i < sizeof spans / sizeof spans[0]; i++) {
        memset(a, 0xee, 4096);
        command_begin(&k);
        command_bind(&k, A, 0, 4096, WRITE_);
        command_fill(&k, 0, spans[i][0], spans[i][1], 0x44332211);
        CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
        for (uint32_t at = 0; at < 4096; at++) {
            bool inside = at >= spans[i][0] && at < spans[i][0] + spans[i][1];
            CHECK_EQ(inside ? pattern[(at - spans[i][0]) % 4] : 0xee, a[at]);
        }
    }
    for (uint32_t i = 0; i < 4096; i++)
        a[i] = (uint8_t)(i * 7);
    isle_op_copy op = {.op = {ISLE_OP_COPY, 0, sizeof op}, .dst_offset = 10, .src_offset = 3, .bytes = 4000};
    command_begin(&k);
    command_bind(&k, A, 0, 4096, READ_ | WRITE_);
    command_op(&k, &op, sizeof op);
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
    for (uint32_t i = 0; i < 4000; i++)
        CHECK_EQ((uint8_t)((i + 3) * 7), a[10 + i]);
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void builtins_need_no_compiler(void)
{
    CHECK_EQ(0, begin(NULL));
    uint8_t *a = ocl_memory(A, 4096), *b = ocl_memory(B, 4096);
    struct command k;
    CHECK_EQ(0, core_program(&ocl, CONTEXT, PROGRAM, "noop"));
    CHECK_EQ(0, core_program(&ocl, CONTEXT, PROGRAM + 1, "fill"));
    CHECK_EQ(0, core_program(&ocl, CONTEXT, PROGRAM + 2, "copy"));
    CHECK_EQ(-ENOENT, core_program(&ocl, CONTEXT, PROGRAM + 3, "sha256"));
    command_begin(&k);
    command_bind(&k, A, 256, 1000, READ_ | WRITE_);
    command_bind(&k, B, 0, 2000, WRITE_);
    for (uint32_t i = 0; i < 3; i++)
        command_bind(&k, PROGRAM + i, 0, 0, ISLE_ACCESS_PROGRAM);
    command_dispatch(&k, 2, 0, NULL);
    command_dispatch(&k, 3, 2, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_U32, 0, 0x0a0b0c0d}});
    command_dispatch(&k, 4, 2, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_BUFFER, 1, 0}});
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
    CHECK(!a[255] && a[256] == 0x0d && !a[1256]);
    CHECK(!memcmp(b, a + 256, 1000) && !b[1000]);
    command_begin(&k);
    command_bind(&k, B, 0, 2000, READ_);
    command_bind(&k, A, 0, 1999, WRITE_);
    command_bind(&k, PROGRAM + 2, 0, 0, ISLE_ACCESS_PROGRAM);
    command_dispatch(&k, 2, 2, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_BUFFER, 1, 0}});
    CHECK_EQ(-EINVAL, core_run(&ocl, CONTEXT, &k, NULL));
    CHECK_EQ(0, ocl_end());
}

static void arguments_are_checked_against_the_kernel(void)
{
    isle_program_entry e;
    CHECK_EQ(0, begin(NULL));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, load_twice());
    CHECK_EQ(0, ocl_describe(PROGRAM, 0, &e));
    CHECK(!strcmp(e.name, "twice") && e.arg_count == 3);
    CHECK(e.arg_kinds[0] == ISLE_ARG_BUFFER && e.arg_kinds[1] == ISLE_ARG_BUFFER && e.arg_kinds[2] == ISLE_ARG_U32);
    CHECK(e.arg_access[0] == READ_ && e.arg_access[1] == (READ_ | WRITE_));
    CHECK_EQ(-ENOENT, ocl_describe(PROGRAM, 1, &e));
    CHECK(strstr(ocl_log, "kernel reduce is left out: argument 0 (uint*): local memory"));
    static const struct {
        uint32_t entry, count;
        uint64_t offset;
        uint32_t first_access, second_access;
        uint32_t last_kind;
        int outcome;
    } cases[] = {
        {0, 3, 0, READ_, WRITE_, ISLE_ARG_U32, 0},         {0, 3, 128, READ_, WRITE_, ISLE_ARG_U32, 0},
        {0, 3, 64, READ_, WRITE_, ISLE_ARG_U32, -EINVAL},  {1, 3, 0, READ_, WRITE_, ISLE_ARG_U32, -EINVAL},
        {0, 2, 0, READ_, WRITE_, ISLE_ARG_U32, -EINVAL},   {0, 3, 0, WRITE_, WRITE_, ISLE_ARG_U32, -EINVAL},
        {0, 3, 0, READ_, READ_, ISLE_ARG_U32, -EINVAL},    {0, 3, 0, READ_, WRITE_, ISLE_ARG_I32, -EINVAL},
        {0, 3, 0, READ_, WRITE_, ISLE_ARG_BUFFER, -EINVAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct command k;
        command_begin(&k);
        command_bind(&k, A, cases[i].offset, 1024, cases[i].first_access);
        command_bind(&k, B, cases[i].offset, 1024, cases[i].second_access);
        command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
        ocl_dispatch(&k, 2, cases[i].entry, 16, cases[i].count,
                     (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_BUFFER, 1, 0}, {cases[i].last_kind, 0, 0}});
        CHECK_EQ(cases[i].outcome, core_run(&ocl, CONTEXT, &k, NULL));
    }
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void a_failed_build_says_why(void)
{
    CHECK_EQ(0, begin(NULL));
    CHECK_EQ(-ENOEXEC, ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, "bad", 3));
    CHECK(strstr(ocl_log, "fake: line 1: bad is not a statement"));
    CHECK_EQ(-ENOEXEC, ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, "none", 4));
    CHECK(strstr(ocl_log, "no kernel"));
    CHECK_EQ(-ENOEXEC, ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, "local", 5));
    CHECK(strstr(ocl_log, "kernel reduce is left out"));
    CHECK_EQ(IO_NOT_SUPPORTED, ocl_load(PROGRAM, ISLE_PROGRAM_PTX, "x", 1));
    fake->create_program = -6;
    CHECK_EQ(-ENOMEM, load_twice());
    fake->create_program = 0;
    CHECK_EQ(0, ocl_load(PROGRAM, ISLE_PROGRAM_SPIRV, SOURCE, sizeof SOURCE - 1));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void a_full_device_says_so(void)
{
    isle_alloc_response r;
    CHECK_EQ(0, begin("memory_bytes=1M"));
    CHECK_EQ(-ENOMEM, core_alloc(&ocl, CONTEXT, A, (1 << 20) + 1, 0, &r));
    CHECK_EQ(0, core_alloc(&ocl, CONTEXT, A, 1 << 20, 0, &r));
    CHECK_EQ(-ENOMEM, core_alloc(&ocl, CONTEXT, B, 1, 0, &r));
    uint64_t id = A;
    CHECK_EQ(0, core_call(&ocl, ISLE_OP_FREE, &id, sizeof id));
    fake->create_buffer = -4;
    CHECK_EQ(-ENOMEM, core_alloc(&ocl, CONTEXT, B, 4096, VISIBLE, &r));
    fake->create_buffer = 0;
    CHECK_EQ(0, core_alloc(&ocl, CONTEXT, B, 1 << 20, VISIBLE, &r)); /* the failed one is not charged */
    fake->create_context = -6;
    CHECK_EQ(-ENOMEM, core_context(&ocl, OTHER, 0, NULL));
    fake->create_context = 0;
    CHECK_EQ(0, core_context(&ocl, OTHER, 0, NULL));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void a_kernel_that_fails_is_an_error_of_its_own(void)
{
    uint64_t tag;
    CHECK_EQ(0, begin(NULL));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, load_twice());
    fake->enqueue = -5;
    CHECK_EQ(0, twice(0, &tag));
    CHECK_EQ(0, core_expect(&ocl, tag, ACCEL_COMPLETION_ERROR, -ENOMEM));
    fake->enqueue = 0;
    fake->event_status = -14;
    CHECK_EQ(0, twice(1, &tag));
    CHECK_EQ(0, core_expect(&ocl, tag, ACCEL_COMPLETION_ERROR, -EIO));
    fake->event_status = 0;
    fake->callback = -6; /* the driver waits for the end itself */
    CHECK_EQ(0, twice(2, &tag));
    CHECK_EQ(0, core_expect(&ocl, tag, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void a_device_that_disappears_is_reported(void)
{
    uint64_t tag;
    isle_completion_slot s;
    CHECK_EQ(0, begin(NULL));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, load_twice());
    fake->enqueue = -2;
    CHECK_EQ(0, twice(0, &tag));
    CHECK(next(&s) && s.tag == tag && s.status == ACCEL_COMPLETION_ERROR && s.detail == -ENODEV);
    fake->enqueue = 0;
    CHECK_EQ(-ENODEV, twice(1, &tag));
    CHECK_EQ(-ENODEV, core_context(&ocl, OTHER, 0, NULL));
    CHECK_EQ(-ENODEV, core_call(&ocl, ISLE_OP_RESET_DEVICE, NULL, 0));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void work_of_a_context_ends_in_order(void)
{
    uint64_t tag;
    isle_completion_slot s;
    CHECK_EQ(0, begin(NULL));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, load_twice());
    for (int round = 0; round < 10; round++) {
        for (uint32_t i = 0; i < TEST_INFLIGHT; i++)
            CHECK_EQ(0, twice(i, &tag));
        for (uint32_t i = 0; i < TEST_INFLIGHT; i++) {
            CHECK(next(&s));
            CHECK_EQ(i, (uint32_t)s.tag);
            CHECK_EQ(0, s.status);
        }
    }
    CHECK_EQ(0, ocl.channel->violations);
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void what_runs_cannot_be_stopped(void)
{
    uint64_t tag[2], id = CONTEXT, memory = A;
    CHECK_EQ(0, begin("reset_wait_ms=50"));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, load_twice());
    fake->hold = 1;
    CHECK_EQ(0, twice(0, &tag[0]));
    CHECK_EQ(0, twice(1, &tag[1]));
    for (uint64_t until = clock_ns() + 20000000000ull; fake->held < 2;)
        CHECK(clock_ns() < until);
    CHECK_EQ(IO_NOT_SUPPORTED, isle_rt_preempt(ocl.rt, CONTEXT, PREEMPT_EXECUTION_TIMEOUT));
    CHECK_EQ(-EBUSY, core_call(&ocl, ISLE_OP_FREE, &memory, sizeof memory));
    CHECK_EQ(-EBUSY, core_call(&ocl, ISLE_OP_RESET_CONTEXT, &id, sizeof id));
    CHECK_EQ(-EBUSY, core_call(&ocl, ISLE_OP_RESET_DEVICE, NULL, 0));
    isle_completion_slot s;
    CHECK(!core_next(&ocl, 20, &s));
    release();
    for (int i = 0; i < 2; i++)
        CHECK_EQ(0, core_expect(&ocl, tag[i], ACCEL_COMPLETION_ERROR, -EINTR));
    CHECK_EQ(0, core_call(&ocl, ISLE_OP_RESET_CONTEXT, &id, sizeof id));
    CHECK_EQ(0, twice(2, &tag[0]));
    CHECK_EQ(0, core_expect(&ocl, tag[0], ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(0, core_call(&ocl, ISLE_OP_DESTROY_CONTEXT, &id, sizeof id));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void *let_go(void *unused)
{
    release();
    return unused;
}

/* However the two meet. */
static void the_end_of_a_context_waits_for_what_runs(void)
{
    for (int round = 0; round < 20; round++) {
        pthread_t other;
        uint64_t tag, id = CONTEXT;
        isle_completion_slot s;
        CHECK_EQ(0, begin("reset_wait_ms=1"));
        CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
        CHECK_EQ(0, load_twice());
        fake->hold = 1;
        CHECK_EQ(0, twice(0, &tag));
        for (uint64_t until = clock_ns() + 20000000000ull; fake->held < 1;)
            CHECK(clock_ns() < until);
        CHECK_EQ(0, pthread_create(&other, NULL, let_go, NULL));
        int rc = round % 2 ? core_call(&ocl, ISLE_OP_DESTROY_CONTEXT, &id, sizeof id) : core_call(&ocl, ISLE_OP_CLOSE, NULL, 0);
        pthread_join(other, NULL);
        CHECK_EQ(0, rc);
        CHECK(next(&s) && s.tag == tag && (s.detail == -ISLE_ECLOSED || !s.status));
        CHECK(!core_next(&ocl, 0, &s));
        CHECK_EQ(0, ocl.channel->violations);
        CHECK_EQ(0, ocl_end());
        CHECK_EQ(0, fake->live);
    }
}

static void starts_are_told_where_there_is_a_limit(void)
{
    uint64_t tag;
    isle_completion_slot s;
    const AccelContextLimits limits = {.max_execution_us = 1000000};
    CHECK_EQ(0, begin(NULL));
    CHECK_EQ(0, core_context(&ocl, OTHER, 0, &limits));
    struct command k;
    command_begin(&k);
    uint64_t before = clock_ns();
    CHECK_EQ(0, core_submit(&ocl, OTHER, &k, 3, &tag));
    CHECK(next(&s) && s.tag == tag && s.status == 0);
    const isle_started *told = (const void *)((const uint8_t *)ocl.channel + ocl.channel->started_offset + 3 * sizeof *told);
    CHECK(told->start_ns >= before && told->start_ns <= clock_ns());
    CHECK_EQ(0, core_submit(&ocl, CONTEXT, &k, 4, &tag));
    CHECK(next(&s) && s.tag == tag);
    CHECK_EQ(0, told[1].start_ns);
    CHECK_EQ(0, ocl_end());
}

static void a_part_of_a_device_is_a_device(void)
{
    isle_open_response r;
    CHECK_EQ(0, begin("units=3\npart=1"));
    CHECK_EQ(0, core_call(&ocl, ISLE_OP_INFO, NULL, 0));
    memcpy(&r.info, core_body(&ocl), sizeof r.info);
    CHECK_EQ(3, r.info.compute_units);
    CHECK_EQ(0, ocl_end());
    core_make(&ocl);
    CHECK_EQ(0, core_load(&ocl, "libisleopencl.so"));
    CHECK_EQ(IO_NOT_SUPPORTED, ocl_open("units=9"));
    CHECK_EQ(IO_NOT_SUPPORTED, ocl_open("units=3\npart=2"));
    CHECK_EQ(-EINVAL, ocl_open("units=1\npart=64"));
    CHECK_EQ(-ENODEV, ocl_open("device=fake-r-device-1"));
    CHECK_EQ(-EINVAL, ocl_open("units=-1"));
    CHECK_EQ(-EINVAL, ocl_open("cache_dir=relative"));
    CHECK_EQ(-EINVAL, ocl_open("unit=1"));
    CHECK_EQ(0, core_open(&ocl, "device=fake-r-device-0\nunits=4")); /* whatever it is called here */
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static const struct test tests[] = {
    TEST(a_machine_without_opencl_has_no_device),
    TEST(devices_of_one_name_can_be_told_apart),
    TEST(kernels_run_on_shared_and_on_staged_memory),
    TEST(staging_keeps_what_is_not_written),
    TEST(memory_that_the_cpu_cannot_see_is_zero),
    TEST(memory_that_differs_is_never_called_shared),
    TEST(fills_begin_anywhere_and_copies_may_overlap),
    TEST(builtins_need_no_compiler),
    TEST(arguments_are_checked_against_the_kernel),
    TEST(a_failed_build_says_why),
    TEST(a_full_device_says_so),
    TEST(a_kernel_that_fails_is_an_error_of_its_own),
    TEST(a_device_that_disappears_is_reported),
    TEST(work_of_a_context_ends_in_order),
    TEST(what_runs_cannot_be_stopped),
    TEST(the_end_of_a_context_waits_for_what_runs),
    TEST(starts_are_told_where_there_is_a_limit),
    TEST(a_part_of_a_device_is_a_device),
};

int main(int argc, char **argv)
{
    void *library = dlopen(test_file("libfakecl.so"), RTLD_NOW | RTLD_LOCAL);
    fakecl_fn get = NULL;
    if (library) {
        *(void **)&get = dlsym(library, "fakecl");
        *(void **)&release = dlsym(library, "fakecl_release");
    }
    if (!get || !release) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    fake = get();
    return run_tests("opencl", tests, sizeof tests / sizeof tests[0], argc, argv);
}
