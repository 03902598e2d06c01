/* Memory of the OpenCL driver, where the device sees what the CPU sees and where it has a copy. */
#define _GNU_SOURCE
#include <errno.h>

#include "opencl_fake.h"

static void kernels_run_on_shared_and_on_staged_memory(void)
{
    static const char *const settings[] = {"memory=shared", "memory=staging", "memory=auto"};
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(0, fake_begin(settings[i]));
        uint32_t *a = (void *)ocl_memory(A, 4096), *b = (void *)ocl_memory(B, 4096);
        CHECK(a && b && !a[0] && !b[1023]);
        CHECK_EQ(0, fake_load());
        for (uint32_t n = 0; n < 1024; n++)
            a[n] = n;
        b[7] = 99;
        uint64_t tag;
        isle_completion_slot s;
        uint64_t before = clock_ns();
        CHECK_EQ(0, fake_twice(0, &tag));
        CHECK(core_next(&ocl, 20000, &s));
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
    CHECK_EQ(0, fake_begin("memory=staging"));
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
    CHECK_EQ(0, fake_begin(NULL));
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
    fake_use("libfakecl.so");
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
    CHECK_EQ(0, fake_begin(NULL));
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

/* The device's memory is not everybody's: what lies between the two ranges is small, and there is one of a context. */
static void large_copies_that_overlap_take_little_memory(void)
{
    static const uint64_t places[][2] = {{1, 0}, {0, 1}, {5u << 20, 0}, {0, 5u << 20}};
    const uint64_t size = 15u << 20, bytes = 9u << 20;
    CHECK_EQ(0, fake_begin(NULL));
    uint8_t *a = ocl_memory(A, size);
    CHECK(a != NULL);
    fake->largest_buffer = 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        uint64_t to = places[i][0], from = places[i][1], tag;
        for (uint64_t n = 0; n < size; n++)
            a[n] = (uint8_t)(n ^ n >> 9);
        struct command k;
        isle_op_copy op = {.op = {ISLE_OP_COPY, 0, sizeof op}, .dst_offset = to, .src_offset = from, .bytes = bytes};
        command_begin(&k);
        command_bind(&k, A, 0, size, READ_ | WRITE_);
        command_op(&k, &op, sizeof op);
        int live = fake->live;
        CHECK_EQ(0, core_submit(&ocl, CONTEXT, &k, 0, &tag));
        CHECK_EQ(0, core_expect(&ocl, tag, ACCEL_COMPLETION_SUCCESS, 0));
        CHECK_EQ(live + !i, fake->live);
        for (uint64_t n = 0; n < size; n++) {
            uint64_t was = n >= to && n < to + bytes ? n - to + from : n;
            CHECK_EQ((uint8_t)(was ^ was >> 9), a[n]);
        }
    }
    CHECK_EQ(4 << 20, fake->largest_buffer);
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void a_full_device_says_so(void)
{
    isle_alloc_response r;
    CHECK_EQ(0, fake_begin("memory_bytes=1M"));
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
    CHECK_EQ(0, fake_begin("memory_bytes=1")); /* a page, and not what 0 means */
    CHECK_EQ(0, core_alloc(&ocl, CONTEXT, A, 1, 0, &r));
    CHECK_EQ(-ENOMEM, core_alloc(&ocl, CONTEXT, B, 1, 0, &r));
    CHECK_EQ(0, ocl_end());
}

static const struct test tests[] = {
    TEST(kernels_run_on_shared_and_on_staged_memory),
    TEST(staging_keeps_what_is_not_written),
    TEST(memory_that_the_cpu_cannot_see_is_zero),
    TEST(memory_that_differs_is_never_called_shared),
    TEST(fills_begin_anywhere_and_copies_may_overlap),
    TEST(large_copies_that_overlap_take_little_memory),
    TEST(a_full_device_says_so),
};

int main(int argc, char **argv)
{
    return fake_find() ? run_tests("opencl_memory", tests, sizeof tests / sizeof tests[0], argc, argv) : 2;
}
