/* Programs of the device. Loading a program keeps no state: the handle is the number of the program. */
#include <string.h>

#include "demo.h"

const isle_program_entry programs[PROGRAMS] = {
    [NOOP] = {.name = "noop"},
    [BUSY] = {.name = "busy", .arg_count = 1, .arg_kinds = {ISLE_ARG_U64}},
    [FILL] = {.name = "fill", .arg_count = 2, .arg_kinds = {ISLE_ARG_BUFFER, ISLE_ARG_U32}, .arg_access = {ISLE_ACCESS_WRITE}},
    [COPY] = {.name = "copy",
              .arg_count = 2,
              .arg_kinds = {ISLE_ARG_BUFFER, ISLE_ARG_BUFFER},
              .arg_access = {ISLE_ACCESS_READ, ISLE_ACCESS_WRITE}},
    [HISTOGRAM] = {.name = "histogram",
                   .arg_count = 2,
                   .arg_kinds = {ISLE_ARG_BUFFER, ISLE_ARG_BUFFER},
                   .arg_access = {ISLE_ACCESS_READ, ISLE_ACCESS_WRITE}},
};

static IoResultCode load(void *ctx, AccelContextHandle context, uint32_t kind, const uint8_t *source, uint64_t length, char *log,
                         uint64_t log_size, isle_program_handle *out)
{
    (void)log, (void)log_size;
    if (!context_of(ctx, context))
        return -ESTALE;
    if (kind != ISLE_PROGRAM_BUILTIN)
        return IO_NOT_SUPPORTED;
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        if (length == strlen(programs[i].name) && !memcmp(source, programs[i].name, length)) {
            *out = i + 1;
            return 0;
        }
    }
    return -ENOENT;
}

static IoResultCode unload(void *ctx, isle_program_handle program)
{
    (void)ctx;
    return program - 1 < PROGRAMS ? 0 : -ESTALE;
}

static IoResultCode describe(void *ctx, isle_program_handle program, uint32_t entry, isle_program_entry *out)
{
    (void)ctx;
    if (program - 1 >= PROGRAMS)
        return -ESTALE;
    if (entry)
        return -ENOENT;
    *out = programs[program - 1];
    return 0;
}

static IoResultCode builtin(void *ctx, uint32_t index, isle_program_entry *out)
{
    (void)ctx;
    if (index >= PROGRAMS)
        return -ENOENT;
    *out = programs[index];
    return 0;
}

const isle_programs_vtable programs_table = {.vtable_size = sizeof programs_table,
                                                    .version = ISLE_KABI_VERSION,
                                                    .kinds = 1u << ISLE_PROGRAM_BUILTIN,
                                                    .load = load,
                                                    .unload = unload,
                                                    .describe = describe,
                                                    .builtin = builtin};
