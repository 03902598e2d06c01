/*
 * The builtin programs. Loading one needs no state: the handle is generation, context and program, so it dies with its context.
 *   63..40 generation of the context | 39..8 index of the context + 1 | 7..0 program + 1
 */
#include "programs.h"

#include <errno.h>
#include <string.h>

#include "handles.h"

#define BUFFERS ISLE_ARG_BUFFER, ISLE_ARG_BUFFER, ISLE_ARG_BUFFER
#define U32S ISLE_ARG_U32, ISLE_ARG_U32, ISLE_ARG_U32
#define IN_IN_OUT ISLE_ACCESS_READ, ISLE_ACCESS_READ, ISLE_ACCESS_WRITE

const isle_program_entry soft_builtins[PROGRAM_COUNT] = {
    [PROGRAM_NOOP] = {.name = "noop"},
    [PROGRAM_FILL] = {.name = "fill", .arg_count = 2, .arg_kinds = {ISLE_ARG_BUFFER, ISLE_ARG_U32}, .arg_access = {ISLE_ACCESS_WRITE}},
    [PROGRAM_COPY] = {.name = "copy",
                      .arg_count = 2,
                      .arg_kinds = {ISLE_ARG_BUFFER, ISLE_ARG_BUFFER},
                      .arg_access = {ISLE_ACCESS_READ, ISLE_ACCESS_WRITE}},
    [PROGRAM_SHA256] = {.name = "sha256",
                        .arg_count = 3,
                        .arg_kinds = {ISLE_ARG_BUFFER, ISLE_ARG_BUFFER, ISLE_ARG_U64},
                        .arg_access = {ISLE_ACCESS_READ, ISLE_ACCESS_WRITE}},
    [PROGRAM_HISTOGRAM] = {.name = "histogram",
                           .arg_count = 2,
                           .arg_kinds = {ISLE_ARG_BUFFER, ISLE_ARG_BUFFER},
                           .arg_access = {ISLE_ACCESS_READ, ISLE_ACCESS_WRITE}},
    [PROGRAM_BUSY] = {.name = "busy", .arg_count = 1, .arg_kinds = {ISLE_ARG_U64}},
    [PROGRAM_CONVOLVE_U8] = {.name = "convolve-u8", .arg_count = 9, .arg_kinds = {BUFFERS, U32S, U32S}, .arg_access = {IN_IN_OUT}},
    [PROGRAM_CONVOLVE_F32] =
        {.name = "convolve-f32", .arg_count = 8, .arg_kinds = {BUFFERS, U32S, ISLE_ARG_U32, ISLE_ARG_U32}, .arg_access = {IN_IN_OUT}},
    [PROGRAM_MATMUL_F32] = {.name = "matmul-f32", .arg_count = 6, .arg_kinds = {BUFFERS, U32S}, .arg_access = {IN_IN_OUT}},
    [PROGRAM_MATMUL_I8] = {.name = "matmul-i8", .arg_count = 6, .arg_kinds = {BUFFERS, U32S}, .arg_access = {IN_IN_OUT}},
    [PROGRAM_REDUCE] = {.name = "reduce",
                        .arg_count = 4,
                        .arg_kinds = {ISLE_ARG_BUFFER, ISLE_ARG_BUFFER, ISLE_ARG_U32, ISLE_ARG_U32},
                        .arg_access = {ISLE_ACCESS_READ, ISLE_ACCESS_WRITE}},
    [PROGRAM_SORT] = {.name = "sort",
                      .arg_count = 2,
                      .arg_kinds = {ISLE_ARG_BUFFER, ISLE_ARG_U32},
                      .arg_access = {ISLE_ACCESS_READ | ISLE_ACCESS_WRITE}},
};

static AccelContextHandle context_of_program(isle_program_handle program)
{
    return program >> 40 << 32 | (uint32_t)(program >> 8);
}

uint32_t program_index(isle_program_handle program)
{
    return (uint32_t)(program & 0xff) - 1;
}

bool program_belongs(isle_program_handle program, AccelContextHandle context)
{
    return context_of_program(program) == context && program_index(program) < PROGRAM_COUNT;
}

bool program_is_noop(isle_program_handle program)
{
    return program_index(program) == PROGRAM_NOOP;
}

static void say(char *log, uint64_t size, const char *text)
{
    size_t n = strlen(text);
    if (!log || !size)
        return;
    n = n < size ? n : size - 1;
    memcpy(log, text, n);
    log[n] = 0;
}

static IoResultCode load(void *ctx, AccelContextHandle context, uint32_t kind, const uint8_t *source, uint64_t length, char *log,
                         uint64_t log_size, isle_program_handle *out)
{
    say(log, log_size, "");
    if (!context_of(ctx, context))
        return -ESTALE;
    if (kind != ISLE_PROGRAM_BUILTIN) {
        say(log, log_size, "this device runs only built-in programs");
        return IO_NOT_SUPPORTED;
    }
    if (!source || !out)
        return -EINVAL;
    for (uint32_t i = 0; i < PROGRAM_COUNT; i++) {
        if (strlen(soft_builtins[i].name) != length || memcmp(soft_builtins[i].name, source, length))
            continue;
        *out = context >> 32 << 40 | (uint64_t)(uint32_t)context << 8 | (i + 1);
        return 0;
    }
    char names[sizeof "no built-in program of this name; the built-in programs are" + PROGRAM_COUNT * (sizeof soft_builtins[0].name + 2)] = "no built-in program of this name; the built-in programs are";
    for (uint32_t i = 0; i < PROGRAM_COUNT; i++)
        strcat(strcat(names, i ? ", " : " "), soft_builtins[i].name);
    say(log, log_size, names);
    return -ENOENT;
}

static bool is_live(void *ctx, isle_program_handle program)
{
    return program_index(program) < PROGRAM_COUNT && context_of(ctx, context_of_program(program));
}

static IoResultCode unload(void *ctx, isle_program_handle program)
{
    return is_live(ctx, program) ? 0 : -ESTALE;
}

static IoResultCode describe(void *ctx, isle_program_handle program, uint32_t entry, isle_program_entry *out)
{
    if (!is_live(ctx, program))
        return -ESTALE;
    if (!out)
        return -EINVAL;
    if (entry)
        return -ENOENT;
    *out = soft_builtins[program_index(program)];
    return 0;
}

static IoResultCode builtin(void *ctx, uint32_t index, isle_program_entry *out)
{
    (void)ctx;
    if (index >= PROGRAM_COUNT)
        return -ENOENT;
    if (!out)
        return -EINVAL;
    *out = soft_builtins[index];
    return 0;
}

const isle_programs_vtable soft_programs = {.vtable_size = sizeof soft_programs,
                                            .version = ISLE_KABI_VERSION,
                                            .kinds = 1u << ISLE_PROGRAM_BUILTIN,
                                            .load = load,
                                            .unload = unload,
                                            .describe = describe,
                                            .builtin = builtin};
