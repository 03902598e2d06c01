/* The software accelerator's memory and the contexts that it belongs to. */
#include <errno.h>
#include <stdlib.h>

#include "futex.h"
#include "soft_harness.h"

static int alloc(uint64_t id, uint64_t size, uint64_t alignment, AccelPageSize page, uint32_t flags, isle_alloc_response *out)
{
    isle_alloc_request q = {.context = CONTEXT, .memory = id, .size = size, .alignment = alignment, .page_size = page, .flags = flags};
    int rc = core_call(&soft, ISLE_OP_ALLOC, &q, sizeof q);
    if (out && !rc)
        memcpy(out, core_body(&soft), sizeof *out);
    return rc;
}

static int release(uint64_t id)
{
    return core_call(&soft, ISLE_OP_FREE, &id, sizeof id);
}

static AccelUtilization usage(void)
{
    AccelUtilization u = {0};
    if (!core_call(&soft, ISLE_OP_UTILIZATION, NULL, 0))
        memcpy(&u, core_body(&soft), sizeof u);
    return u;
}

static bool next(isle_completion_slot *s)
{
    return core_next(&soft, 20000, s);
}

static void memory_obeys_page_alignment_and_flag_rules(void)
{
    isle_alloc_response r;
    CHECK_EQ(0, soft_begin("memory_bytes=32MiB", NULL));
    CHECK_EQ(0, alloc(A, 1, 0, ACCEL_PAGE_STANDARD, VISIBLE, &r));
    CHECK_EQ(4096, r.size);
    CHECK_EQ(16, r.segment);
    CHECK_EQ(0, alloc(B, 4097, 4096, ACCEL_PAGE_STANDARD, 0, &r));
    CHECK_EQ(4097, r.size); /* out of sight the core goes by what it asked for */
    CHECK_EQ(0, r.segment);
    CHECK_EQ(12288, usage().memory_used_bytes);
    CHECK_EQ(0, alloc(A + 5, 100, 2 << 20, ACCEL_PAGE_HUGE_2M, VISIBLE | ACCEL_MEM_PINNED, &r));
    CHECK_EQ(2 << 20, r.size);
    CHECK_EQ(0, r.offset % (2 << 20));
    CHECK_EQ(0, alloc(A + 6, 2 << 20, 2 << 20, ACCEL_PAGE_DEVICE_OPTIMAL, VISIBLE, &r));
    CHECK_EQ(-EINVAL, alloc(A + 7, (2 << 20) + 1, 2 << 20, ACCEL_PAGE_DEVICE_OPTIMAL, 0, &r));
    CHECK_EQ(0, alloc(A + 7, (2 << 20) + 1, 0, ACCEL_PAGE_DEVICE_OPTIMAL, 0, &r));
    CHECK_EQ((2 << 20) + 1, r.size);
    CHECK_EQ(IO_NOT_SUPPORTED, alloc(A + 8, 1, 0, ACCEL_PAGE_HUGE_1G, 0, NULL));
    CHECK_EQ(-EINVAL, alloc(A + 8, 1, 8192, ACCEL_PAGE_STANDARD, 0, NULL));
    CHECK_EQ(-EINVAL, alloc(A + 8, 1, 3, ACCEL_PAGE_STANDARD, 0, NULL));
    CHECK_EQ(-EINVAL, alloc(A + 8, 0, 0, ACCEL_PAGE_STANDARD, 0, NULL));
    CHECK_EQ(-EINVAL, alloc(A + 8, 1, 0, 4, 0, NULL));
    for (uint32_t bit = 0; bit < 32; bit++)
        if (!(ACCEL_MEM_ALL >> bit & 1))
            CHECK_EQ(-EINVAL, alloc(A + 8, 1, 0, ACCEL_PAGE_STANDARD, 1u << bit, NULL));
    CHECK_EQ(-ENOMEM, alloc(A + 8, UINT64_MAX, 0, ACCEL_PAGE_STANDARD, 0, NULL));
    CHECK_EQ(-ENOMEM, alloc(A + 8, 32 << 20, 0, ACCEL_PAGE_STANDARD, 0, NULL));
    CHECK_EQ(-EEXIST, alloc(A, 1, 0, ACCEL_PAGE_STANDARD, 0, NULL));
    CHECK_EQ(0, release(A));
    CHECK_EQ(-ESTALE, release(A));
    soft_end();
}

static void memory_is_counted_to_the_last_page(void)
{
    AccelContextLimits limits = {.max_memory_bytes = 1 << 20};
    CHECK_EQ(0, soft_begin("memory_bytes=1MiB", NULL));
    CHECK_EQ(0, alloc(A, (1 << 20) - 4096, 0, 0, VISIBLE, NULL));
    CHECK_EQ(0, alloc(B, 4096, 0, 0, 0, NULL));
    CHECK_EQ(-ENOMEM, alloc(A + 5, 1, 0, 0, 0, NULL));
    CHECK_EQ(1 << 20, usage().memory_used_bytes);
    CHECK_EQ(0, release(B));
    CHECK_EQ(0, alloc(A + 5, 1, 0, 0, 0, NULL));
    soft_end();
    CHECK_EQ(0, soft_begin(NULL, &limits));
    CHECK_EQ(0, alloc(A, 1 << 20, 0, 0, 0, NULL));
    CHECK_EQ(-ENOMEM, alloc(B, 1, 0, 0, 0, NULL));
    CHECK_EQ(0, core_alloc(&soft, OTHER, B, 1 << 20, 0, NULL)); /* a limit is its context's own */
    soft_end();
}

