#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>

#include "futex.h"
#include "harness.h"

void command_begin(struct command *k)
{
    isle_command h = {.magic = ISLE_COMMAND_MAGIC, .version = ISLE_COMMAND_VERSION, .header_size = sizeof h, .total_length = sizeof h};
    memset(k, 0, sizeof *k);
    memcpy(k->bytes, &h, sizeof h);
    k->length = sizeof h;
}

static isle_command *head(struct command *k)
{
    return (isle_command *)(void *)k->bytes;
}

uint32_t command_bind(struct command *k, uint64_t object, uint64_t offset, uint64_t length, uint32_t access)
{
    isle_binding b = {.object = object, .offset = offset, .length = length, .access = access};
    memcpy(k->bytes + k->length, &b, sizeof b);
    k->length += sizeof b;
    head(k)->total_length = k->length;
    return head(k)->binding_count++;
}

void command_op(struct command *k, const void *op, uint32_t length)
{
    memcpy(k->bytes + k->length, op, length);
    k->length += length;
    head(k)->total_length = k->length;
    head(k)->op_count++;
}

void command_dispatch(struct command *k, uint32_t program, uint32_t arg_count, const isle_arg *args)
{
    uint8_t op[sizeof(isle_op_dispatch) + 16 * sizeof(isle_arg)];
    isle_op_dispatch d = {.op = {ISLE_OP_DISPATCH, 0, (uint32_t)(sizeof d + arg_count * sizeof *args)},
                          .program = program,
                          .x = 1,
                          .y = 1,
                          .z = 1,
                          .arg_count = arg_count};
    memcpy(op, &d, sizeof d);
    if (arg_count)
        memcpy(op + sizeof d, args, arg_count * sizeof *args);
    command_op(k, op, d.op.length);
}

void command_fill(struct command *k, uint32_t dst, uint64_t offset, uint64_t bytes, uint32_t pattern)
{
    isle_op_fill op = {.op = {ISLE_OP_FILL, 0, sizeof op}, .dst = dst, .pattern = pattern, .offset = offset, .bytes = bytes};
    command_op(k, &op, sizeof op);
}

void command_copy(struct command *k, uint32_t dst, uint32_t src, uint64_t bytes)
{
    isle_op_copy op = {.op = {ISLE_OP_COPY, 0, sizeof op}, .dst = dst, .src = src, .bytes = bytes};
    command_op(k, &op, sizeof op);
}

int core_submit(struct core *c, uint64_t context, const struct command *k, uint32_t index, uint64_t *tag)
{
    *tag = (uint64_t)++c->generation[index] << 32 | index;
    memcpy(c->commands + index * 4096, k->bytes, k->length);
    if (c->rt)
        return isle_rt_submit(c->rt, *tag, context, index * 4096, k->length);
    isle_channel_header *h = c->channel;
    isle_request *r = (isle_request *)(void *)((uint8_t *)h + h->request_offset) + (c->posted & (h->request_capacity - 1));
    if (c->posted - __atomic_load_n(&h->requests_taken, __ATOMIC_ACQUIRE) >= h->request_capacity)
        return -EAGAIN;
    r->tag = *tag;
    r->context = context;
    r->offset = index * 4096;
    r->length = k->length;
    r->kind = ISLE_REQUEST_SUBMIT;
    r->seen = c->taken;
    __atomic_store_n(&r->seq, ++c->posted, __ATOMIC_RELEASE);
    bell_ring(&h->data_bell, &h->data_sleeping);
    return 0;
}

bool core_next(struct core *c, uint32_t ms, isle_completion_slot *out)
{
    isle_channel_header *h = c->channel;
    isle_completion_slot *s = (isle_completion_slot *)(void *)((uint8_t *)h + h->completion_offset) + (c->taken & (h->completion_capacity - 1));
    uint64_t until = clock_ns() + ms * 1000000ull;
    for (uint32_t n = 0; __atomic_load_n(&s->seq, __ATOMIC_ACQUIRE) != c->taken + 1; n++) {
        if (c->rt)
            isle_rt_poll(c->rt, 16);
        if (n % 64 == 63 && clock_ns() > until)
            return false;
        if (n > 1000)
            usleep(20);
        else
            cpu_relax();
    }
    *out = *s;
    c->taken++;
    return true;
}

int core_run(struct core *c, uint64_t context, const struct command *k, isle_completion_slot *out)
{
    uint64_t tag;
    isle_completion_slot slot;
    int rc = core_submit(c, context, k, 0, &tag);
    if (rc)
        return rc;
    if (!core_next(c, 30000, &slot))
        return -ETIME;
    if (out)
        *out = slot;
    if (slot.tag != tag)
        return -EPROTO;
    return slot.status == ACCEL_COMPLETION_SUCCESS ? 0 : slot.detail ? slot.detail : -EIO;
}

int core_vendor(struct core *c, uint64_t context, uint32_t action, uint32_t what, uint32_t index, uint64_t *tag)
{
    struct command k;
    struct {
        isle_op op;
        uint32_t words[2];
    } op = {{ISLE_OP_VENDOR, 0, sizeof op}, {action, what}};
    command_begin(&k);
    command_op(&k, &op, sizeof op);
    return core_submit(c, context, &k, index, tag);
}

int core_expect(struct core *c, uint64_t tag, uint32_t status, int detail)
{
    isle_completion_slot s;
    if (!core_next(c, 10000, &s))
        return 1;
    return s.tag != tag ? 2 : s.status != status ? 3 : s.detail != detail ? 4 : 0;
}
