/* What the arguments of a kernel are, as the OpenCL library tells. */
#define _GNU_SOURCE
#include "arguments.h"

#include <stdio.h>
#include <string.h>

#include "types.h"

#define TYPE_NAME 256

static bool ask(struct device *d, cl_kernel kernel, cl_uint i, cl_uint what, size_t size, void *to)
{
    return !d->cl->GetKernelArgInfo(kernel, i, what, size, to, NULL);
}

static bool ask_text(struct device *d, cl_kernel kernel, cl_uint i, cl_uint what, char to[TYPE_NAME])
{
    size_t n = 0;
    *to = 0;
    if (d->cl->GetKernelArgInfo(kernel, i, what, TYPE_NAME, to, &n) || !n || n > TYPE_NAME) {
        *to = 0;
        return false;
    }
    to[n - 1] = 0;
    return *to != 0;
}

/* What a pointer of this type points to, where that is a scalar or a vector. */
static void describe_element(const char *type, isle_kernel_arg *out)
{
    char element[TYPE_NAME];
    isle_kernel_arg of;
    size_t n = strcspn(type, "*");
    while (n && type[n - 1] == ' ')
        n--;
    memcpy(element, type, n);
    element[n] = 0;
    type_of(element, &of);
    out->bytes = of.bytes;
    out->element = of.element;
    out->lanes = of.lanes;
}

/* NULL, or what a launch has no argument for. */
static const char *refusal(const char *type, cl_uint access, cl_bitfield qualifier)
{
    return qualifier & CL_KERNEL_ARG_TYPE_PIPE                                        ? "a pipe"
           : access != CL_KERNEL_ARG_ACCESS_NONE || !strncmp(type, "image", 5)       ? "an image"
           : !strcmp(type, "sampler_t")                                               ? "a sampler"
           : !strcmp(type, "queue_t")                                                 ? "a device queue"
           : !strcmp(type, "clk_event_t") || !strcmp(type, "reserve_id_t") || !strcmp(type, "event_t") ? "an event or a reservation"
                                                                                      : NULL;
}

void argument_describe(struct device *d, cl_kernel kernel, cl_uint i, isle_kernel_arg *out, char *why, size_t size)
{
    char type[TYPE_NAME], name[TYPE_NAME];
    cl_uint place = 0, access = CL_KERNEL_ARG_ACCESS_NONE;
    cl_bitfield qualifier = 0;
    bool told = ask_text(d, kernel, i, CL_KERNEL_ARG_TYPE_NAME, type) && ask(d, kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof place, &place);
    ask_text(d, kernel, i, CL_KERNEL_ARG_NAME, name);
    if (!ask(d, kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access))
        access = CL_KERNEL_ARG_ACCESS_NONE;
    snprintf(out->name, sizeof out->name, "%.63s", name);
    snprintf(out->type, sizeof out->type, "%.63s", type);
    if (!told || !ask(d, kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier)) {
        snprintf(why, size, "argument %u: the device does not say what it is", i);
        return;
    }
    const char *refused = refusal(type, access, qualifier);
    if (refused) {
        snprintf(why, size, "argument %u (%.60s) is %s", i, type, refused);
    } else if (place == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
        if (!type_of(type, out) && strlen(type) >= sizeof out->type)
            snprintf(why, size, "argument %u: the name of its type is longer than %zu characters", i, sizeof out->type - 1);
    } else if (place == CL_KERNEL_ARG_ADDRESS_LOCAL) {
        describe_element(type, out);
        out->kind = ISLE_ARG_LOCAL;
    } else {
        describe_element(type, out);
        out->kind = ISLE_ARG_BUFFER;
        /* a kernel that only writes cannot be told: access qualifiers are for images and pipes, so what is not const may be both */
        bool constant = place == CL_KERNEL_ARG_ADDRESS_CONSTANT || (qualifier & CL_KERNEL_ARG_TYPE_CONST);
        out->access = constant ? ISLE_ACCESS_READ : ISLE_ACCESS_READ | ISLE_ACCESS_WRITE;
    }
}
