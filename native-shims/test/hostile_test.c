/* Envelopes with every field wrong, and from seeds; a good one must still work afterwards. */
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

struct poke {
    uint32_t offset, width;
    uint64_t value;
    int code;
};

enum {
    HEAD = 0,
    BIND = 64,
    BIND2 = 96,
    OP_FILL = 128,
    OP_COPY = 160,
    OP_DISPATCH = 200
};

static int poked(const struct poke *p)
{
    struct command k;
    uint64_t tag;
    isle_completion_slot s;
    good(&k);
    memcpy(k.bytes + p->offset, &p->value, p->width);
    int rc = core_submit(&core, CONTEXT, &k, 1, &tag);
    return rc ? rc : !core_next(&core, 10000, &s) ? -ETIME : s.status ? s.detail : 0;
}

static void every_field_of_an_envelope_is_checked(void)
{
    static const struct poke pokes[] = {
        {HEAD + 0, 4, 0, -EINVAL}, {HEAD + 4, 2, 2, -EINVAL}, {HEAD + 6, 2, 72, -EINVAL}, {HEAD + 8, 4, 8, -EINVAL},
        {HEAD + 8, 4, UINT32_MAX, -EINVAL}, {HEAD + 12, 4, 1, -EINVAL}, {HEAD + 12, 4, UINT32_MAX, -EINVAL},
        {HEAD + 12, 4, 0x10000000, -EINVAL}, {HEAD + 16, 4, 0, -EINVAL}, {HEAD + 16, 4, 3, -EINVAL},
        {HEAD + 16, 4, 0x08000000, -EINVAL}, {HEAD + 16, 4, UINT32_MAX, -EINVAL}, {HEAD + 20, 4, 2, -EINVAL},
        {HEAD + 20, 4, 4, -EINVAL}, {HEAD + 20, 4, UINT32_MAX, -EINVAL},
        /* binding */
        {BIND + 0, 8, FOREIGN, -EACCES}, {BIND + 0, 8, FILL, -EINVAL}, {BIND + 0, 8, 0, -EINVAL},
        {BIND + 0, 8, CONTEXT, -EINVAL}, {BIND + 0, 8, (3ull << 56) | (2ull << 32) | 1, -ESTALE},
        {BIND + 0, 8, (3ull << 56) | (1ull << 32) | 99, -ESTALE}, {BIND + 0, 8, (3ull << 56) | (1ull << 32) | UINT32_MAX, -ESTALE},
        {BIND + 8, 8, 4097, -EINVAL}, {BIND + 8, 8, BYTES + 1, -EINVAL}, {BIND + 8, 8, UINT64_MAX, -EINVAL},
        {BIND + 8, 8, UINT64_MAX - BYTES + 4096, -EINVAL}, {BIND + 16, 8, BYTES, -EINVAL}, {BIND + 16, 8, UINT64_MAX, -EINVAL},
        {BIND + 16, 8, UINT64_MAX - 4095, -EINVAL}, {BIND + 24, 4, 0, -EINVAL}, {BIND + 24, 4, ISLE_ACCESS_READ, -EINVAL},
        {BIND + 24, 4, 8, -EINVAL}, {BIND + 24, 4, 7, -EINVAL}, {BIND2 + 0, 8, FOREIGN_PROGRAM, -EACCES},
        {BIND2 + 0, 8, MEMORY, -EINVAL}, {BIND2 + 8, 8, 1, -EINVAL}, {BIND2 + 16, 8, 1, -EINVAL},
        {BIND2 + 24, 4, ISLE_ACCESS_READ, -EINVAL},
        /* ops */
        {OP_FILL + 0, 2, 0, -EINVAL}, {OP_FILL + 0, 2, 5, -EINVAL}, {OP_FILL + 0, 2, 0xffff, -EINVAL}, {OP_FILL + 2, 2, 1, -EINVAL},
        {OP_FILL + 4, 4, 0, -EINVAL}, {OP_FILL + 4, 4, 24, -EINVAL}, {OP_FILL + 4, 4, 33, -EINVAL}, {OP_FILL + 4, 4, 40, -EINVAL},
        {OP_FILL + 4, 4, UINT32_MAX & ~7u, -EINVAL}, {OP_FILL + 8, 4, 1, -EINVAL}, {OP_FILL + 8, 4, 2, -EINVAL},
        {OP_FILL + 8, 4, UINT32_MAX, -EINVAL}, {OP_FILL + 16, 8, 1, -EINVAL}, {OP_FILL + 16, 8, UINT64_MAX, -EINVAL},
        {OP_FILL + 24, 8, BYTES, -EINVAL}, {OP_FILL + 24, 8, UINT64_MAX, -EINVAL}, {OP_COPY + 8, 4, 1, -EINVAL},
        {OP_COPY + 12, 4, 9, -EINVAL}, {OP_COPY + 16, 8, UINT64_MAX - 50, -EINVAL}, {OP_COPY + 24, 8, BYTES, -EINVAL},
        {OP_COPY + 32, 8, UINT64_MAX, -EINVAL}, {OP_DISPATCH + 8, 4, 0, -EINVAL}, {OP_DISPATCH + 8, 4, 2, -EINVAL},
        {OP_DISPATCH + 12, 4, 1, -EINVAL}, {OP_DISPATCH + 16, 4, 0, -EINVAL}, {OP_DISPATCH + 20, 4, 0, -EINVAL},
        {OP_DISPATCH + 24, 4, 0, -EINVAL}, {OP_DISPATCH + 28, 4, 1, -EINVAL}, {OP_DISPATCH + 28, 4, 17, -EINVAL},
        {OP_DISPATCH + 28, 4, 0x10000002, -EINVAL}, {OP_DISPATCH + 32, 4, 0, -EINVAL}, {OP_DISPATCH + 32, 4, 8, -EINVAL},
        {OP_DISPATCH + 32, 4, ISLE_ARG_U32, -EINVAL}, {OP_DISPATCH + 36, 4, 1, -EINVAL}, {OP_DISPATCH + 36, 4, 77, -EINVAL},
        {OP_DISPATCH + 40, 8, 1, -EINVAL}, {OP_DISPATCH + 52, 4, 1, -EINVAL},
    };
    CHECK_EQ(0, begin());
    CHECK(works());
    for (size_t i = 0; i < sizeof pokes / sizeof pokes[0]; i++) {
        int rc = poked(&pokes[i]);
        if (rc != pokes[i].code)
            printf("  poke %zu: offset %u value %llx: expected %d, got %d\n", i, pokes[i].offset, (unsigned long long)pokes[i].value,
                   pokes[i].code, rc);
        CHECK_EQ(pokes[i].code, rc);
    }
    CHECK(works());
    end();
}

