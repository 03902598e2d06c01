#define _GNU_SOURCE
#include "programs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "buildlog.h"
#include "handles.h"
#include "kernels.h"
#include "link.h"
#include "objects.h"

#define BUFFER(name_, access_) {.name = name_, .kind = ISLE_ARG_BUFFER, .access = access_}
const isle_kernel opencl_builtins[BUILTIN_COUNT] = {
    [BUILTIN_NOOP] = {.name = "noop"},
    [BUILTIN_FILL] = {.name = "fill",
                      .arg_count = 2,
                      .args = {BUFFER("to", ISLE_ACCESS_WRITE),
                               {.name = "pattern", .type = "uint", .kind = ISLE_ARG_U32, .bytes = 4, .element = ISLE_ARG_U32, .lanes = 1}}},
    [BUILTIN_COPY] = {.name = "copy", .arg_count = 2, .args = {BUFFER("from", ISLE_ACCESS_READ), BUFFER("to", ISLE_ACCESS_WRITE)}},
};

void program_release(struct device *d, struct program *p)
{
    kernels_free(d, p);
    if (p->program)
        d->cl->ReleaseProgram(p->program);
    memset(p, 0, sizeof *p);
}

static IoResultCode load_builtin(struct program *p, const uint8_t *source, uint64_t length, char *log, uint64_t log_size)
{
    for (int i = 0; i < BUILTIN_COUNT; i++) {
        if (strlen(opencl_builtins[i].name) != length || memcmp(opencl_builtins[i].name, source, length))
            continue;
        p->builtin = i;
        return 0;
    }
    log_line(log, log_size, "no built-in program of this name; the built-in programs are noop, fill, copy");
    return -ENOENT;
}

static IoResultCode load_built(struct device *d, struct origin *origin, const char *options, struct program *p, char *log, uint64_t log_size)
{
    char all[BUILD_OPTIONS];
    origin->options = all;
    IoResultCode rc = build_options(d, options, all, log, log_size);
    if (!rc)
        rc = build_program(d, origin, log, log_size, &p->program);
    if (!rc)
        rc = kernels_list(d, p, log, log_size);
    if (!rc)
        rc = kernels_complete(d, p, origin, log, log_size);
    link_free(d, origin);
    return rc;
}

/* Of what was loaded into a place for objects, the handle. */
static IoResultCode publish(struct device *d, struct object *o, IoResultCode rc, isle_program_handle *out)
{
    if (rc)
        program_release(d, &o->program);
    else
        *out = object_publish(d, o);
    return rc;
}

static IoResultCode build(void *ctx, AccelContextHandle context, uint32_t kind, const uint8_t *source, uint64_t length,
                          const char *options, char *log, uint64_t log_size, isle_program_handle *out)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (log && log_size)
        *log = 0;
    if (!c)
        return -ESTALE;
    if (kind > ISLE_PROGRAM_PTX || !(d->programs.kinds >> kind & 1)) {
        log_line(log, log_size, "this device takes programs of kind %s",
                 d->programs.kinds >> ISLE_PROGRAM_SPIRV & 1       ? "builtin, opencl-c and spirv"
                 : d->programs.kinds >> ISLE_PROGRAM_OPENCL_C & 1 ? "builtin and opencl-c"
                                                                  : "builtin");
        return IO_NOT_SUPPORTED;
    }
    if (!source || !length || !options || !out)
        return -EINVAL;
    if (kind == ISLE_PROGRAM_BUILTIN && *options) {
        log_line(log, log_size, "options: a built-in program takes no options");
        return IO_NOT_SUPPORTED;
    }
    struct object *o = object_take(d, OBJECT_PROGRAM, context);
    if (!o)
        return -ENOMEM;
    struct program *p = &o->program;
    p->builtin = BUILTIN_NONE;
    const isle_source_file file = {.text = source, .length = length};
    struct origin origin = {.context = c, .kind = kind, .files = &file, .file_count = 1};
    return publish(d, o, kind == ISLE_PROGRAM_BUILTIN ? load_builtin(p, source, length, log, log_size) : load_built(d, &origin, options, p, log, log_size),
                   out);
}

static IoResultCode sources(void *ctx, AccelContextHandle context, const isle_source_file *files, uint32_t file_count,
                            const isle_source_file *headers, uint32_t header_count, const char *options, char *log, uint64_t log_size,
                            isle_program_handle *out)
{
    struct device *d = ctx;
    struct context *c = context_of(d, context);
    if (log && log_size)
        *log = 0;
    if (!c)
        return -ESTALE;
    if (!d->facts.linker)
        return IO_NOT_SUPPORTED;
    if (!files || !file_count || file_count > ISLE_SOURCE_FILES || header_count > ISLE_SOURCE_FILES - file_count || !options || !out)
        return -EINVAL;
    struct object *o = object_take(d, OBJECT_PROGRAM, context);
    if (!o)
        return -ENOMEM;
    o->program.builtin = BUILTIN_NONE;
    struct origin origin = {.context = c,
                            .kind = ISLE_PROGRAM_OPENCL_C,
                            .files = files,
                            .file_count = file_count,
                            .headers = headers,
                            .header_count = header_count};
    return publish(d, o, load_built(d, &origin, options, &o->program, log, log_size), out);
}

static IoResultCode load(void *ctx, AccelContextHandle context, uint32_t kind, const uint8_t *source, uint64_t length, char *log,
                         uint64_t log_size, isle_program_handle *out)
{
    return build(ctx, context, kind, source, length, "", log, log_size, out);
}

static IoResultCode unload(void *ctx, isle_program_handle program)
{
    struct device *d = ctx;
    struct object *o = object_of(d, program, OBJECT_PROGRAM);
    IoResultCode rc = o ? object_retire(o, program) : -ESTALE;
    if (!rc)
        program_release(d, &o->program);
    return rc;
}

static IoResultCode describe(void *ctx, isle_program_handle program, uint32_t entry, isle_program_entry *out)
{
    struct object *o = object_of(ctx, program, OBJECT_PROGRAM);
    if (!o)
        return -ESTALE;
    if (!out)
        return -EINVAL;
    bool builtin = o->program.builtin != BUILTIN_NONE;
    if (entry >= (builtin ? 1 : o->program.dispatches))
        return -ENOENT;
    kernel_entry(builtin ? &opencl_builtins[o->program.builtin] : o->program.entries[entry].told, out);
    return 0;
}

static IoResultCode kernel(void *ctx, isle_program_handle program, uint32_t entry, isle_kernel *out)
{
    struct object *o = object_of(ctx, program, OBJECT_PROGRAM);
    if (!o)
        return -ESTALE;
    if (!out)
        return -EINVAL;
    bool builtin = o->program.builtin != BUILTIN_NONE;
    if (entry >= (builtin ? 1 : o->program.count))
        return -ENOENT;
    *out = builtin ? opencl_builtins[o->program.builtin] : *o->program.entries[entry].told;
    return 0;
}

static IoResultCode builtin(void *ctx, uint32_t index, isle_program_entry *out)
{
    (void)ctx;
    if (index >= BUILTIN_COUNT)
        return -ENOENT;
    if (!out)
        return -EINVAL;
    kernel_entry(&opencl_builtins[index], out);
    return 0;
}

const isle_programs_vtable opencl_programs = {.vtable_size = sizeof opencl_programs,
                                              .version = ISLE_KABI_VERSION,
                                              .load = load,
                                              .unload = unload,
                                              .describe = describe,
                                              .builtin = builtin,
                                              .build = build,
                                              .kernel = kernel,
                                              .sources = sources};
