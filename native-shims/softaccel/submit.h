/* The data lane. */
#ifndef ISLE_SOFT_SUBMIT_H
#define ISLE_SOFT_SUBMIT_H

#include "soft.h"

IoResultCode soft_submit(void *ctx, AccelContextHandle context, const uint8_t *cmd_buffer, uint32_t cmd_len, const AccelFence *fences,
                         uint32_t fence_count, AccelSubmissionHandle *out_submission);
IoResultCode soft_poll(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out_status);
void context_schedule(struct device *d, struct context *c);

#endif
