/* How completions arrive: early, late, by callback, by polling, twice, wrongly, and when the core gives up on them. */
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

static int64_t last_code(uint64_t context)
{
    AccelPerfCounters n;
    if (core_call(&core, ISLE_OP_PERF_COUNTERS, &context, sizeof context))
        return INT64_MIN;
    memcpy(&n, core_body(&core), sizeof n);
    return (int64_t)n.vendor_counters[0];
}

static bool nothing_more(void)
{
    isle_completion_slot s;
    return !core_next(&core, 2, &s);
}

static void early_completions_count(void)
{
    CHECK_EQ(0, begin("completes"));
    for (uint32_t i = 0; i < 1000; i++) {
        uint64_t tag;
        CHECK_EQ(0, act(CONTEXT, TEST_ACTION_COMPLETE, i % TEST_INFLIGHT, &tag));
        CHECK_EQ(0, core_expect(&core, tag, ACCEL_COMPLETION_SUCCESS, 0));
    }
    CHECK_EQ(0, core.channel->violations);
    end();
}

static void the_second_completion_of_a_tag_is_stale(void)
{
    uint64_t tag;
    CHECK_EQ(0, begin("completes"));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_TWICE, 0, &tag));
    CHECK_EQ(0, core_expect(&core, tag, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK(nothing_more());
    CHECK_EQ(-ESTALE, last_code(CONTEXT));
    CHECK_EQ(1, core.channel->violations);
    end();
}

static void wrong_tags_and_statuses_are_refused(void)
{
    uint64_t tag;
    CHECK_EQ(0, begin("completes"));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_WRONG_TAG, 0, &tag));
    CHECK_EQ(0, core_expect(&core, tag, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(1, core.channel->violations);
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_WRONG_STATUS, 0, &tag));
    CHECK_EQ(0, core_expect(&core, tag, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(2, core.channel->violations);
    CHECK(nothing_more());
    end();
}

static void a_refused_submission_has_no_completion(void)
{
    uint64_t tag;
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(0, begin(i == 0 ? "completes" : i == 1 ? "callback" : "poll"));
        CHECK_EQ(-EAGAIN, act(CONTEXT, TEST_ACTION_REFUSE, 0, &tag));
        CHECK(nothing_more());
        CHECK_EQ(0, act(CONTEXT, TEST_ACTION_COMPLETE, 0, &tag)); /* the tag's slot is free again */
        CHECK_EQ(0, core_expect(&core, tag, ACCEL_COMPLETION_SUCCESS, 0));
        end();
    }
}

static void completed_and_refused_is_completed_once(void)
{
    uint64_t tag;
    CHECK_EQ(0, begin("completes"));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_COMPLETE_AND_REFUSE, 0, &tag));
    CHECK_EQ(0, core_expect(&core, tag, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK(nothing_more());
    CHECK_EQ(1, core.channel->violations);
    end();
}

static void a_tag_in_flight_cannot_be_submitted_again(void)
{
    uint64_t tag, again;
    CHECK_EQ(0, begin("completes"));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_HOLD, 3, &tag));
    CHECK_EQ(-EBUSY, act(CONTEXT, TEST_ACTION_COMPLETE, 3, &again));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_RELEASE, 4, &again));
    CHECK_EQ(0, core_expect(&core, tag, ACCEL_COMPLETION_ERROR, 0));
    CHECK_EQ(0, core_expect(&core, again, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK(nothing_more());
    end();
}

static void callbacks_early_and_late_complete(void)
{
    uint64_t tags[40], last;
    CHECK_EQ(0, begin("callback"));
    for (uint32_t i = 0; i < 40; i++)
        CHECK_EQ(0, act(CONTEXT, TEST_ACTION_HOLD, i, &tags[i]));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_COMPLETE, 50, &last));
    CHECK_EQ(0, core_expect(&core, last, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_RELEASE, 51, &last));
    for (uint32_t i = 0; i < 40; i++)
        CHECK_EQ(0, core_expect(&core, tags[i], ACCEL_COMPLETION_ERROR, -EIO));
    CHECK_EQ(0, core_expect(&core, last, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(0, core.channel->violations);
    CHECK(nothing_more());
    end();
}

static void wrong_callbacks_count_and_do_not_complete(void)
{
    uint64_t tag;
    CHECK_EQ(0, begin("callback"));
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_TWICE, 0, &tag));
    CHECK_EQ(0, core_expect(&core, tag, ACCEL_COMPLETION_SUCCESS, 0));
    CHECK_EQ(1, core.channel->violations);
    CHECK_EQ(-EAGAIN, act(CONTEXT, TEST_ACTION_COMPLETE_AND_REFUSE, 0, &tag));
    CHECK_EQ(2, core.channel->violations);
    CHECK_EQ(0, act(CONTEXT, TEST_ACTION_WRONG_STATUS, 0, &tag));
    CHECK_EQ(0, core_expect(&core, tag, ACCEL_COMPLETION_ERROR, -EPROTO));
    CHECK(nothing_more());
    end();
}

