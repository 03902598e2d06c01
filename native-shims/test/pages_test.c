/* Faulty pages and pages on their way, of the software accelerator. */
#include <errno.h>

#include "soft_harness.h"

#define PAGE 4096u
#define SIZE (8u * PAGE)

static uint8_t *bytes;

static int begin(const char *settings)
{
    int rc = soft_begin(settings, NULL);
    bytes = rc ? NULL : soft_memory(A, SIZE);
    return rc ? rc : bytes ? 0 : -ENOMEM;
}

static int fill(uint64_t offset, uint64_t length, isle_completion_slot *s)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, A, offset, length, WRITE_);
    command_fill(&k, 0, 0, length, 0x11111111);
    return core_run(&soft, CONTEXT, &k, s);
}

static int faulty(uint32_t index, isle_page_range *r)
{
    int rc = core_call(&soft, ISLE_OP_FAULTY_PAGE, &index, sizeof index);
    if (!rc)
        memcpy(r, core_body(&soft), sizeof *r);
    return rc;
}

static uint64_t retired(void)
{
    uint64_t n = UINT64_MAX;
    if (!core_call(&soft, ISLE_OP_RETIRED_PAGES, NULL, 0))
        memcpy(&n, core_body(&soft), sizeof n);
    return n;
}

static AccelUtilization usage(void)
{
    AccelUtilization u = {0};
    if (!core_call(&soft, ISLE_OP_UTILIZATION, NULL, 0))
        memcpy(&u, core_body(&soft), sizeof u);
    return u;
}

static void a_faulty_page_stops_who_touches_it(void)
{
    isle_completion_slot s;
    isle_page_range r;
    CHECK_EQ(0, begin("fault_injection=true\nmemory_bytes=1MiB"));
    CHECK_EQ(0, fill(0, SIZE, &s));
    CHECK_EQ(-ENOENT, faulty(0, &r));
    CHECK_EQ(0, soft_inject(ISLE_FAULT_ECC_UNCORRECTABLE, 0, 1, 3 * PAGE + 5));
    CHECK_EQ(-EHWPOISON, fill(0, SIZE, &s));
    CHECK_EQ(ACCEL_COMPLETION_ERROR, s.status);
    CHECK_EQ(-EHWPOISON, fill(3 * PAGE, 8, &s)); /* and stays so */
    CHECK_EQ(0, fill(0, 3 * PAGE, &s));          /* others do not meet it */
    CHECK_EQ(0, fill(4 * PAGE, 4 * PAGE, &s));
    CHECK_EQ(0, faulty(0, &r));
    CHECK(r.memory == A && r.offset == 3 * PAGE && r.length == PAGE);
    CHECK_EQ(-ENOENT, faulty(1, &r));
    soft_end();
}

static void a_retired_page_is_replaced_and_gone(void)
{
    isle_completion_slot s;
    isle_page_range r;
    AccelHealthData h;
    CHECK_EQ(0, begin("fault_injection=true\nmemory_bytes=1MiB"));
    CHECK_EQ(0, fill(0, SIZE, &s));
    CHECK_EQ(0, soft_inject(ISLE_FAULT_ECC_UNCORRECTABLE, 0, 1, PAGE));
    CHECK_EQ(-EHWPOISON, fill(0, SIZE, &s));
    CHECK_EQ(0, retired());
    CHECK_EQ(0, faulty(0, &r));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_RETIRE_PAGES, &r, sizeof r));
    CHECK_EQ(1, retired());
    CHECK_EQ(-EINVAL, core_call(&soft, ISLE_OP_RETIRE_PAGES, &r, sizeof r)); /* nothing faulty there any more */
    CHECK(bytes[PAGE - 1] == 0x11 && bytes[PAGE] == 0 && bytes[2 * PAGE - 1] == 0 && bytes[2 * PAGE] == 0x11);
    CHECK_EQ(0, fill(0, SIZE, &s));
    CHECK_EQ((1 << 20) - PAGE, usage().memory_total_bytes);
    isle_alloc_response got;
    CHECK_EQ(-ENOMEM, core_alloc(&soft, CONTEXT, B, (1 << 20) - SIZE, VISIBLE, &got));
    CHECK_EQ(0, core_alloc(&soft, CONTEXT, B, (1 << 20) - SIZE - PAGE, VISIBLE, &got));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_HEALTH, NULL, 0));
    memcpy(&h, core_body(&soft), sizeof h);
    CHECK(h.ecc_uncorrectable == 1 && h.error_code == 48);
    soft_end();
}

