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

#define MOST_BINARY (256u << 20)
#define MOST_LOG (1u << 20)

static void copy_build_log(struct device *d, cl_program program, char *log, uint64_t log_size)
{
    size_t n = 0;
    if (!log || !log_size || d->cl->GetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) || n < 2 || n > MOST_LOG)
        return;
    char *text = malloc(n);
    if (text && !d->cl->GetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, n, text, NULL)) {
        text[n - 1] = 0;
        log_line(log, log_size, "%s", text);
    }
    free(text);
}

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
static cl_program from_source(struct device *d, struct context *c, const uint8_t *source, size_t length, cl_int *rc)
{
    static const char name[] = "#line 1 \"program.cl\"\n", mark[] = "\xef\xbb\xbf"; /* of UTF-8, good at the beginning alone */
    const size_t skip = length >= 3 && !memcmp(source, mark, 3) ? 3 : 0;
    const char *parts[] = {name, (const char *)source + skip};
    const size_t lengths[] = {sizeof name - 1, length - skip};
    return d->cl->CreateProgramWithSource(c->cl, 2, parts, lengths, rc);
}

cl_program build_quietly(struct device *d, struct context *c, const char *options, const uint8_t *source, size_t length)
{
    cl_int rc;
    cl_program program = from_source(d, c, source, length, &rc);
    if (rc)
        return NULL;
    if (!d->cl->BuildProgram(program, 1, &d->id, options, NULL, NULL))
        return program;
    d->cl->ReleaseProgram(program);
    return NULL;
}

static IoResultCode compile(struct device *d, const struct origin *o, char *log, uint64_t log_size, cl_program *out)
{
    cl_int rc;
    *out = o->kind == ISLE_PROGRAM_SPIRV ? d->cl->CreateProgramWithIL(o->context->cl, o->source, o->length, &rc)
                                         : from_source(d, o->context, o->source, o->length, &rc);
    if (rc) {
        *out = NULL;
        log_line(log, log_size, "isle: the device does not take the program, OpenCL error %d", rc);
        return cl_result(d, rc);
    }
    rc = d->cl->BuildProgram(*out, 1, &d->id, o->options, NULL, NULL);
    copy_build_log(d, *out, log, log_size);
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

IoResultCode build_program(struct device *d, const struct origin *o, char *log, uint64_t log_size, cl_program *out)
{
    struct cache_key key;
    size_t size;
    cache_key(d, o->kind, o->options, o->source, o->length, &key);
    uint8_t *binary = cache_get(d, &key, &size);
    if (binary) {
        *out = from_binary(d, o->context, o->options, binary, size);
        free(binary);
        if (*out && describes_itself(d, *out))
            return 0;
        if (*out)
            d->cl->ReleaseProgram(*out);
    }
    IoResultCode rc = compile(d, o, log, log_size, out);
    if (!rc)
        keep_binary(d, &key, *out);
    return rc;
}