static void polled_submissions_complete_when_asked(void)
{
    uint64_t tags[40], last;
    isle_completion_slot s;
    uint32_t seen = 0;
    CHECK_EQ(0, begin("poll"));
    for (uint32_t i = 0; i < 40; i++)
        CHECK_EQ(0, act(CONTEXT, TEST_ACTION_HOLD, i, &tags[i]));
    CHECK(nothing_more());
    CHECK_EQ(0, act(OTHER, TEST_ACTION_RELEASE, 50, &last)); /* the driver lets go of all */
    while (core_next(&core, 100, &s))
        seen += s.status == ACCEL_COMPLETION_SUCCESS;
    CHECK_EQ(41, seen);
    CHECK_EQ(0, core.channel->violations);
    end();
}

/* The core finds the line of a completion: it is there before that is. */
static void what_a_driver_says_is_there_before_its_completion(void)
{
    CHECK_EQ(0, begin("completes"));
    isle_channel_header *h = core.channel;
    uint64_t before = h->log_lines;
    for (uint32_t i = 0; i < 3 * ISLE_LOG_LINES; i++) {
        uint64_t tag;
        CHECK_EQ(0, core_vendor(&core, CONTEXT, TEST_ACTION_SAY, i, i % TEST_INFLIGHT, &tag));
        CHECK_EQ(0, core_expect(&core, tag, ACCEL_COMPLETION_ERROR, -EINVAL));
        uint64_t n = before + i;
        const isle_log_line *line = &h->log[n % ISLE_LOG_LINES];
        char said[64];
        int length = snprintf(said, sizeof said, "the test driver dislikes %u\\x0a", i);
        CHECK_EQ(n + 1, h->log_lines);
        CHECK_EQ(2 * n + 2, line->seq);
        CHECK_EQ(ISLE_LOG_ERROR, line->level);
        CHECK_EQ((uint32_t)length, line->length);
        CHECK(!memcmp(said, line->text, (size_t)length));
    }
    end();
}

static const struct test tests[] = {
    TEST(what_a_driver_says_is_there_before_its_completion),
    TEST(early_completions_count),
    TEST(the_second_completion_of_a_tag_is_stale),
    TEST(wrong_tags_and_statuses_are_refused),
    TEST(a_refused_submission_has_no_completion),
    TEST(completed_and_refused_is_completed_once),
    TEST(a_tag_in_flight_cannot_be_submitted_again),
    TEST(callbacks_early_and_late_complete),
    TEST(wrong_callbacks_count_and_do_not_complete),
    TEST(polled_submissions_complete_when_asked),
};

int main(int argc, char **argv)
{
    return run_tests("completion", tests, sizeof tests / sizeof tests[0], argc, argv);
}
