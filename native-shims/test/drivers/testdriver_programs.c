/* Programs of a driver that takes launches: whatever their source, they have the same two kernels, and no dispatch can have either. */
#include <errno.h>
#include <string.h>

#include "testdriver.h"

static IoResultCode load(void *ctx, AccelContextHandle context, uint32_t kind, const uint8_t *source, uint64_t length, char *log,
                         uint64_t log_size, isle_program_handle *out)
{
    static uint64_t next = 500;
    (void)ctx, (void)context, (void)kind, (void)source, (void)length, (void)log, (void)log_size;
    *out = next++;
    return 0;
}

static IoResultCode unload(void *ctx, isle_program_handle program)
{
    (void)ctx, (void)program;
    return 0;
}

static IoResultCode describe(void *ctx, isle_program_handle program, uint32_t entry, isle_program_entry *out)
{
    (void)ctx, (void)program, (void)entry, (void)out;
    return -ENOENT;
}

static IoResultCode builtin(void *ctx, uint32_t index, isle_program_entry *out)
{
    (void)ctx, (void)index, (void)out;
    return -ENOENT;
}

static IoResultCode kernel(void *ctx, isle_program_handle program, uint32_t entry, isle_kernel *out)
{
    (void)ctx, (void)program;
    if (entry > 1)
        return -ENOENT;
    *out = (isle_kernel){.name = "sum",
                         .entry = entry,
                         .arg_count = TEST_KERNEL_ARGS,
                         .max_group = 64,
                         .local_bytes = 128,
                         .needs_group_size = "barrier in function sum, line 3",
                         .args = {{.name = "data", .type = "float*", .kind = ISLE_ARG_BUFFER, .access = 3, .bytes = 4, .element = ISLE_ARG_F32, .lanes = 1},
                                  {.name = "tile", .type = "float*", .kind = ISLE_ARG_LOCAL, .bytes = 4},
                                  {.name = "by", .type = "float4", .kind = ISLE_ARG_BYTES, .bytes = 16, .element = ISLE_ARG_F32, .lanes = 4}}};
    if (entry)
        *out = (isle_kernel){.name = "draw", .entry = entry, .unusable = "argument 0 (image2d_t) is an image"};
    if (test_is("kernels-lie"))
        memset(out->name, 'x', sizeof out->name);
    return 0;
}

const void *test_programs_interface(uint32_t id)
{
    static const isle_programs_vtable programs = {.vtable_size = sizeof programs,
                                                  .version = ISLE_KABI_VERSION,
                                                  .kinds = 1u << ISLE_PROGRAM_OPENCL_C,
                                                  .load = load,
                                                  .unload = unload,
                                                  .describe = describe,
                                                  .builtin = builtin,
                                                  .kernel = kernel};
    return id == ISLE_IFACE_PROGRAMS && (test_is("kernels") || test_is("kernels-lie")) ? &programs : NULL;
}