static uint64_t nasty(uint64_t *state)
{
    static const uint64_t values[] = {0, 1, 7, 8, 63, 64, 4095, 4096, BYTES - 1, BYTES, BYTES + 1, INT32_MAX, UINT32_MAX, 1ull << 32,
                                      INT64_MAX, 1ull << 63, UINT64_MAX, UINT64_MAX - 7, UINT64_MAX - 4095, FOREIGN, MEMORY, FILL};
    uint64_t r = test_random(state);
    return r % 4 ? values[r / 4 % (sizeof values / sizeof values[0])] : test_random(state);
}

static void random_envelopes_never_reach_foreign_memory(void)
{
    CHECK_EQ(0, begin());
    memset(other_heap, 0x77, 1 << 20);
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        uint64_t state = seed, tag;
        struct command k;
        isle_completion_slot s;
        good(&k);
        for (uint64_t n = test_random(&state) % 4 + 1; n; n--) {
            uint64_t v = nasty(&state);
            memcpy(k.bytes + test_random(&state) % (k.length / 4) * 4, &v, test_random(&state) % 2 ? 4 : 8);
        }
        int rc = core_submit(&core, CONTEXT, &k, 2, &tag);
        CHECK(rc <= 0);
        if (!rc) {
            CHECK(core_next(&core, 30000, &s));
            CHECK_EQ(tag, s.tag);
        }
    }
    for (uint32_t i = 0; i < 1 << 20; i++)
        CHECK_EQ(0x77, other_heap[i]);
    for (uint32_t i = BYTES; i < 1 << 20; i++)
        CHECK_EQ(0, heap[i]);
    memset(heap, 0, BYTES); /* some of them were right, and wrote to the context's own memory */
    CHECK(works());
    end();
}

static void random_places_of_envelopes_are_refused(void)
{
    struct command k;
    CHECK_EQ(0, begin());
    good(&k);
    memcpy(core.commands, k.bytes, k.length);
    static const struct {
        uint64_t tag, context, offset;
        uint32_t length;
        int code;
    } wrong[] = {
        {1ull << 32 | TEST_INFLIGHT, CONTEXT, 0, 0, -ESTALE}, {UINT64_MAX, CONTEXT, 0, 0, -ESTALE}, {1ull << 32, 0, 0, 0, -EINVAL},
        {1ull << 32, CONTEXT + 7, 0, 0, -ESTALE}, {1ull << 32, CONTEXT + (1ull << 32), 0, 0, -ESTALE}, {1ull << 32, MEMORY, 0, 0, -EINVAL},
        {1ull << 32, UINT64_MAX, 0, 0, -EINVAL}, {1ull << 32, CONTEXT, 4, 0, -EINVAL}, {1ull << 32, CONTEXT, TEST_COMMANDS, 0, -EINVAL},
        {1ull << 32, CONTEXT, TEST_COMMANDS - 8, 0, -EINVAL}, {1ull << 32, CONTEXT, UINT64_MAX - 7, 0, -EINVAL},
        {1ull << 32, CONTEXT, 0, 1, -EINVAL}, {1ull << 32, CONTEXT, 0, 56, -EINVAL}, {1ull << 32, CONTEXT, 0, 65544, -EMSGSIZE},
        {1ull << 32, CONTEXT, 0, UINT32_MAX, -EMSGSIZE}, {1ull << 32, CONTEXT, 0, 65536, -EINVAL},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        uint32_t length = wrong[i].length ? wrong[i].length : k.length;
        CHECK_EQ(wrong[i].code, isle_rt_submit(core.rt, wrong[i].tag, wrong[i].context, wrong[i].offset, length));
    }
    CHECK_EQ(-EINVAL, isle_rt_preempt(core.rt, CONTEXT, 4));
    CHECK_EQ(-ESTALE, isle_rt_preempt(core.rt, CONTEXT + 7, 0));
    CHECK(works());
    end();
}

static const struct test tests[] = {
    TEST(every_field_of_an_envelope_is_checked),
    TEST(random_envelopes_never_reach_foreign_memory),
    TEST(random_places_of_envelopes_are_refused),
};

int main(int argc, char **argv)
{
    return run_tests("hostile", tests, sizeof tests / sizeof tests[0], argc, argv);
}
