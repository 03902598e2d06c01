/* What is in flight when the core gives up on it; drivers that lie. */
#include <errno.h>
#include <stdlib.h>

#include "harness.h"
#include "testdriver.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define OTHER core_id(ISLE_KIND_CONTEXT, 1, 2)

static struct core core;

static int begin(const char *variant)
{
    setenv("ISLE_TEST_DRIVER", variant, 1);
    core_make(&core);
    int rc = core_load(&core, "libtestdriver.so");
    if (!rc)
        rc = core_open(&core, NULL);
    if (!rc)
        rc = core_context(&core, CONTEXT, 0, NULL);
    return rc ? rc : core_context(&core, OTHER, 0, NULL);
}

static void end(void)
{
    core_unload(&core);
    core_free(&core);
}

static int act(uint64_t context, uint32_t action, uint32_t index, uint64_t *tag)
{
    return core_vendor(&core, context, action, 0, index, tag);
}

static bool nothing_more(void)
{
    isle_completion_slot s;
    return !core_next(&core, 2, &s);
}

static void a_reset_ends_what_is_in_flight_once(void)
{
    static const char *const variants[] = {"completes", "callback", "poll", "forgets"};
    for (int v = 0; v < 4; v++) {
        uint64_t mine[8], other, context = CONTEXT;
        isle_completion_slot s;
        CHECK_EQ(0, begin(variants[v]));
        CHECK_EQ(0, act(OTHER, TEST_ACTION_HOLD, 100, &other));
        for (uint32_t i = 0; i < 8; i++)
            CHECK_EQ(0, act(CONTEXT, TEST_ACTION_HOLD, i, &mine[i]));
        CHECK_EQ(0, core_call(&core, ISLE_OP_RESET_CONTEXT, &context, sizeof context));
        for (uint32_t i = 0; i < 8; i++) {
            CHECK(core_next(&core, 1000, &s));
            CHECK_EQ(ACCEL_COMPLETION_ERROR, s.status);
            CHECK_EQ(mine[i], s.tag);
        }
        CHECK(nothing_more());
        CHECK_EQ(v == 3 ? 1 : 0, core.channel->violations);
        /* slots of ended tags are used again while the driver still knows the old submissions */
        for (uint32_t i = 0; i < 8; i++) {
            CHECK_EQ(0, act(CONTEXT, TEST_ACTION_COMPLETE, i, &mine[i]));
            CHECK_EQ(0, core_expect(&core, mine[i], ACCEL_COMPLETION_SUCCESS, 0));
        }
        CHECK_EQ(0, core_call(&core, ISLE_OP_RESET_DEVICE, NULL, 0));
        CHECK(core_next(&core, 1000, &s));
        CHECK_EQ(other, s.tag);
        CHECK(nothing_more());
        end();
    }
}

static void destroy_and_close_end_what_is_in_flight_once(void)
{
    static const char *const variants[] = {"completes", "callback", "poll", "forgets"};
    for (int v = 0; v < 4; v++) {
        uint64_t tag, other, context = CONTEXT;
        isle_completion_slot s;
        CHECK_EQ(0, begin(variants[v]));
        CHECK_EQ(0, act(OTHER, TEST_ACTION_HOLD, 100, &other));
        CHECK_EQ(0, act(CONTEXT, TEST_ACTION_HOLD, 0, &tag));
        CHECK_EQ(0, core_call(&core, ISLE_OP_DESTROY_CONTEXT, &context, sizeof context));
        CHECK(core_next(&core, 1000, &s) && s.tag == tag && s.status == ACCEL_COMPLETION_ERROR);
        CHECK_EQ(-ESTALE, core_call(&core, ISLE_OP_DESTROY_CONTEXT, &context, sizeof context));
        CHECK_EQ(-ESTALE, act(CONTEXT, TEST_ACTION_COMPLETE, 0, &tag));
        CHECK_EQ(0, core_call(&core, ISLE_OP_CLOSE, NULL, 0));
        CHECK(core_next(&core, 1000, &s) && s.tag == other && s.status == ACCEL_COMPLETION_ERROR);
        CHECK_EQ(-ENODEV, act(OTHER, TEST_ACTION_COMPLETE, 0, &tag));
        CHECK_EQ(0, core_open(&core, NULL)); /* opens again, with no trace of before */
        CHECK_EQ(0, core_context(&core, CONTEXT, 0, NULL));
        CHECK_EQ(0, act(CONTEXT, TEST_ACTION_COMPLETE, 100, &tag));
        CHECK_EQ(0, core_expect(&core, tag, ACCEL_COMPLETION_SUCCESS, 0));
        end();
    }
}

static void a_driver_that_lies_is_caught(void)
{
    uint8_t *heap;
    CHECK_EQ(-EPROTO, begin("zero-handles"));
    end();
    CHECK_EQ(0, begin("lies-about-place"));
    CHECK_EQ(0, core_heap(&core, 16, 1 << 20, &heap));
    CHECK_EQ(-EPROTO, core_alloc(&core, CONTEXT, core_id(ISLE_KIND_MEMORY, 1, 1), 4096, 0, NULL));
    end();
}

/* The device's words about itself decide, not that it has the entry; what cannot have it is no context. */
static void contexts_of_a_unified_address_space_get_one(void)
{
    static const uint64_t context = CONTEXT;
    AccelPerfCounters counters;
    for (int unified = 0; unified < 2; unified++) {
        CHECK_EQ(0, begin(unified ? "svm" : "completes"));
        CHECK_EQ(0, core_call(&core, ISLE_OP_PERF_COUNTERS, &context, sizeof context));
        memcpy(&counters, core_body(&core), sizeof counters);
        CHECK_EQ(unified ? 2 : 0, counters.vendor_counters[2]);
        end();
    }
    CHECK_EQ(-ENOMEM, begin("svm-fails"));
    CHECK_EQ(-ESTALE, core_call(&core, ISLE_OP_PERF_COUNTERS, &context, sizeof context));
    setenv("ISLE_TEST_DRIVER", "svm", 1);
    CHECK_EQ(0, core_context(&core, CONTEXT, 0, NULL));
    CHECK_EQ(0, core_call(&core, ISLE_OP_PERF_COUNTERS, &context, sizeof context));
    memcpy(&counters, core_body(&core), sizeof counters);
    CHECK_EQ(1, counters.vendor_counters[3]); /* the one that failed is gone in the driver, too */
    end();
}

static const struct test tests[] = {
    TEST(a_reset_ends_what_is_in_flight_once),
    TEST(destroy_and_close_end_what_is_in_flight_once),
    TEST(a_driver_that_lies_is_caught),
    TEST(contexts_of_a_unified_address_space_get_one),
};

int main(int argc, char **argv)
{
    return run_tests("reset", tests, sizeof tests / sizeof tests[0], argc, argv);
}
