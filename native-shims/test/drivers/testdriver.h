#ifndef ISLE_TESTDRIVER_H
#define ISLE_TESTDRIVER_H

#include <stdbool.h>

#include "isle_kabi.h"

enum {
    TEST_ACTION_COMPLETE = 0, /* before submit_commands returns */
    TEST_ACTION_HOLD = 1,
    TEST_ACTION_TWICE = 2,
    TEST_ACTION_REFUSE = 3,
    TEST_ACTION_COMPLETE_AND_REFUSE = 4,
    TEST_ACTION_WRONG_TAG = 5,
    TEST_ACTION_WRONG_STATUS = 6,
    TEST_ACTION_RELEASE = 7 /* ends what is held, then itself */
};

struct test_work {
    const isle_core *core;
    AccelCompletionCallback callback;
    uint32_t held_count;
    int64_t last_code; /* what complete() returned last */
};
extern struct test_work test_work;

/* Whether ISLE_TEST_DRIVER says so. */
bool test_is(const char *variant);
void test_end_all(uint64_t context); /* 0: of every context */
IoResultCode test_submit(void *ctx, AccelContextHandle context, const uint8_t *command, uint32_t length, const AccelFence *fences,
                         uint32_t fence_count, AccelSubmissionHandle *out);
IoResultCode test_poll(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out);

#endif
