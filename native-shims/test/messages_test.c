/* Control messages with every length wrong, and from seeds; a good one must still work afterwards. */
#include <errno.h>
#include <stdlib.h>

#include "harness.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define OTHER core_id(ISLE_KIND_CONTEXT, 1, 2)
#define MEMORY core_id(ISLE_KIND_MEMORY, 1, 1)
#define FOREIGN core_id(ISLE_KIND_MEMORY, 1, 2)
#define FILL core_id(ISLE_KIND_PROGRAM, 1, 1)
#define FOREIGN_PROGRAM core_id(ISLE_KIND_PROGRAM, 1, 2)
#define BYTES 65536u

static struct core core;
static uint8_t *heap, *other_heap;
static isle_alloc_response place, other_place;

static int begin(void)
{
    core_make(&core);
    int rc = core_load(&core, "libsoftaccel.so");
    rc = rc ? rc : core_open(&core, "compute_units=1\nfault_injection=false");
    rc = rc ? rc : core_heap(&core, 16, 1 << 20, &heap);
    rc = rc ? rc : core_heap(&core, 17, 1 << 20, &other_heap);
    rc = rc ? rc : core_context(&core, CONTEXT, 16, NULL);
    rc = rc ? rc : core_context(&core, OTHER, 17, NULL);
    rc = rc ? rc : core_alloc(&core, CONTEXT, MEMORY, BYTES, ACCEL_MEM_CPU_VISIBLE, &place);
    rc = rc ? rc : core_alloc(&core, OTHER, FOREIGN, BYTES, ACCEL_MEM_CPU_VISIBLE, &other_place);
    rc = rc ? rc : core_program(&core, CONTEXT, FILL, "fill");
    return rc ? rc : core_program(&core, OTHER, FOREIGN_PROGRAM, "fill");
}

static void end(void)
{
    core_unload(&core);
    core_free(&core);
}

/* bindings: memory, program; ops: fill, copy onto itself, dispatch of fill */
static void good(struct command *k)
{
    command_begin(k);
    command_bind(k, MEMORY, 4096, BYTES - 4096, ISLE_ACCESS_READ | ISLE_ACCESS_WRITE);
    command_bind(k, FILL, 0, 0, ISLE_ACCESS_PROGRAM);
    command_fill(k, 0, 0, BYTES - 4096, 0x01020304);
    command_copy(k, 0, 0, 100);
    command_dispatch(k, 1, 2, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_U32, 0, 7}});
}

static bool works(void)
{
    struct command k;
    good(&k);
    heap[place.offset + 4096] = 0;
    return core_run(&core, CONTEXT, &k, NULL) == 0 && heap[place.offset + 4096] == 7 && heap[place.offset] == 0;
}

static uint64_t nasty(uint64_t *state)
{
    static const uint64_t values[] = {0, 1, 7, 8, 63, 64, 4095, 4096, BYTES - 1, BYTES, BYTES + 1, INT32_MAX, UINT32_MAX, 1ull << 32,
                                      INT64_MAX, 1ull << 63, UINT64_MAX, UINT64_MAX - 7, UINT64_MAX - 4095, FOREIGN, MEMORY, FILL};
    uint64_t r = test_random(state);
    return r % 4 ? values[r / 4 % (sizeof values / sizeof values[0])] : test_random(state);
}

static const uint32_t sizes[] = {
    0, 0, 4, sizeof(isle_open_request), sizeof(isle_segment_request), 4, sizeof(isle_create_context), 8, 8, 0,
    sizeof(isle_alloc_request), 8, sizeof(isle_load_request), 8, sizeof(isle_describe_request), 4, 0, 0, 0, 4, 0, 8,
    sizeof(isle_inject_request), 0, 0, 0, 4, 0, 4, sizeof(isle_page_range), 0, sizeof(isle_migrate_request), 0,
    0, 4, sizeof(isle_mode_request), sizeof(isle_framebuffer_request), sizeof(isle_flip_request), sizeof(isle_connector_value), 4, 4,
    sizeof(isle_cursor_request), sizeof(isle_connector_value), 4, sizeof(isle_scanout_request),
    sizeof(isle_describe_request), sizeof(isle_files_request), 0, sizeof(isle_hpu_attach_request), 8, 8};

static void every_wrong_length_of_every_op_is_refused(void)
{
    static uint8_t body[8192];
    CHECK_EQ(0, begin());
    for (uint32_t op = 1; op <= ISLE_OP_HPU_REPORT; op++) {
        if (op == ISLE_OP_SANDBOX)
            continue;
        for (uint32_t length = 0; length < sizes[op] + 40; length++) {
            bool longer = op == ISLE_OP_OPEN || op == ISLE_OP_LOAD_PROGRAM || op == ISLE_OP_MIGRATE_PAGES ||
                          op == ISLE_OP_SET_CURSOR || op == ISLE_OP_LOAD_FILES;
            if (length == sizes[op] || (longer && length > sizes[op]))
                continue;
            uint64_t violations = core.channel->violations;
            CHECK_EQ(-EINVAL, core_call(&core, op, body, length));
            CHECK_EQ(violations + 1, core.channel->violations);
        }
    }
    const uint32_t unknown[] = {0, ISLE_OP_SANDBOX, 51, 1000, UINT32_MAX};
    for (size_t i = 0; i < 5; i++)
        CHECK_EQ(IO_NOT_SUPPORTED, core_call(&core, unknown[i], NULL, 0));
    CHECK(works());
    end();
}

