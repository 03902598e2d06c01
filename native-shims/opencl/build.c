/* From source to a program that is built: by the binary on disk when there is one that the device takes, else by the compiler. */
#define _GNU_SOURCE
#include "build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buildlog.h"
#include "cache.h"
#include "errors.h"
#include "link.h"

#define MOST_BINARY (256u << 20)

static cl_program from_binary(struct device *d, struct context *c, const char *options, const uint8_t *binary, size_t length)
{
    cl_int rc, status = CL_SUCCESS;
    cl_program program = d->cl->CreateProgramWithBinary(c->cl, 1, &d->id, &length, &binary, &status, &rc);
    if (!rc && !status && !d->cl->BuildProgram(program, 1, &d->id, options, NULL, NULL))
        return program;
    if (!rc && program)
        d->cl->ReleaseProgram(program);
    return NULL;
}

static void keep_binary(struct device *d, const struct cache_key *key, cl_program program)
{
    size_t length = 0;
    if (d->cl->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof length, &length, NULL) || !length || length > MOST_BINARY)
        return;
    uint8_t *binary = malloc(length);
    if (binary && !d->cl->GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL))
        cache_put(d, key, binary, length);
    free(binary);
}

/* Compilers tell of a file that they made up; a source may begin with a line like this one that has the name of its own. */
static cl_program from_source(struct device *d, const struct origin *o, const struct appendix *behind, cl_int *rc)
{
    static const char name[] = "#line 1 \"program.cl\"\n", mark[] = "\xef\xbb\xbf"; /* of UTF-8, good at the beginning alone */
    const isle_source_file *f = &o->files[0];
    const size_t skip = f->length >= 3 && !memcmp(f->text, mark, 3) ? 3 : 0;
    const char *parts[] = {name, (const char *)f->text + skip, behind ? behind->text : NULL};
    const size_t lengths[] = {sizeof name - 1, f->length - skip, behind ? behind->length : 0};
    return d->cl->CreateProgramWithSource(o->context->cl, behind ? 3 : 2, parts, lengths, rc);
}

IoResultCode build_quietly(struct device *d, struct origin *o, const struct appendix *behind, cl_program *out)
{
    cl_int rc;
    if (origin_has_names(o))
        return link_files(d, o, behind, NULL, 0, out);
    *out = from_source(d, o, behind, &rc);
    if (rc)
        return cl_result(d, rc);
    rc = d->cl->BuildProgram(*out, 1, &d->id, o->options, NULL, NULL);
    if (rc)
        d->cl->ReleaseProgram(*out);
    return cl_result(d, rc);
}

static IoResultCode compile(struct device *d, const struct origin *o, char *log, uint64_t log_size, cl_program *out)
{
    const isle_source_file *f = &o->files[0];
    cl_int rc;
    *out = o->kind == ISLE_PROGRAM_SPIRV ? d->cl->CreateProgramWithIL(o->context->cl, f->text, f->length, &rc) : from_source(d, o, NULL, &rc);
    if (rc) {
        *out = NULL;
        log_line(log, log_size, "isle: the device does not take the program, OpenCL error %d", rc);
        return cl_result(d, rc);
    }
    rc = d->cl->BuildProgram(*out, 1, &d->id, o->options, NULL, NULL);
    log_build(d, *out, log, log_size);
    if (!rc)
        return 0;
    log_line(log, log_size, "isle: the build failed, OpenCL error %d", rc);
    d->cl->ReleaseProgram(*out);
    *out = NULL;
    return cl_result(d, rc);
}

/* Whether the library tells of a program from a binary what it tells of one from source. */
static bool describes_itself(struct device *d, cl_program program)
{
    struct program p = {.program = program};
    bool whole = !kernels_list(d, &p, NULL, 0) && kernels_any_usable(&p);
    kernels_free(d, &p);
    return whole;
}

IoResultCode build_options(const struct device *d, const char *tenants, char options[BUILD_OPTIONS], char *log, uint64_t log_size)
{
    int n = snprintf(options, BUILD_OPTIONS, "-cl-kernel-arg-info %s %s", d->settings.build_options, tenants);
    if (n >= 0 && (size_t)n < BUILD_OPTIONS)
        return 0;
    log_line(log, log_size, "isle: build options are longer than %u bytes", OPENCL_OPTIONS);
    return -EINVAL;
}

IoResultCode build_program(struct device *d, struct origin *o, char *log, uint64_t log_size, cl_program *out)
{
    struct cache_key key;
    size_t size;
    cache_key(d, o->kind, o, NULL, &key);
    uint8_t *binary = cache_get(d, &key, &size);
    if (binary) {
        *out = from_binary(d, o->context, o->options, binary, size);
        free(binary);
        if (*out && describes_itself(d, *out))
            return 0;
        if (*out)
            d->cl->ReleaseProgram(*out);
    }
    IoResultCode rc = origin_has_names(o) ? link_files(d, o, NULL, log, log_size, out) : compile(d, o, log, log_size, out);
    if (!rc)
        keep_binary(d, &key, *out);
    return rc;
}
