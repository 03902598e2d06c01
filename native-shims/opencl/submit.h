/* The data lane. */
#ifndef ISLE_OPENCL_SUBMIT_H
#define ISLE_OPENCL_SUBMIT_H

#include "opencl.h"

IoResultCode opencl_submit(void *ctx, AccelContextHandle context, const uint8_t *cmd_buffer, uint32_t cmd_len, const AccelFence *fences,
                           uint32_t fence_count, AccelSubmissionHandle *out_submission);
IoResultCode opencl_poll(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out_status);

#endif
