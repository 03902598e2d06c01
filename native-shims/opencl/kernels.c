/* What the kernels of a program are called and take. */
#define _GNU_SOURCE
#include "kernels.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "buildlog.h"
#include "errors.h"
#include "group_size.h"
#include "hidden.h"

void kernel_unusable(isle_kernel *k, const char *format, ...)
{
    va_list args;
    if (*k->unusable)
        return;
    va_start(args, format);
    vsnprintf(k->unusable, sizeof k->unusable, format, args);
    va_end(args);
}

static void describe_group(struct device *d, const struct entry *e)
{
    const struct cl_api *cl = d->cl;
    size_t required[3] = {0}, most = 0;
    cl_ulong local = 0, private = 0;
    if (cl->GetKernelWorkGroupInfo(e->kernel, d->id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, NULL))
        memset(required, 0, sizeof required);
    if (cl->GetKernelWorkGroupInfo(e->kernel, d->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL))
        most = 0;
    if (cl->GetKernelWorkGroupInfo(e->kernel, d->id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL))
        local = 0;
    if (cl->GetKernelWorkGroupInfo(e->kernel, d->id, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof private, &private, NULL))
        private = 0;
    for (int i = 0; i < 3 && required[0]; i++)
        e->told->group_size[i] = required[i] > UINT32_MAX ? UINT32_MAX : required[i] ? (uint32_t)required[i] : 1;
    e->told->max_group = most > UINT32_MAX ? UINT32_MAX : (uint32_t)most;
    e->told->local_bytes = local;
    e->told->private_bytes = private;
}

static void describe_kernel(struct device *d, struct entry *e)
{
    isle_kernel *k = e->told;
    cl_uint args = 0;
    size_t n = 0;
    char why[sizeof k->unusable];
    if (d->cl->GetKernelInfo(e->kernel, CL_KERNEL_FUNCTION_NAME, sizeof k->name, k->name, &n) || n < 2 || n > sizeof k->name) {
        snprintf(k->name, sizeof k->name, "?");
        kernel_unusable(k, "its name is longer than %zu characters", sizeof k->name - 1);
        return;
    }
    k->name[n - 1] = 0;
    if (d->cl->GetKernelInfo(e->kernel, CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL) || args > ISLE_LAUNCH_ARGS) {
        kernel_unusable(k, "%u arguments, a launch has at most %u", args, ISLE_LAUNCH_ARGS);
        return;
    }
    k->arg_count = args;
    for (cl_uint i = 0; i < args; i++) {
        *why = 0;
        argument_describe(d, e->kernel, i, &k->args[i], why, sizeof why);
        if (*why)
            kernel_unusable(k, "%s", why);
    }
    describe_group(d, e);
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
    bool room = true;
    for (cl_uint i = 0; i < count; i++) {
        struct entry *e = &p->entries[p->count++];
        e->kernel = kernels[i];
        e->told = calloc(1, sizeof *e->told);
        room &= e->told != NULL;
    }
    for (uint32_t i = 0; room && i < p->count; i++)
        describe_kernel(d, &p->entries[i]);
    return room ? 0 : -ENOMEM;
}

bool kernels_any_usable(const struct program *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (!*p->entries[i].told->unusable)
            return true;
    return false;
}

void kernels_free(struct device *d, struct program *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        d->cl->ReleaseKernel(p->entries[i].kernel);
        free(p->entries[i].told);
    }
    free(p->entries);
    p->entries = NULL;
    p->count = p->dispatches = 0;
}

static bool dispatch_has(const isle_kernel *k)
{
    if (*k->unusable || k->arg_count > OPENCL_DISPATCH_ARGS || strlen(k->name) >= sizeof((isle_program_entry *)0)->name)
        return false;
    for (uint32_t i = 0; i < k->arg_count; i++)
        if (k->args[i].kind > ISLE_ARG_F64)
            return false;
    return true;
}

void kernel_entry(const isle_kernel *told, isle_program_entry *out)
{
    *out = (isle_program_entry){.entry = told->entry, .arg_count = told->arg_count};
    snprintf(out->name, sizeof out->name, "%.63s", told->name);
    for (uint32_t i = 0; i < told->arg_count; i++) {
        out->arg_kinds[i] = (uint8_t)told->args[i].kind;
        out->arg_access[i] = (uint8_t)told->args[i].access;
    }
}

/* Those that a dispatch can have first, each of both by name. */
static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return x->dispatch != y->dispatch ? y->dispatch - x->dispatch : strcmp(x->told->name, y->told->name);
}

static void take_own_names(const struct program *p, const struct origin *origin)
{
    for (uint32_t i = 0; i < p->count; i++) {
        isle_kernel *k = p->entries[i].told;
        origin_own_name(origin, k->name);
        for (uint32_t a = 0; a < k->arg_count; a++)
            origin_own_name(origin, k->args[a].name);
    }
}

IoResultCode kernels_complete(struct device *d, struct program *p, struct origin *origin, char *log, uint64_t log_size)
{
    struct scan *scan = origin_scan(origin);
    take_own_names(p, origin);
    hidden_types(d, p, origin, scan);
    group_size_needs(p, origin, scan);
    scan_free(scan);
    for (uint32_t i = 0; i < p->count; i++)
        p->entries[i].dispatch = dispatch_has(p->entries[i].told);
    qsort(p->entries, p->count, sizeof *p->entries, by_name);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct entry *e = &p->entries[i];
        e->told->entry = i;
        p->dispatches += e->dispatch;
        if (*e->told->unusable)
            log_line(log, log_size, "isle: kernel %s cannot be used: %s", e->told->name, e->told->unusable);
    }
    return kernels_any_usable(p) ? 0 : -EINVAL;
}
