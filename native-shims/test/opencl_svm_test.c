/* The OpenCL driver with memory=svm, against a library that refuses every pointer which is not of its shared virtual memory. */
#include <errno.h>

#include "opencl_fake.h"

static bool unified(void)
{
    AccelDeviceInfo info;
    if (core_call(&ocl, ISLE_OP_INFO, NULL, 0))
        return false;
    memcpy(&info, core_body(&ocl), sizeof info);
    return info.unified_addressing == 1;
}

static void only_a_device_that_has_it_gets_it(void)
{
    CHECK_EQ(0, fake_begin("memory=svm"));
    CHECK(unified());
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake_begin(NULL));
    CHECK(!unified());
    CHECK_EQ(0, ocl_end());
    static const int says[] = {0, 2, 4, 8}; /* none; the finer kinds without the coarse one */
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++) {
        core_make(&ocl);
        CHECK_EQ(0, core_load(&ocl, "libisleopencl.so"));
        fake->svm = says[i];
        CHECK_EQ(IO_NOT_SUPPORTED, ocl_open("memory=svm"));
        fake->svm = 1;
        fake->create_svm = -4; /* it says so, but there is none to be had */
        CHECK_EQ(IO_NOT_SUPPORTED, ocl_open("memory=svm"));
        fake->create_svm = 0;
        CHECK_EQ(0, ocl_end());
    }
    CHECK_EQ(0, fake->live);
}

static void kernels_run_in_it_and_the_cpu_sees_what_they_wrote(void)
{
    uint64_t tag;
    CHECK_EQ(0, fake_begin("memory=svm"));
    uint32_t *a = (void *)ocl_memory(A, 4096), *b = (void *)ocl_memory(B, 8192);
    CHECK(a && b && !a[0] && !b[2047]);
    CHECK_EQ(0, fake_load());
    for (uint32_t round = 1; round < 4; round++) {
        for (uint32_t n = 0; n < 1024; n++)
            a[n] = round * n;
        b[1500] = round;
        CHECK_EQ(0, fake_twice(0, &tag));
        CHECK_EQ(0, core_expect(&ocl, tag, ACCEL_COMPLETION_SUCCESS, 0));
        for (uint32_t n = 0; n < 1024; n++)
            CHECK_EQ(2 * round * n + 5, b[n]);
        CHECK_EQ(round, b[1500]);
        CHECK_EQ(2, fake->reachable);
    }
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

/* What else the submission binds, too, visible to the CPU or not; and no more than that. */
static void a_kernel_reaches_what_its_submission_binds(void)
{
    const uint64_t third = core_id(ISLE_KIND_MEMORY, 1, 3);
    isle_alloc_response r;
    uint64_t tag;
    struct command k;
    CHECK_EQ(0, fake_begin("memory=svm"));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, core_alloc(&ocl, CONTEXT, third, 4096, 0, &r));
    CHECK_EQ(0, fake_load());
    command_begin(&k);
    command_bind(&k, A, 0, 4096, READ_);
    command_bind(&k, third, 0, 4096, READ_);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    command_bind(&k, B, 0, 4096, WRITE_);
    ocl_dispatch(&k, 2, 0, 1024, 3, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_BUFFER, 3, 0}, {ISLE_ARG_U32, 0, 5}});
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
    CHECK_EQ(3, fake->reachable);
    CHECK_EQ(0, core_call(&ocl, ISLE_OP_FREE, &third, sizeof third));
    CHECK_EQ(0, fake_twice(0, &tag)); /* a list with the memory that is gone would be refused */
    CHECK_EQ(0, core_expect(&ocl, tag, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(2, fake->reachable);
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void an_argument_begins_at_any_element(void)
{
    static const struct {
        uint64_t offset;
        int outcome;
    } cases[] = {{0, 0}, {4, 0}, {12, 0}, {130, -EINVAL}, {1, -EINVAL}};
    CHECK_EQ(0, fake_begin("memory=svm"));
    uint32_t *a = (void *)ocl_memory(A, 4096), *b = (void *)ocl_memory(B, 4096);
    CHECK(a && b);
    CHECK_EQ(0, fake_load());
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct command k;
        memset(b, 0, 4096);
        for (uint32_t n = 0; n < 1024; n++)
            a[n] = n + i;
        command_begin(&k);
        command_bind(&k, A, cases[i].offset, 64, READ_);
        command_bind(&k, B, cases[i].offset, 64, WRITE_);
        command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
        ocl_dispatch(&k, 2, 0, 16, 3, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_U32, 0, 1}});
        CHECK_EQ(cases[i].outcome, core_run(&ocl, CONTEXT, &k, NULL));
        for (uint32_t n = 0; n < 1024; n++) {
            bool written = !cases[i].outcome && n >= cases[i].offset / 4 && n < cases[i].offset / 4 + 16;
            CHECK_EQ(written ? 2 * (n + i) + 1 : 0, b[n]);
        }
    }
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void fills_and_overlapping_copies_work_in_it(void)
{
    struct command k;
    CHECK_EQ(0, fake_begin("memory=svm"));
    uint8_t *a = ocl_memory(A, 4096), *b = ocl_memory(B, 4096);
    for (uint32_t i = 0; i < 4096; i++)
        a[i] = (uint8_t)(i * 7);
    isle_op_copy op = {.op = {ISLE_OP_COPY, 0, sizeof op}, .dst_offset = 10, .src_offset = 3, .bytes = 4000};
    command_begin(&k);
    command_bind(&k, A, 0, 4096, READ_ | WRITE_);
    command_bind(&k, B, 1, 4000, WRITE_);
    command_op(&k, &op, sizeof op);
    command_fill(&k, 1, 2, 9, 0x44332211);
    command_copy(&k, 0, 0, 4096); /* onto itself: nothing */
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
    for (uint32_t i = 0; i < 4000; i++)
        CHECK_EQ((uint8_t)((i + 3) * 7), a[10 + i]);
    CHECK(!memcmp(b, "\0\0\0\x11\x22\x33\x44\x11\x22\x33\x44\x11\0", 13));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void a_full_device_says_so(void)
{
    isle_alloc_response r;
    CHECK_EQ(0, fake_begin("memory=svm\nmemory_bytes=8K"));
    fake->create_svm = -4;
    CHECK_EQ(-ENOMEM, core_alloc(&ocl, CONTEXT, A, 4096, VISIBLE, &r));
    fake->create_svm = 0;
    CHECK_EQ(0, core_alloc(&ocl, CONTEXT, A, 8192, VISIBLE, &r)); /* the failed one is not charged */
    CHECK_EQ(-ENOMEM, core_alloc(&ocl, CONTEXT, B, 1, 0, &r));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static const struct test tests[] = {
    TEST(only_a_device_that_has_it_gets_it),
    TEST(kernels_run_in_it_and_the_cpu_sees_what_they_wrote),
    TEST(a_kernel_reaches_what_its_submission_binds),
    TEST(an_argument_begins_at_any_element),
    TEST(fills_and_overlapping_copies_work_in_it),
    TEST(a_full_device_says_so),
};

int main(int argc, char **argv)
{
    return fake_find() ? run_tests("opencl_svm", tests, sizeof tests / sizeof tests[0], argc, argv) : 2;
}
