/*
 * bench-opencl-host VERB KERNELS.cl ... [PLATFORM:DEVICE]
 *
 * A host program on the OpenCL library, to measure jobs against. Does the work of the verb twice, the first time to warm up, and prints
 *   ns N  wall time of the second
 * Results are written to OUT. `check` only looks for the device. Exit code 3 when there is no OpenCL or no such device.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

#define MOST_SOURCE (1u << 20)

static const struct verb {
    const char *name, *words;
    uint32_t count;
    uint64_t (*work)(const struct host *h, char **words);
} verbs[] = {
    {"stencil", "EDGE TURNS IN OUT", 4, host_stencil},
    {"until", "EDGE CHECK IN OUT", 4, host_until},
    {"sort", "LOG2_COUNT IN OUT", 3, host_sort},
    {"copied", "KERNEL IN_BYTES OUT_BYTES IN OUT", 5, host_copied},
    {"mapped", "KERNEL IN_BYTES OUT_BYTES IN OUT", 5, host_mapped},
};
#define VERBS (sizeof verbs / sizeof *verbs)

void host_fail(const char *what, const char *name)
{
    fprintf(stderr, "bench-opencl-host: %s %s\n", what, name);
    exit(1);
}

void host_check(const char *what, cl_int rc)
{
    if (rc == CL_SUCCESS)
        return;
    fprintf(stderr, "bench-opencl-host: %s failed with %d\n", what, rc);
    exit(1);
}

uint64_t host_number(const char *text, uint64_t most)
{
    char *rest = NULL;
    unsigned long long v = strtoull(text, &rest, 10);
    if (*text < '0' || *text > '9' || *rest || !v || v > most)
        host_fail("no number in its range:", text);
    return v;
}

cl_kernel host_kernel(const struct host *h, const char *name)
{
    char found[64];
    for (uint32_t i = 0; i < h->kernel_count; i++) {
        host_check("clGetKernelInfo", h->cl->GetKernelInfo(h->kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof found, found, NULL));
        if (!strcmp(found, name))
            return h->kernels[i];
    }
    host_fail("the program has no kernel", name);
    return NULL;
}

cl_mem host_buffer(const struct host *h, uint64_t bytes, cl_bitfield flags, void *memory)
{
    cl_int rc;
    cl_mem buffer = h->cl->CreateBuffer(h->context, flags, bytes, memory, &rc);
    host_check("clCreateBuffer", rc);
    return buffer;
}

void host_set(const struct host *h, cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    host_check("clSetKernelArg", h->cl->SetKernelArg(kernel, index, bytes, value));
}

void host_start(const struct host *h, cl_kernel kernel, cl_uint dimensions, const size_t *size, const size_t *local)
{
    host_check("clEnqueueNDRangeKernel",
               h->cl->EnqueueNDRangeKernel(h->queue, kernel, dimensions, NULL, size, local, 0, NULL, NULL));
}

void host_finish(const struct host *h)
{
    host_check("clFinish", h->cl->Finish(h->queue));
}

static void find_device(struct host *h, const char *text)
{
    char why[256];
    uint32_t platform = 0, device = 0;
    cl_platform_id platforms[16];
    cl_device_id devices[16];
    cl_uint n = 0, m = 0;
    if (text && sscanf(text, "%u:%u", &platform, &device) != 2)
        host_fail("no PLATFORM:DEVICE:", text);
    if (!(h->cl = cl_load(why, sizeof why))) {
        fprintf(stderr, "no OpenCL library (%s)\n", why);
        exit(3);
    }
    if (h->cl->GetPlatformIDs(16, platforms, &n) || platform >= (n < 16 ? n : 16) ||
        h->cl->GetDeviceIDs(platforms[platform], CL_DEVICE_TYPE_ALL, 16, devices, &m) || device >= (m < 16 ? m : 16)) {
        fprintf(stderr, "no OpenCL device %u:%u\n", platform, device);
        exit(3);
    }
    h->device = devices[device];
}

static void begin(struct host *h, const char *file)
{
    cl_int rc;
    uint64_t bytes;
    char *text = host_read(file, &bytes);
    const char *source = text;
    size_t length = bytes;
    if (bytes > MOST_SOURCE)
        host_fail("more than 1 MiB in", file);
    h->context = h->cl->CreateContext(NULL, 1, &h->device, NULL, NULL, &rc);
    host_check("clCreateContext", rc);
    h->queue = h->cl->CreateCommandQueue(h->context, h->device, 0, &rc);
    host_check("clCreateCommandQueue", rc);
    h->program = h->cl->CreateProgramWithSource(h->context, 1, &source, &length, &rc);
    host_check("clCreateProgramWithSource", rc);
    host_check("clBuildProgram", h->cl->BuildProgram(h->program, 1, &h->device, "", NULL, NULL));
    host_check("clCreateKernelsInProgram", h->cl->CreateKernelsInProgram(h->program, HOST_KERNELS, h->kernels, &h->kernel_count));
    free(text);
}

static void end(struct host *h)
{
    for (uint32_t i = 0; i < h->kernel_count; i++)
        h->cl->ReleaseKernel(h->kernels[i]);
    h->cl->ReleaseProgram(h->program);
    h->cl->ReleaseCommandQueue(h->queue);
    h->cl->ReleaseContext(h->context);
}

static int usage(void)
{
    fprintf(stderr, "usage: bench-opencl-host check [PLATFORM:DEVICE]\n");
    for (uint32_t i = 0; i < VERBS; i++)
        fprintf(stderr, "       bench-opencl-host %s KERNELS.cl %s [PLATFORM:DEVICE]\n", verbs[i].name, verbs[i].words);
    return 2;
}

int main(int argc, char **argv)
{
    struct host h = {0};
    if ((argc == 2 || argc == 3) && !strcmp(argv[1], "check")) {
        find_device(&h, argv[2]);
        return 0;
    }
    for (uint32_t i = 0; argc > 2 && i < VERBS; i++) {
        int least = 3 + (int)verbs[i].count;
        if (strcmp(argv[1], verbs[i].name) || argc < least || argc > least + 1)
            continue;
        find_device(&h, argv[least]);
        begin(&h, argv[2]);
        verbs[i].work(&h, argv + 3);
        printf("ns %llu\n", (unsigned long long)verbs[i].work(&h, argv + 3));
        end(&h);
        return 0;
    }
    return usage();
}
