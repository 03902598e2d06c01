/* What becomes of submissions: held, ended early, twice, wrongly. */
#define _GNU_SOURCE
#include "testdriver.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct held {
    uint64_t context, tag, submission;
    uint32_t status; /* poll: NOT_YET until it has a result */
    int32_t detail;
};
#define NOT_YET 99u

static struct held held[1024];
static uint64_t next_submission = 1;
struct test_work test_work;

static void end(const struct held *h, uint32_t status)
{
    if (test_work.callback) {
        test_work.callback(h->context, h->submission, status);
    } else if (test_work.core) {
        uint64_t now = test_work.core->now_ns(test_work.core->core);
        isle_completion c = {.tag = h->tag, .status = status, .detail = h->detail, .start_ns = now, .end_ns = now};
        test_work.last_code = test_work.core->complete(test_work.core->core, &c);
    }
}

void test_end_all(uint64_t context)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < test_work.held_count; i++) {
        if ((context && held[i].context != context) || test_is("forgets"))
            held[kept++] = held[i];
        else if (test_is("poll"))
            continue; /* the core has to give up on it by itself */
        else
            end(&held[i], ACCEL_COMPLETION_ERROR);
    }
    test_work.held_count = test_is("forgets") ? 0 : kept;
}

/* Of a VENDOR op: word 0 says what to do, word 1 with what. */
static uint32_t word_of(const uint8_t *command, uint32_t at)
{
    const isle_command *h = (const void *)command;
    const uint8_t *op = command + sizeof *h + h->wait_count * sizeof(isle_wait) + h->binding_count * sizeof(isle_binding);
    uint32_t action = TEST_ACTION_COMPLETE;
    if (h->op_count && ((const isle_op *)(const void *)op)->code == ISLE_OP_VENDOR)
        memcpy(&action, op + sizeof(isle_op) + 4 * at, sizeof action);
    return action;
}

IoResultCode test_submit(void *ctx, AccelContextHandle context, const uint8_t *command, uint32_t length, const AccelFence *fences,
                           uint32_t fence_count, AccelSubmissionHandle *out)
{
    (void)ctx, (void)length, (void)fences, (void)fence_count;
    const isle_command *head = (const void *)command;
    struct held h = {.context = context, .tag = head->tag, .submission = next_submission++, .status = NOT_YET};
    *out = h.submission;
    switch (word_of(command, 0)) {
    case TEST_ACTION_ESCAPE:
        h.detail = test_escape(word_of(command, 1));
        break;
    case TEST_ACTION_CRASH:
        test_crash(word_of(command, 1));
        break;
    case TEST_ACTION_BLOCK:
        for (;;)
            pause();
    case TEST_ACTION_HOLD:
        held[test_work.held_count++] = h;
        return 0;
    case TEST_ACTION_TWICE:
        end(&h, ACCEL_COMPLETION_SUCCESS);
        break;
    case TEST_ACTION_REFUSE:
        return -EAGAIN;
    case TEST_ACTION_GONE:
        return -ENODEV;
    case TEST_ACTION_COMPLETE_AND_REFUSE:
        end(&h, ACCEL_COMPLETION_SUCCESS);
        return -EAGAIN;
    case TEST_ACTION_WRONG_TAG:
        h.tag ^= 1ull << 32;
        end(&h, ACCEL_COMPLETION_SUCCESS);
        h.tag ^= 1ull << 32;
        break;
    case TEST_ACTION_WRONG_STATUS:
        end(&h, 77);
        if (test_work.callback)
            return 0;
        break;
    case TEST_ACTION_SAY: {
        char said[64];
        snprintf(said, sizeof said, "the test driver dislikes %u\n", word_of(command, 1));
        test_work.core->log(test_work.core->core, ISLE_LOG_ERROR, said);
        h.detail = -EINVAL;
        end(&h, ACCEL_COMPLETION_ERROR);
        return 0;
    }
    case TEST_ACTION_RELEASE:
        test_end_all(context);
        for (uint32_t i = 0; i < test_work.held_count; i++)
            held[i].status = ACCEL_COMPLETION_SUCCESS;
        break;
    }
    if (test_is("poll")) {
        h.status = ACCEL_COMPLETION_SUCCESS;
        held[test_work.held_count++] = h;
    } else {
        end(&h, ACCEL_COMPLETION_SUCCESS);
    }
    return 0;
}

IoResultCode test_poll(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out)
{
    (void)ctx;
    for (uint32_t i = 0; i < test_work.held_count; i++) {
        if (held[i].submission != submission)
            continue;
        if (held[i].status == NOT_YET)
            return -EINPROGRESS;
        *out = held[i].status;
        held[i] = held[--test_work.held_count];
        return 0;
    }
    return -ESTALE;
}
