/* The runtime has checked envelopes; a driver whose memory they index looks again, so that it is safe behind any caller. */
#include <errno.h>

#include "kit.h"

const isle_binding *kit_bindings(const uint8_t *command)
{
    const isle_command *h = (const void *)command;
    return (const void *)(command + sizeof *h + h->wait_count * sizeof(isle_wait));
}

/* What must be there before the fields of an operation are read. */
static uint32_t least_length(uint16_t code)
{
    return code == ISLE_OP_COPY       ? sizeof(isle_op_copy)
           : code == ISLE_OP_FILL     ? sizeof(isle_op_fill)
           : code == ISLE_OP_DISPATCH ? sizeof(isle_op_dispatch)
           : code == ISLE_OP_LAUNCH   ? sizeof(isle_op_launch)
                                      : sizeof(isle_op);
}

static bool ops_framed(const uint8_t *at, uint64_t left, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const isle_op *op = (const void *)at;
        if (left < sizeof *op || op->length < least_length(op->code) || (op->length & 7) || op->length > left)
            return false;
        at += op->length;
        left -= op->length;
    }
    return true;
}

IoResultCode kit_envelope(const uint8_t *command, uint32_t length, uint32_t most, struct kit_envelope *out)
{
    const isle_command *h = (const void *)command;
    if (length > most)
        return -EMSGSIZE;
    if (!command || length < sizeof *h || ((uintptr_t)command & 7))
        return -EINVAL;
    uint64_t waits = (uint64_t)h->wait_count * sizeof(isle_wait);
    uint64_t bindings = (uint64_t)h->binding_count * sizeof(isle_binding);
    uint64_t left = length - sizeof *h;
    if (h->magic != ISLE_COMMAND_MAGIC || h->version != ISLE_COMMAND_VERSION || h->header_size != sizeof *h ||
        h->total_length != length || waits + bindings > left)
        return -EINVAL;
    *out = (struct kit_envelope){h, kit_bindings(command)};
    return ops_framed((const uint8_t *)(out->bindings + h->binding_count), left - waits - bindings, h->op_count) ? 0 : -EINVAL;
}