static void bad_ranges_are_refused(void)
{
    isle_page_range ranges[] = {{A, 0, 0}, {A, SIZE, 1}, {A, 0, SIZE + 1}, {A, UINT64_MAX, 2}, {A, 0, PAGE}};
    isle_page_range gone = {B, 0, PAGE};
    CHECK_EQ(0, begin("fault_injection=true"));
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        CHECK_EQ(-EINVAL, core_call(&soft, ISLE_OP_RETIRE_PAGES, &ranges[i], sizeof ranges[i]));
    CHECK_EQ(-ESTALE, core_call(&soft, ISLE_OP_RETIRE_PAGES, &gone, sizeof gone));
    soft_end();
}

static void freed_memory_leaves_its_faulty_pages_behind(void)
{
    isle_completion_slot s;
    uint64_t a = A;
    CHECK_EQ(0, begin("fault_injection=true\nmemory_bytes=1MiB"));
    CHECK_EQ(0, soft_inject(ISLE_FAULT_ECC_UNCORRECTABLE, 0, 1, 0));
    CHECK_EQ(-EHWPOISON, fill(0, SIZE, &s));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_FREE, &a, sizeof a));
    CHECK_EQ(1, retired());
    CHECK(usage().memory_used_bytes == 0 && usage().memory_total_bytes == (1 << 20) - PAGE);
    soft_end();
}

static void pages_can_be_retired_until_none_is_left(void)
{
    isle_completion_slot s;
    isle_alloc_response got;
    isle_page_range page = {A, 0, PAGE};
    CHECK_EQ(0, begin("fault_injection=true\nmemory_bytes=1MiB"));
    CHECK_EQ(0, soft_inject(ISLE_FAULT_ECC_UNCORRECTABLE, 0, 300, 0));
    for (int i = 0; i < 300; i++) {
        CHECK_EQ(-EHWPOISON, fill(0, PAGE, &s));
        CHECK_EQ(0, core_call(&soft, ISLE_OP_RETIRE_PAGES, &page, sizeof page));
    }
    CHECK_EQ(300, retired());
    CHECK_EQ(0, usage().memory_total_bytes);
    CHECK_EQ(-ENOMEM, core_alloc(&soft, CONTEXT, B, PAGE, VISIBLE, &got));
    CHECK_EQ(0, fill(0, SIZE, &s)); /* what there is goes on */
    soft_end();
}

struct migration {
    isle_migrate_request head;
    isle_page pages[ISLE_MIGRATE_MAX];
};
static struct migration m;

static int migrate(uint32_t count, uint32_t flags, int32_t *results)
{
    m.head = (isle_migrate_request){.context = CONTEXT, .count = count, .flags = flags};
    int rc = core_call(&soft, ISLE_OP_MIGRATE_PAGES, &m, (uint32_t)(sizeof m.head + count * sizeof m.pages[0]));
    if (!rc)
        memcpy(results, core_body(&soft), count * sizeof *results);
    return rc;
}

static uint64_t page_faults(void)
{
    AccelPerfCounters n = {.page_faults = 99};
    uint64_t context = CONTEXT;
    if (!core_call(&soft, ISLE_OP_PERF_COUNTERS, &context, sizeof context))
        memcpy(&n, core_body(&soft), sizeof n);
    return n.page_faults;
}

static void pages_move_and_come_back_when_touched(void)
{
    isle_completion_slot s;
    int32_t results[8];
    CHECK_EQ(0, begin("memory_bytes=1MiB"));
    CHECK_EQ(0, fill(0, SIZE, &s));
    for (uint32_t i = 0; i < 8; i++)
        m.pages[i] = (isle_page){A, i * PAGE};
    CHECK_EQ(0, migrate(8, MIGRATION_TO_CPU, results));
    for (int i = 0; i < 8; i++)
        CHECK_EQ(0, results[i]);
    CHECK_EQ(0, usage().memory_used_bytes);
    CHECK(bytes[0] == 0x11 && bytes[SIZE - 1] == 0x11);
    CHECK_EQ(0, fill(PAGE, 2 * PAGE, &s)); /* works, and brings two home */
    CHECK_EQ(2 * PAGE, usage().memory_used_bytes);
    CHECK_EQ(2, page_faults());
    CHECK_EQ(0, migrate(8, MIGRATION_TO_DEVICE | MIGRATION_PREFETCH, results));
    CHECK_EQ(SIZE, usage().memory_used_bytes);
    CHECK_EQ(0, migrate(1, MIGRATION_TO_CPU, results));
    uint64_t a = A;
    CHECK_EQ(0, core_call(&soft, ISLE_OP_FREE, &a, sizeof a));
    CHECK_EQ(0, usage().memory_used_bytes);
    soft_end();
}