static void memory_in_use_is_not_freed(void)
{
    struct command k;
    uint64_t tag, busy;
    isle_completion_slot s;
    CHECK_EQ(0, soft_begin("compute_units=1", NULL));
    CHECK(soft_memory(A, 4096));
    CHECK_EQ(0, core_program(&soft, CONTEXT, PROGRAM, "busy"));
    CHECK_EQ(0, soft_busy(CONTEXT, 20000, 0, &busy));
    command_begin(&k);
    command_bind(&k, A, 0, 4096, WRITE_);
    command_fill(&k, 0, 0, 4096, 1);
    CHECK_EQ(0, core_submit(&soft, CONTEXT, &k, 1, &tag));
    CHECK_EQ(-EBUSY, release(A));
    CHECK(next(&s) && s.tag == busy && next(&s) && s.tag == tag && s.status == 0);
    CHECK_EQ(0, release(A));
    CHECK_EQ(-ESTALE, core_submit(&soft, CONTEXT, &k, 1, &tag));
    soft_end();
}

static void contexts_do_not_see_each_other(void)
{
    struct command k;
    uint64_t context = CONTEXT;
    CHECK_EQ(0, soft_begin(NULL, NULL));
    uint8_t *a = soft_memory(A, 4096);
    CHECK(a);
    memset(a, 0x11, 4096);
    command_begin(&k);
    command_bind(&k, A, 0, 4096, WRITE_);
    command_fill(&k, 0, 0, 4096, 0);
    CHECK_EQ(-EACCES, core_run(&soft, OTHER, &k, NULL));
    CHECK_EQ(0x11, a[0]);
    CHECK_EQ(0, core_run(&soft, CONTEXT, &k, NULL));
    memset(a, 0x11, 4096);
    CHECK_EQ(2, usage().active_contexts);
    CHECK_EQ(0, core_call(&soft, ISLE_OP_DESTROY_CONTEXT, &context, sizeof context));
    CHECK_EQ(1, usage().active_contexts);
    CHECK_EQ(0, usage().memory_used_bytes);
    CHECK_EQ(0, a[0]); /* the heap was wiped */
    CHECK_EQ(-ESTALE, core_run(&soft, CONTEXT, &k, NULL));
    CHECK_EQ(0, core_context(&soft, core_id(ISLE_KIND_CONTEXT, 2, 1), 16, NULL));
    CHECK_EQ(-ESTALE, core_run(&soft, core_id(ISLE_KIND_CONTEXT, 2, 1), &k, NULL));
    soft_end();
}

static void contexts_are_limited(void)
{
    AccelContextLimits bandwidth = {.guaranteed_bandwidth_us = 1000, .bandwidth_period_us = 1000000};
    CHECK_EQ(0, soft_begin("max_contexts=3", NULL));
    CHECK_EQ(IO_NOT_SUPPORTED, core_context(&soft, CONTEXT + 5, 0, &bandwidth));
    CHECK_EQ(0, core_context(&soft, CONTEXT + 5, 0, NULL));
    CHECK_EQ(-ENOSPC, core_context(&soft, CONTEXT + 6, 0, NULL));
    CHECK_EQ(-EEXIST, core_context(&soft, CONTEXT + 5, 0, NULL));
    uint64_t gone = CONTEXT + 5;
    CHECK_EQ(0, core_call(&soft, ISLE_OP_DESTROY_CONTEXT, &gone, sizeof gone));
    CHECK_EQ(-EBUSY, core_context(&soft, CONTEXT + 6, 16, NULL)); /* a heap has one context */
    CHECK_EQ(0, core_context(&soft, CONTEXT + 6, 0, NULL));
    CHECK_EQ(-ENOMEM, core_alloc(&soft, CONTEXT + 6, A, 4096, VISIBLE, NULL));
    CHECK_EQ(0, core_alloc(&soft, CONTEXT + 6, A, 4096, 0, NULL));
    uint32_t heap = 16;
    CHECK_EQ(-EBUSY, core_call(&soft, ISLE_OP_REMOVE_SEGMENT, &heap, sizeof heap));
    soft_end();
    CHECK_EQ(0, soft_begin("max_cmd_buffer_size=256", NULL));
    struct command k;
    uint64_t tag;
    command_begin(&k);
    while (k.length <= 256)
        command_op(&k, &(isle_op){ISLE_OP_VENDOR, 0, 8}, 8);
    CHECK_EQ(-EMSGSIZE, core_submit(&soft, CONTEXT, &k, 0, &tag));
    soft_end();
}

static const struct test tests[] = {
    TEST(memory_obeys_page_alignment_and_flag_rules),
    TEST(memory_is_counted_to_the_last_page),
    TEST(memory_in_use_is_not_freed),
    TEST(contexts_do_not_see_each_other),
    TEST(contexts_are_limited),
};

int main(int argc, char **argv)
{
    return run_tests("memory", tests, sizeof tests / sizeof tests[0], argc, argv);
}
