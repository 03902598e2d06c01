/*
 * A typedef or a structure hides how large an argument is, and some libraries take any size. So the source is built once more with a kernel
 * behind it that says what the compiler knows of these types: bytes, and which scalar or vector it is. The answers are kept on disk.
 */
#define _GNU_SOURCE
#include "hidden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "cache.h"
#include "types.h"

#define MOST_TYPES 256u
#define KERNEL "isle_types_"

struct answer {
    uint32_t bytes, plain; /* 0, or 1 + the number of a plain type */
};

struct question {
    const char *types[MOST_TYPES];
    struct answer answers[MOST_TYPES];
    uint32_t count;
    char *text;
    size_t length;
};

static bool is_hidden(const isle_kernel *k, uint32_t i)
{
    return !*k->unusable && !k->args[i].kind;
}

static uint32_t find(const struct question *q, const char *type)
{
    uint32_t i = 0;
    while (i < q->count && strcmp(q->types[i], type))
        i++;
    return i;
}

static void collect(struct question *q, const struct program *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const isle_kernel *k = p->entries[i].told;
        for (uint32_t a = 0; a < k->arg_count; a++)
            if (is_hidden(k, a) && find(q, k->args[a].type) == q->count && q->count < MOST_TYPES)
                q->types[q->count++] = k->args[a].type;
    }
}

/* What is written behind the source: for each type two numbers. */
static bool write_text(struct question *q)
{
    FILE *f = open_memstream(&q->text, &q->length);
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

static bool ask(struct device *d, const struct origin *o, struct question *q)
{
    uint8_t *all = write_text(q) ? malloc(o->length + q->length) : NULL;
    struct cache_key key;
    size_t kept = 0, bytes = q->count * sizeof q->answers[0];
    bool done = false;
    if (!all)
        return false;
    memcpy(all, o->source, o->length);
    memcpy(all + o->length, q->text, q->length);
    cache_key(d, 0, o->options, all, o->length + q->length, &key);
    void *answers = cache_get(d, &key, &kept);
    if (answers && kept == bytes) {
        memcpy(q->answers, answers, bytes);
        done = true;
    }
    free(answers);
    cl_program program = done ? NULL : build_quietly(d, o->context, o->options, all, o->length + q->length);
    if (program) {
        done = run_named(d, o->context, program, q);
        d->cl->ReleaseProgram(program);
        if (done)
            cache_put(d, &key, (const uint8_t *)q->answers, bytes);
    }
    free(all);
    return done;
}

static void take(isle_kernel *k, uint32_t i, const struct answer *a)
{
    isle_kernel_arg *to = &k->args[i];
    char name[16];
    if (!a || !a->bytes) {
        kernel_unusable(k, "argument %u (%s): the compiler does not say what type this is", i, to->type);
        return;
    }
    if (a->bytes > ISLE_LAUNCH_TAIL) {
        kernel_unusable(k, "argument %u (%s) has %u bytes, all together may have %u", i, to->type, a->bytes, ISLE_LAUNCH_TAIL);
        return;
    }
    to->kind = ISLE_ARG_BYTES;
    to->bytes = a->bytes;
    isle_kernel_arg plain;
    if (!a->plain || a->plain > TYPES_PLAIN)
        return;
    type_at(a->plain - 1, name, sizeof name, &plain);
    if (plain.bytes != a->bytes)
        return;
    to->kind = plain.kind;
    to->element = plain.element;
    to->lanes = plain.lanes;
}

/* Together they must fit into the tail of a launch. */
static void check_sum(isle_kernel *k)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < k->arg_count; i++)
        sum += k->args[i].kind == ISLE_ARG_BYTES ? k->args[i].bytes : 0;
    if (sum > ISLE_LAUNCH_TAIL)
        kernel_unusable(k, "vectors and structures among its arguments have %u bytes, at most %u", sum, ISLE_LAUNCH_TAIL);
}

void hidden_types(struct device *d, struct program *p, const struct origin *origin)
{
    struct question *q = calloc(1, sizeof *q);
    if (q)
        collect(q, p);
    bool told = q && q->count && origin->kind == ISLE_PROGRAM_OPENCL_C && ask(d, origin, q);
    for (uint32_t i = 0; i < p->count; i++) {
        isle_kernel *k = p->entries[i].told;
        for (uint32_t a = 0; a < k->arg_count; a++) {
            uint32_t at = told && is_hidden(k, a) ? find(q, k->args[a].type) : 0;
            if (is_hidden(k, a))
                take(k, a, told && at < q->count ? &q->answers[at] : NULL);
        }
        check_sum(k);
    }
    if (q)
        free(q->text);
    free(q);
}
