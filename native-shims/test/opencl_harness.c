#define _GNU_SOURCE
#include "opencl_harness.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct core ocl;
uint8_t *ocl_heap;
char ocl_log[16384];

int ocl_open(const char *settings)
{
    static uint8_t body[8192];
    uint32_t index = 0, n = sizeof(isle_open_request);
    isle_open_request q = {.value_count = 0};
    int rc = core_call(&ocl, ISLE_OP_PROBE, &index, sizeof index);
    if (rc)
        return rc;
    memcpy(&q.seed, core_body(&ocl), sizeof q.seed);
    while (settings && *settings) {
        const char *equals = strchr(settings, '='), *end = strchrnul(settings, '\n');
        uint16_t lengths[2] = {(uint16_t)(equals - settings), (uint16_t)(end - equals - 1)};
        memcpy(body + n, lengths, 4);
        memcpy(body + n + 4, settings, lengths[0]);
        memcpy(body + n + 4 + lengths[0], equals + 1, lengths[1]);
        n += 4u + lengths[0] + lengths[1];
        q.value_count++;
        settings = *end ? end + 1 : end;
    }
    memcpy(body, &q, sizeof q);
    return core_call(&ocl, ISLE_OP_OPEN, body, n);
}

int ocl_begin(const char *settings, const AccelContextLimits *limits)
{
    core_make(&ocl);
    int rc = core_load(&ocl, "libisleopencl.so");
    rc = rc ? rc : ocl_open(settings);
    rc = rc ? rc : core_heap(&ocl, 16, TEST_HEAP, &ocl_heap);
    return rc ? rc : core_context(&ocl, CONTEXT, 16, limits);
}

int ocl_end(void)
{
    int rc = ocl.rt ? core_unload(&ocl) : 0;
    core_free(&ocl);
    return rc;
}

uint8_t *ocl_memory(uint64_t id, uint64_t size)
{
    isle_alloc_response r;
    return core_alloc(&ocl, CONTEXT, id, size, VISIBLE, &r) ? NULL : ocl_heap + r.offset;
}

int ocl_load(uint64_t id, uint32_t kind, const void *source, uint32_t length)
{
    return ocl_build(id, kind, "", source, length);
}

int ocl_build(uint64_t id, uint32_t kind, const char *options, const void *source, uint32_t length)
{
    static uint8_t body[16384];
    uint32_t o = (uint32_t)strlen(options);
    isle_load_request q = {.context = CONTEXT, .program = id, .kind = kind, .length = length, .options_length = o};
    isle_load_response r = {0};
    memcpy(body, &q, sizeof q);
    memcpy(body + sizeof q, options, o);
    memcpy(body + sizeof q + o, source, length);
    int rc = core_call(&ocl, ISLE_OP_LOAD_PROGRAM, body, (uint32_t)sizeof q + o + length);
    if (core_body_length(&ocl) >= sizeof r)
        memcpy(&r, core_body(&ocl), sizeof r);
    uint32_t room = sizeof ocl_log - 1, n = r.log_length < room ? r.log_length : room;
    memcpy(ocl_log, (const uint8_t *)core_body(&ocl) + sizeof r, n);
    ocl_log[n] = 0;
    return rc;
}

int ocl_describe(uint64_t program, uint32_t entry, isle_program_entry *out)
{
    isle_describe_request q = {.program = program, .entry = entry};
    int rc = core_call(&ocl, ISLE_OP_DESCRIBE_PROGRAM, &q, sizeof q);
    if (!rc)
        memcpy(out, core_body(&ocl), sizeof *out);
    return rc;
}

void ocl_dispatch(struct command *k, uint32_t program, uint32_t entry, uint32_t x, uint32_t arg_count, const isle_arg *args)
{
    uint8_t op[sizeof(isle_op_dispatch) + 16 * sizeof(isle_arg)];
    isle_op_dispatch d = {.op = {ISLE_OP_DISPATCH, 0, (uint32_t)(sizeof d + arg_count * sizeof *args)},
                          .program = program,
                          .entry = entry,
                          .x = x,
                          .y = 1,
                          .z = 1,
                          .arg_count = arg_count};
    memcpy(op, &d, sizeof d);
    if (arg_count)
        memcpy(op + sizeof d, args, arg_count * sizeof *args);
    command_op(k, op, d.op.length);
}

int ocl_kernel(uint64_t program, uint32_t entry, isle_kernel *out)
{
    isle_describe_request q = {.program = program, .entry = entry};
    int rc = core_call(&ocl, ISLE_OP_DESCRIBE_KERNEL, &q, sizeof q);
    if (!rc)
        memcpy(out, core_body(&ocl), sizeof *out);
    return rc;
}

const char *ocl_said(void)
{
    static char text[ISLE_LOG_TEXT + 1];
    uint64_t lines = __atomic_load_n(&ocl.channel->log_lines, __ATOMIC_ACQUIRE);
    const isle_log_line *line = &ocl.channel->log[(lines - 1) % ISLE_LOG_LINES];
    snprintf(text, sizeof text, "%.*s", lines ? (int)line->length : 0, line->text);
    return text;
}

void ocl_launch(struct command *k, const isle_op_launch *head, uint32_t arg_count, const isle_arg *args, const void *tail, uint32_t tail_bytes)
{
    uint8_t op[sizeof *head + ISLE_LAUNCH_ARGS * sizeof *args + ISLE_LAUNCH_TAIL] = {0};
    isle_op_launch h = *head;
    uint32_t length = (uint32_t)(sizeof h + arg_count * sizeof *args);
    h.op = (isle_op){ISLE_OP_LAUNCH, 0, length + ((tail_bytes + 7) & ~7u)};
    h.arg_count = arg_count;
    h.tail_bytes = tail_bytes;
    memcpy(op, &h, sizeof h);
    memcpy(op + sizeof h, args, arg_count * sizeof *args);
    if (tail_bytes)
        memcpy(op + length, tail, tail_bytes);
    command_op(k, op, h.op.length);
}
