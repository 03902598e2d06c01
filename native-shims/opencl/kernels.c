/* What the kernels of a program are called and take, as the OpenCL library tells. */
#define _GNU_SOURCE
#include "kernels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "buildlog.h"
#include "errors.h"

#define TYPE_NAME 128

static const struct scalar {
    const char *type;
    uint8_t kind, bytes;
} scalars[] = {
    {"uint", ISLE_ARG_U32, 4},  {"unsigned int", ISLE_ARG_U32, 4},   {"int", ISLE_ARG_I32, 4},
    {"ulong", ISLE_ARG_U64, 8}, {"unsigned long", ISLE_ARG_U64, 8},  {"long", ISLE_ARG_I64, 8},
    {"ushort", ISLE_ARG_U32, 2}, {"unsigned short", ISLE_ARG_U32, 2}, {"short", ISLE_ARG_I32, 2},
    {"uchar", ISLE_ARG_U32, 1}, {"unsigned char", ISLE_ARG_U32, 1},  {"char", ISLE_ARG_I32, 1},
    {"float", ISLE_ARG_F32, 4}, {"double", ISLE_ARG_F64, 8},
};

static const struct scalar *scalar_of(const char *type)
{
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++)
        if (!strcmp(scalars[i].type, type))
            return &scalars[i];
    return NULL;
}

/* Bytes of what a pointer of this type points to, where that is a scalar; else 0. */
static uint8_t element_bytes(const char *type)
{
    char element[TYPE_NAME];
    size_t n = strcspn(type, "*");
    while (n && type[n - 1] == ' ')
        n--;
    memcpy(element, type, n);
    element[n] = 0;
    const struct scalar *s = scalar_of(element);
    return s ? s->bytes : 0;
}

/* NULL, or why a dispatch cannot give the argument; `type` is what the library calls its type, or empty. */
static const char *describe_arg(struct device *d, struct entry *e, cl_uint i, char type[TYPE_NAME])
{
    const struct cl_api *cl = d->cl;
    cl_uint place = 0;
    cl_bitfield qualifier = 0;
    size_t n = 0;
    *type = 0;
    if (cl->GetKernelArgInfo(e->kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof place, &place, NULL) ||
        cl->GetKernelArgInfo(e->kernel, i, CL_KERNEL_ARG_TYPE_NAME, TYPE_NAME, type, &n) || !n || n > TYPE_NAME) {
        *type = 0;
        return "the OpenCL device does not report the argument's type";
    }
    type[n - 1] = 0;
    if (place == CL_KERNEL_ARG_ADDRESS_LOCAL)
        return "local memory is no argument of a dispatch";
    if (place == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
        const struct scalar *s = scalar_of(type);
        if (!s)
            return "neither a buffer nor a scalar type of dispatches";
        e->shown.arg_kinds[i] = s->kind;
        e->arg_bytes[i] = s->bytes;
        return NULL;
    }
    if (!strchr(type, '*'))
        return "neither a buffer nor a scalar type of dispatches";
    if (cl->GetKernelArgInfo(e->kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL))
        return "the OpenCL device does not report whether the argument is const";
    /* a kernel that only writes cannot be told: access qualifiers are for images and pipes, so what is not const may be both */
    bool constant = place == CL_KERNEL_ARG_ADDRESS_CONSTANT || (qualifier & CL_KERNEL_ARG_TYPE_CONST);
    e->shown.arg_kinds[i] = ISLE_ARG_BUFFER;
    e->arg_bytes[i] = element_bytes(type);
    e->shown.arg_access[i] = constant ? ISLE_ACCESS_READ : ISLE_ACCESS_READ | ISLE_ACCESS_WRITE;
    return NULL;
}

static bool describe_kernel(struct device *d, struct entry *e, char *log, uint64_t log_size)
{
    const struct cl_api *cl = d->cl;
    cl_uint args = 0;
    size_t n = 0;
    char name[256];
    if (cl->GetKernelInfo(e->kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, &n) || !n || n > sizeof name) {
        log_line(log, log_size, "isle: a kernel is left out, because its name is longer than 255 characters");
        return false;
    }
    name[n - 1] = 0;
    if (n > sizeof e->shown.name) {
        log_line(log, log_size, "isle: kernel %s is left out, because its name is longer than 63 characters", name);
        return false;
    }
    memcpy(e->shown.name, name, n);
    if (cl->GetKernelInfo(e->kernel, CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL) || args > OPENCL_ARGS) {
        log_line(log, log_size, "isle: kernel %s is left out: %u arguments, a dispatch has at most %u", name, args, OPENCL_ARGS);
        return false;
    }
    e->shown.arg_count = args;
    for (cl_uint i = 0; i < args; i++) {
        char type[TYPE_NAME];
        const char *why = describe_arg(d, e, i, type);
        if (why) {
            log_line(log, log_size, "isle: kernel %s is left out: argument %u (%s): %s", name, i, type, why);
            return false;
        }
    }
    if (cl->GetKernelWorkGroupInfo(e->kernel, d->id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof e->local, e->local, NULL))
        memset(e->local, 0, sizeof e->local);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->shown.name, ((const struct entry *)b)->shown.name);
}

IoResultCode kernels_list(struct device *d, struct program *p, char *log, uint64_t log_size)
{
    const struct cl_api *cl = d->cl;
    cl_kernel kernels[OPENCL_ENTRIES];
    cl_uint count = 0;
    cl_int rc = cl->CreateKernelsInProgram(p->program, 0, NULL, &count);
    if (!rc && !count) {
        log_line(log, log_size, "isle: the program has no kernel");
        return -EINVAL;
    }
    if (!rc && count > OPENCL_ENTRIES) {
        log_line(log, log_size, "isle: %u kernels in one program, at most %u", count, OPENCL_ENTRIES);
        return -EINVAL;
    }
    if (!rc && !(p->entries = calloc(count, sizeof *p->entries)))
        return -ENOMEM;
    if (!rc)
        rc = cl->CreateKernelsInProgram(p->program, count, kernels, NULL);
    if (rc)
        return cl_result(d, rc);
    for (cl_uint i = 0; i < count; i++) {
        struct entry *e = &p->entries[p->count];
        memset(e, 0, sizeof *e);
        e->kernel = kernels[i];
        if (describe_kernel(d, e, log, log_size))
            p->count++;
        else
            cl->ReleaseKernel(kernels[i]);
    }
    qsort(p->entries, p->count, sizeof *p->entries, by_name);
    for (uint32_t i = 0; i < p->count; i++)
        p->entries[i].shown.entry = i;
    return p->count ? 0 : -EINVAL;
}
