#define _GNU_SOURCE
#include "soft_harness.h"

#include <unistd.h>

struct core soft;
uint8_t *soft_heap, *soft_other_heap;

const char *soft_library = "libsoftaccel.so";

int soft_begin(const char *settings, const AccelContextLimits *limits)
{
    core_make(&soft);
    int rc = core_load(&soft, soft_library);
    rc = rc ? rc : core_open(&soft, settings);
    rc = rc ? rc : core_heap(&soft, 16, TEST_HEAP, &soft_heap);
    rc = rc ? rc : core_heap(&soft, 17, TEST_HEAP, &soft_other_heap);
    rc = rc ? rc : core_context(&soft, CONTEXT, 16, limits);
    return rc ? rc : core_context(&soft, OTHER, 17, limits);
}

void soft_end(void)
{
    core_unload(&soft);
    core_free(&soft);
}

uint8_t *soft_memory(uint64_t id, uint64_t size)
{
    isle_alloc_response r;
    return core_alloc(&soft, CONTEXT, id, size, VISIBLE, &r) ? NULL : soft_heap + r.offset;
}

void soft_dispatch(struct command *k, uint64_t in, uint64_t out, uint32_t kind, uint64_t scalar)
{
    isle_arg args[3];
    uint32_t n = 0;
    command_begin(k);
    if (in)
        args[n++] = (isle_arg){ISLE_ARG_BUFFER, command_bind(k, A, 0, in, READ_), 0};
    if (out)
        args[n++] = (isle_arg){ISLE_ARG_BUFFER, command_bind(k, B, 0, out, WRITE_), 0};
    if (kind)
        args[n++] = (isle_arg){kind, 0, scalar};
    command_dispatch(k, command_bind(k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM), n, args);
}

int soft_inject(uint32_t fault, uint64_t after, uint64_t count, uint64_t value)
{
    isle_inject_request q = {.fault = fault, .after = after, .count = count, .value = value};
    return core_call(&soft, ISLE_OP_INJECT_FAULT, &q, sizeof q);
}

int soft_busy(uint64_t context, uint64_t us, uint32_t index, uint64_t *tag)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, context == CONTEXT ? PROGRAM : PROGRAM + 1, 0, 0, ISLE_ACCESS_PROGRAM);
    command_dispatch(&k, 0, 1, (isle_arg[]){{ISLE_ARG_U64, 0, us}});
    return core_submit(&soft, context, &k, index, tag);
}

void soft_await_start(uint64_t tag)
{
    const isle_started *s = (void *)((uint8_t *)soft.channel + soft.channel->started_offset);
    while (__atomic_load_n(&s[(uint32_t)tag].tag, __ATOMIC_ACQUIRE) != tag)
        usleep(50);
}