static void messages_that_lie_about_their_length_are_refused(void)
{
    CHECK_EQ(0, begin());
    for (uint32_t total = 0; total < 64; total++) {
        for (uint32_t said = 0; said < 64; said++) {
            isle_control_request q = {.seq = 1, .op = ISLE_OP_INFO, .length = said};
            memcpy(core.request, &q, sizeof q);
            int64_t n = isle_rt_control(core.rt, core.request, total, core.response, sizeof core.response);
            CHECK_EQ(total >= sizeof q && said == total - sizeof q, n > 0);
        }
    }
    isle_control_request q = {.op = ISLE_OP_INFO, .length = UINT32_MAX - 15};
    memcpy(core.request, &q, sizeof q);
    CHECK_EQ(-EMSGSIZE, isle_rt_control(core.rt, core.request, 16, core.response, sizeof core.response));
    CHECK_EQ(-EMSGSIZE, isle_rt_control(core.rt, core.request, UINT32_MAX, core.response, sizeof core.response));
    CHECK_EQ(-EINVAL, isle_rt_control(core.rt, core.request, 16, core.response, 100));
    CHECK(works());
    end();
}

/* Ops that end the session or need minutes are left out; all else with random bodies. */
static void random_control_messages_break_nothing(void)
{
    static uint8_t body[512];
    CHECK_EQ(0, begin());
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        uint64_t state = seed;
        uint32_t op = (uint32_t)(test_random(&state) % 25);
        if (op == ISLE_OP_CLOSE || op == ISLE_OP_EXIT || op == ISLE_OP_REMOVE_SEGMENT)
            continue;
        for (uint32_t i = 0; i < sizeof body; i += 8) {
            uint64_t v = nasty(&state);
            memcpy(body + i, &v, 8);
        }
        uint64_t first;
        memcpy(&first, body, 8);
        if ((op == ISLE_OP_DESTROY_CONTEXT && (first == CONTEXT || first == OTHER)) ||
            (op == ISLE_OP_FREE && (first == MEMORY || first == FOREIGN)) || (op == ISLE_OP_UNLOAD_PROGRAM && first == FILL))
            continue;
        CHECK(core_call(&core, op, body, op == ISLE_OP_LOAD_PROGRAM ? sizes[op] + 100 : sizes[op]) <= 0);
    }
    CHECK(works());
    end();
}

static void malformed_open_requests_are_refused(void)
{
    static uint8_t body[1024];
    core_make(&core);
    CHECK_EQ(0, core_load(&core, "libsoftaccel.so"));
    isle_open_request q = {.seed = {.name = "x"}, .value_count = 1};
    const uint8_t pair[] = {3, 0, 2, 0, 'k', 'e', 'y', 'v', '1'};
    for (uint32_t length = 0; length < sizeof pair; length++) {
        memcpy(body, &q, sizeof q);
        memcpy(body + sizeof q, pair, length);
        CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_OPEN, body, (uint32_t)sizeof q + length));
    }
    for (uint32_t count = 2; count; count *= 2) {
        q.value_count = count;
        memcpy(body, &q, sizeof q);
        memcpy(body + sizeof q, pair, sizeof pair);
        CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_OPEN, body, sizeof q + sizeof pair));
    }
    q.value_count = 0;
    memset(q.seed.name, 'a', sizeof q.seed.name);
    memcpy(body, &q, sizeof q);
    CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_OPEN, body, sizeof q));
    CHECK_EQ(-EINVAL, core_open(&core, "no_such_key=1"));
    CHECK_EQ(-EINVAL, core_open(&core, "memory_bytes=1"));
    CHECK_EQ(-EINVAL, core_open(&core, "memory_bytes=68719476737"));
    CHECK_EQ(-EINVAL, core_open(&core, "memory_bytes=64x"));
    CHECK_EQ(-EINVAL, core_open(&core, "memory_bytes=9999999999999999999999"));
    CHECK_EQ(-EINVAL, core_open(&core, "compute_units=257"));
    CHECK_EQ(-EINVAL, core_open(&core, "compute_units=-1"));
    CHECK_EQ(-EINVAL, core_open(&core, "class=toaster"));
    CHECK_EQ(-EINVAL, core_open(&core, "preemption=sometimes"));
    CHECK_EQ(-EINVAL, core_open(&core, "fault_injection=yes"));
    CHECK_EQ(0, core_open(&core, "memory_bytes=2MiB\nclass=npu\ncompute_units=3\nmax_contexts=5"));
    CHECK_EQ(-EBUSY, core_open(&core, NULL));
    end();
}

static const struct test tests[] = {
    TEST(every_wrong_length_of_every_op_is_refused),
    TEST(messages_that_lie_about_their_length_are_refused),
    TEST(random_control_messages_break_nothing),
    TEST(malformed_open_requests_are_refused),
};

int main(int argc, char **argv)
{
    return run_tests("messages", tests, sizeof tests / sizeof tests[0], argc, argv);
}
