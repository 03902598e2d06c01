/* The OpenCL driver against a library that behaves as it is told: devices, programs, and what a dispatch may be. */
#define _GNU_SOURCE
#include <errno.h>

#include "opencl_fake.h"

static void a_machine_without_opencl_has_no_device(void)
{
    uint32_t index = 0;
    const char *const libraries[] = {"libno-such-opencl.so", "libfakecl_old.so", "libfakecl.so"};
    for (int i = 0; i < 3; i++) {
        fake_use(libraries[i]);
        fake->devices = 0;
        core_make(&ocl);
        CHECK_EQ(0, core_load(&ocl, "libisleopencl.so"));
        CHECK_EQ(-ENOENT, core_call(&ocl, ISLE_OP_PROBE, &index, sizeof index));
        CHECK(core_body_length(&ocl) > 10); /* why, for people */
        CHECK(i < 2 || !memcmp(core_body(&ocl), "no OpenCL platform has a device", core_body_length(&ocl)));
        CHECK_EQ(-ENODEV, core_open(&ocl, NULL));
        CHECK_EQ(0, ocl_end());
    }
    fake->devices = 1;
}

static void devices_of_one_name_can_be_told_apart(void)
{
    isle_device_seed seed;
    const char *const names[] = {"fake-r-device-0", "fake-r-device-1", "fake-r-device-2"};
    CHECK_EQ(0, fake_begin(NULL));
    fake->devices = 3;
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQ(0, core_call(&ocl, ISLE_OP_PROBE, &i, sizeof i));
        memcpy(&seed, core_body(&ocl), sizeof seed);
        CHECK(!strcmp(seed.name, names[i]));
        CHECK(strstr(seed.summary, "Fake (R) Device") && strstr(seed.summary, "Fake platform"));
    }
    uint32_t index = 3;
    CHECK_EQ(-ENOENT, core_call(&ocl, ISLE_OP_PROBE, &index, sizeof index));
    CHECK_EQ(0, core_body_length(&ocl));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void builtins_need_no_compiler(void)
{
    CHECK_EQ(0, fake_begin(NULL));
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
    CHECK_EQ(0, fake_begin(NULL));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, fake_load());
    CHECK_EQ(0, ocl_describe(PROGRAM, 0, &e));
    CHECK(!strcmp(e.name, "twice") && e.arg_count == 3);
    CHECK(e.arg_kinds[0] == ISLE_ARG_BUFFER && e.arg_kinds[1] == ISLE_ARG_BUFFER && e.arg_kinds[2] == ISLE_ARG_U32);
    CHECK(e.arg_access[0] == READ_ && e.arg_access[1] == (READ_ | WRITE_));
    CHECK_EQ(-ENOENT, ocl_describe(PROGRAM, 1, &e));
    CHECK(!*ocl_log);
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

static void options_of_a_program_and_of_the_device_go_to_the_compiler(void)
{
    char longest[ISLE_OPTIONS_MAX + 1];
    memset(longest, 'x', ISLE_OPTIONS_MAX);
    memcpy(longest, "-D", 2);
    longest[ISLE_OPTIONS_MAX] = 0;
    CHECK_EQ(0, fake_begin("build_options=-DOURS=1"));
    CHECK_EQ(0, ocl_build(PROGRAM, ISLE_PROGRAM_OPENCL_C, "-DTHEIRS=2", FAKE_SOURCE, sizeof FAKE_SOURCE - 1));
    CHECK(!strcmp(fake->options, "-cl-kernel-arg-info -DOURS=1 -DTHEIRS=2"));
    CHECK_EQ(0, ocl_build(PROGRAM + 1, ISLE_PROGRAM_SPIRV, longest, FAKE_SOURCE, sizeof FAKE_SOURCE - 1));
    CHECK(strstr(fake->options, longest));
    CHECK_EQ(IO_NOT_SUPPORTED, ocl_build(PROGRAM + 2, ISLE_PROGRAM_BUILTIN, "-DX", "noop", 4));
    CHECK(strstr(ocl_log, "options"));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void a_failed_build_says_why(void)
{
    CHECK_EQ(0, fake_begin(NULL));
    CHECK_EQ(-EINVAL, ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, "bad", 3));
    CHECK(strstr(ocl_log, "fake: line 1: bad is not a statement"));
    CHECK_EQ(-EINVAL, ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, "none", 4));
    CHECK(strstr(ocl_log, "no kernel"));
    CHECK_EQ(-EINVAL, ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, "local image", 11));
    CHECK(strstr(ocl_log, "kernel reduce cannot be used: argument 0 (uint*) is an image"));
    CHECK_EQ(IO_NOT_SUPPORTED, ocl_load(PROGRAM, ISLE_PROGRAM_PTX, "x", 1));
    fake->create_program = -6;
    CHECK_EQ(-ENOMEM, fake_load());
    fake->create_program = 0;
    CHECK_EQ(0, ocl_load(PROGRAM, ISLE_PROGRAM_SPIRV, FAKE_SOURCE, sizeof FAKE_SOURCE - 1));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void work_of_a_context_ends_in_order(void)
{
    uint64_t tag;
    isle_completion_slot s;
    CHECK_EQ(0, fake_begin(NULL));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, fake_load());
    for (int round = 0; round < 10; round++) {
        for (uint32_t i = 0; i < TEST_INFLIGHT; i++)
            CHECK_EQ(0, fake_twice(i, &tag));
        for (uint32_t i = 0; i < TEST_INFLIGHT; i++) {
            CHECK(core_next(&ocl, 20000, &s));
            CHECK_EQ(i, (uint32_t)s.tag);
            CHECK_EQ(0, s.status);
        }
    }
    CHECK_EQ(0, ocl.channel->violations);
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void starts_are_told_where_there_is_a_limit(void)
{
    uint64_t tag;
    isle_completion_slot s;
    const AccelContextLimits limits = {.max_execution_us = 1000000};
    CHECK_EQ(0, fake_begin(NULL));
    CHECK_EQ(0, core_context(&ocl, OTHER, 0, &limits));
    struct command k;
    command_begin(&k);
    uint64_t before = clock_ns();
    CHECK_EQ(0, core_submit(&ocl, OTHER, &k, 3, &tag));
    CHECK(core_next(&ocl, 20000, &s) && s.tag == tag && s.status == 0);
    const isle_started *told = (const void *)((const uint8_t *)ocl.channel + ocl.channel->started_offset + 3 * sizeof *told);
    CHECK(told->start_ns >= before && told->start_ns <= clock_ns());
    CHECK_EQ(0, core_submit(&ocl, CONTEXT, &k, 4, &tag));
    CHECK(core_next(&ocl, 20000, &s) && s.tag == tag);
    CHECK_EQ(0, told[1].start_ns);
    CHECK_EQ(0, ocl_end());
}

static void a_part_of_a_device_is_a_device(void)
{
    isle_open_response r;
    CHECK_EQ(0, fake_begin("units=3\npart=1"));
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
    TEST(builtins_need_no_compiler),
    TEST(arguments_are_checked_against_the_kernel),
    TEST(options_of_a_program_and_of_the_device_go_to_the_compiler),
    TEST(a_failed_build_says_why),
    TEST(work_of_a_context_ends_in_order),
    TEST(starts_are_told_where_there_is_a_limit),
    TEST(a_part_of_a_device_is_a_device),
};

int main(int argc, char **argv)
{
    return fake_find() ? run_tests("opencl", tests, sizeof tests / sizeof tests[0], argc, argv) : 2;
}