static void the_room_that_pages_leave_can_be_taken(void)
{
    int32_t results[1];
    isle_alloc_response got;
    isle_completion_slot s;
    CHECK_EQ(0, begin("memory_bytes=1MiB"));
    CHECK_EQ(-ENOMEM, core_alloc(&soft, CONTEXT, B, (1 << 20) - SIZE + PAGE, VISIBLE, &got));
    m.pages[0] = (isle_page){A, 2 * PAGE};
    CHECK_EQ(0, migrate(1, MIGRATION_TO_CPU, results));
    CHECK_EQ(0, core_alloc(&soft, CONTEXT, B, (1 << 20) - SIZE + PAGE, VISIBLE, &got));
    CHECK_EQ(0, migrate(1, MIGRATION_TO_DEVICE, results));
    CHECK_EQ(-ENOMEM, results[0]);
    CHECK_EQ(0, fill(2 * PAGE, PAGE, &s)); /* works where it is */
    CHECK_EQ(1, page_faults());
    soft_end();
}

static void what_cannot_move_is_told_page_by_page(void)
{
    int32_t results[5];
    isle_alloc_response got;
    CHECK_EQ(0, begin(NULL));
    CHECK_EQ(0, core_alloc(&soft, CONTEXT, B, PAGE, VISIBLE | ACCEL_MEM_PINNED, &got));
    CHECK_EQ(0, core_alloc(&soft, CONTEXT, B + 1, PAGE, 0, &got));
    m.pages[0] = (isle_page){A + 7, 0};
    m.pages[1] = (isle_page){A, SIZE};
    m.pages[2] = (isle_page){A, 5};
    m.pages[3] = (isle_page){B, 0};
    m.pages[4] = (isle_page){B + 1, 0};
    CHECK_EQ(0, migrate(5, MIGRATION_TO_CPU, results));
    CHECK_EQ(-ENOENT, results[0]);
    CHECK_EQ(-EINVAL, results[1]);
    CHECK_EQ(-EINVAL, results[2]);
    CHECK_EQ(-EBUSY, results[3]);
    CHECK_EQ(-EACCES, results[4]);
    m.pages[0] = m.pages[3];
    CHECK_EQ(0, migrate(1, MIGRATION_TO_CPU | MIGRATION_FORCE, results));
    CHECK_EQ(0, results[0]);
    CHECK_EQ(-EINVAL, migrate(1, MIGRATION_TO_CPU | MIGRATION_TO_DEVICE, results));
    CHECK_EQ(-EINVAL, migrate(1, 0, results));
    CHECK_EQ(-EINVAL, migrate(1, MIGRATION_TO_CPU | MIGRATION_ASYNC, results));
    m.head = (isle_migrate_request){.context = CONTEXT, .count = 2, .flags = MIGRATION_TO_CPU};
    CHECK_EQ(-EINVAL, core_call(&soft, ISLE_OP_MIGRATE_PAGES, &m, sizeof m.head + sizeof m.pages[0]));
    m.head = (isle_migrate_request){.context = CONTEXT + 9, .count = 0, .flags = MIGRATION_TO_CPU};
    CHECK_EQ(-ESTALE, core_call(&soft, ISLE_OP_MIGRATE_PAGES, &m, sizeof m.head));
    soft_end();
}

static const struct test tests[] = {
    TEST(a_faulty_page_stops_who_touches_it),
    TEST(a_retired_page_is_replaced_and_gone),
    TEST(bad_ranges_are_refused),
    TEST(pages_can_be_retired_until_none_is_left),
    TEST(freed_memory_leaves_its_faulty_pages_behind),
    TEST(pages_move_and_come_back_when_touched),
    TEST(the_room_that_pages_leave_can_be_taken),
    TEST(what_cannot_move_is_told_page_by_page),
};

int main(int argc, char **argv)
{
    return run_tests("pages", tests, sizeof tests / sizeof tests[0], argc, argv);
}
