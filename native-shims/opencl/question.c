/*
 * The source is built once more with a kernel behind it that says what the compiler knows of these types: bytes, and which scalar or vector
 * it is. The answers are kept on disk.
 */
#define _GNU_SOURCE
#include "question.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "cache.h"
#include "types.h"

#define KERNEL "isle_types_"

uint32_t question_find(const struct question *q, const char *type)
{
    uint32_t i = 0;
    while (i < q->count && strcmp(q->types[i], type))
        i++;
    return i;
}

void question_add(struct question *q, const char *type)
{
    if (question_find(q, type) == q->count && q->count < QUESTION_TYPES)
        snprintf(q->types[q->count++], QUESTION_TYPE, "%s", type);
}

/* What is written behind the source: for each type two numbers. */
static bool write_text(const struct question *q, char **text, size_t *length)
{
    FILE *f = open_memstream(text, length);
    isle_kernel_arg ignored;
    char name[16];
    if (!f)
        return false;
    fprintf(f, "\n#undef kernel\n#undef global\n#undef uint\n#undef sizeof\n"
               "#define isle_same_(T, t, n) (__builtin_types_compatible_p(T, t) ? n : 0)\n"
               "#define isle_plain_(T) (0");
    for (uint32_t i = 0; i < TYPES_PLAIN; i++) {
        type_at(i, name, sizeof name, &ignored);
        bool optional = strstr(name, "double") || strstr(name, "half");
        if (!optional)
            fprintf(f, " + isle_same_(T, %s, %u)", name, i + 1);
    }
    fprintf(f, ")\n#if defined(cl_khr_fp64) || defined(__opencl_c_fp64)\n#define isle_wide_(T) (0");
    for (uint32_t i = 0; i < TYPES_PLAIN; i++) {
        type_at(i, name, sizeof name, &ignored);
        if (strstr(name, "double"))
            fprintf(f, " + isle_same_(T, %s, %u)", name, i + 1);
    }
    fprintf(f, ")\n#else\n#define isle_wide_(T) 0\n#endif\nkernel void " KERNEL "(global uint *isle_out_)\n{\n");
    for (uint32_t i = 0; i < q->count; i++)
        fprintf(f, "    isle_out_[%u] = sizeof(%s);\n    isle_out_[%u] = isle_plain_(%s) + isle_wide_(%s);\n", 2 * i, q->types[i], 2 * i + 1,
                q->types[i], q->types[i]);
    fprintf(f, "}\n");
    return !fclose(f);
}

static bool run(struct device *d, struct context *c, cl_kernel kernel, struct question *q)
{
    const struct cl_api *cl = d->cl;
    const size_t one = 1, bytes = q->count * sizeof q->answers[0];
    cl_int rc;
    cl_mem out = cl->CreateBuffer(c->cl, CL_MEM_READ_WRITE, bytes, NULL, &rc);
    if (rc)
        return false;
    rc = cl->SetKernelArg(kernel, 0, sizeof out, &out);
    if (!rc)
        rc = cl->EnqueueNDRangeKernel(c->control, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    if (!rc)
        rc = cl->EnqueueReadBuffer(c->control, out, CL_TRUE, 0, bytes, q->answers, 0, NULL, NULL);
    cl->ReleaseMemObject(out);
    return !rc;
}

static bool run_named(struct device *d, struct context *c, cl_program program, struct question *q)
{
    const struct cl_api *cl = d->cl;
    cl_kernel kernels[OPENCL_ENTRIES + 1];
    cl_uint count = 0;
    char name[256];
    bool done = false;
    if (cl->CreateKernelsInProgram(program, 0, NULL, &count) || count > OPENCL_ENTRIES + 1 ||
        cl->CreateKernelsInProgram(program, count, kernels, NULL))
        return false;
    for (cl_uint i = 0; i < count; i++) {
        if (!done && !cl->GetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL) && !strcmp(name, KERNEL))
            done = run(d, c, kernels[i], q);
        cl->ReleaseKernel(kernels[i]);
    }
    return done;
}

/* Answers without bytes say that the compiler refuses the question. False for what may go better another time. */
static bool ask(struct device *d, struct origin *o, const struct appendix *behind, struct question *q)
{
    cl_program program;
    IoResultCode rc = build_quietly(d, o, behind, &program);
    if (rc == -EINVAL)
        memset(q->answers, 0, sizeof q->answers);
    if (rc)
        return rc == -EINVAL;
    bool done = run_named(d, o->context, program, q) && q->answers[0].bytes;
    d->cl->ReleaseProgram(program);
    return done;
}

bool question_ask(struct device *d, struct origin *o, uint32_t file, struct question *q)
{
    struct appendix behind = {.file = file};
    struct cache_key key;
    char *text = NULL;
    size_t kept = 0, bytes = q->count * sizeof q->answers[0];
    bool known = false;
    if (!write_text(q, &text, &behind.length)) {
        free(text);
        return false;
    }
    behind.text = text;
    cache_key(d, 0, o, &behind, &key);
    void *answers = cache_get(d, &key, &kept);
    if (answers && kept == bytes) {
        memcpy(q->answers, answers, bytes);
        known = true;
    }
    free(answers);
    if (!known) {
        known = ask(d, o, &behind, q);
        if (known)
            cache_put(d, &key, (const uint8_t *)q->answers, bytes);
    }
    free(text);
    return known && q->answers[0].bytes;
}
