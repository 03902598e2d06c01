/*
 * bench-opencl-direct calibrate KERNEL_US [PLATFORM:DEVICE]
 * bench-opencl-direct ROUNDS N INFLIGHT [PLATFORM:DEVICE]
 *
 * OpenCL without Isle, to measure against. The first prints
 *   rounds R  how many rounds of the kernel take about KERNEL_US
 * the second two numbers, a line each:
 *   long NS   median wall time of one kernel of ROUNDS rounds, enqueue to finish, over 15 of them
 *   small NS  wall time per kernel of one round, N of them, INFLIGHT at a time, each with an event callback that says it is done
 * Exit code 3 when there is no OpenCL or no such device.
 */
#define _GNU_SOURCE
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../opencl/cl.h"
#include "futex.h"

#define ROUNDS 15

static const char source[] = "kernel void spin(global uint *out, uint rounds)\n"
                             "{\n"
                             "    uint x = out[0] + 1;\n"
                             "    for (uint i = 0; i < rounds; i++)\n"
                             "        x = x * 1664525u + 1013904223u;\n"
                             "    out[get_global_id(0)] = x;\n"
                             "}\n";

static const struct cl_api *cl;
static sem_t room;

static void check(const char *what, cl_int rc)
{
    if (rc == CL_SUCCESS)
        return;
    fprintf(stderr, "bench-opencl-direct: %s failed with %d\n", what, rc);
    exit(1);
}

static cl_device_id pick(uint32_t platform_index, uint32_t device_index)
{
    cl_platform_id platforms[16];
    cl_device_id devices[16];
    cl_uint n = 0, m = 0;
    if (cl->GetPlatformIDs(16, platforms, &n) || platform_index >= (n < 16 ? n : 16) ||
        cl->GetDeviceIDs(platforms[platform_index], CL_DEVICE_TYPE_ALL, 16, devices, &m) || device_index >= (m < 16 ? m : 16)) {
        fprintf(stderr, "bench-opencl-direct: no OpenCL device %u:%u\n", platform_index, device_index);
        exit(3);
    }
    return devices[device_index];
}

static void run(cl_command_queue queue, cl_kernel kernel, cl_uint rounds, cl_event *event)
{
    size_t one = 1;
    check("clSetKernelArg", cl->SetKernelArg(kernel, 1, sizeof rounds, &rounds));
    check("clEnqueueNDRangeKernel", cl->EnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, event));
}

static uint64_t timed(cl_command_queue queue, cl_kernel kernel, cl_uint rounds)
{
    uint64_t start = clock_ns();
    run(queue, kernel, rounds, NULL);
    check("clFinish", cl->Finish(queue));
    return clock_ns() - start;
}

/* The quickest of several: on a crowded machine one alone says little. */
static uint64_t quickest(cl_command_queue queue, cl_kernel kernel, cl_uint rounds)
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < 7; i++) {
        uint64_t took = timed(queue, kernel, rounds);
        best = took < best ? took : best;
    }
    return best;
}

/* How many rounds take `us`: twice as many until it can be told, then by proportion. */
static cl_uint calibrate(cl_command_queue queue, cl_kernel kernel, uint64_t us)
{
    cl_uint rounds = 1000;
    uint64_t took;
    while ((took = quickest(queue, kernel, rounds)) < 2000000 && rounds < 1u << 30)
        rounds *= 2;
    double want = (double)rounds * (double)us * 1000 / (double)took;
    return want < 1 ? 1 : want > 4e9 ? 4000000000u : (cl_uint)want;
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void done(cl_event event, cl_int status, void *user)
{
    (void)user;
    check("a kernel", status);
    cl->ReleaseEvent(event);
    sem_post(&room);
}

static double small(cl_command_queue queue, cl_kernel kernel, uint64_t n, uint32_t inflight)
{
    sem_init(&room, 0, inflight);
    uint64_t start = clock_ns();
    for (uint64_t i = 0; i < n; i++) {
        cl_event event;
        while (sem_wait(&room))
            ;
        run(queue, kernel, 1, &event);
        check("clSetEventCallback", cl->SetEventCallback(event, CL_COMPLETE, done, NULL));
        check("clFlush", cl->Flush(queue));
    }
    for (uint32_t i = 0; i < inflight; i++)
        while (sem_wait(&room))
            ;
    return (double)(clock_ns() - start) / (double)n;
}

/* What all modes use. */
struct bench {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem out;
};

static void begin(struct bench *b, cl_device_id device)
{
    cl_int rc;
    const char *text = source;
    b->context = cl->CreateContext(NULL, 1, &device, NULL, NULL, &rc);
    check("clCreateContext", rc);
    b->queue = cl->CreateCommandQueue(b->context, device, 0, &rc);
    check("clCreateCommandQueue", rc);
    b->program = cl->CreateProgramWithSource(b->context, 1, &text, NULL, &rc);
    check("clCreateProgramWithSource", rc);
    check("clBuildProgram", cl->BuildProgram(b->program, 1, &device, "", NULL, NULL));
    check("clCreateKernelsInProgram", cl->CreateKernelsInProgram(b->program, 1, &b->kernel, NULL));
    b->out = cl->CreateBuffer(b->context, CL_MEM_READ_WRITE, 4096, NULL, &rc);
    check("clCreateBuffer", rc);
    check("clSetKernelArg", cl->SetKernelArg(b->kernel, 0, sizeof(cl_mem), &b->out));
}

static void end(struct bench *b)
{
    cl->ReleaseMemObject(b->out);
    cl->ReleaseKernel(b->kernel);
    cl->ReleaseProgram(b->program);
    cl->ReleaseCommandQueue(b->queue);
    cl->ReleaseContext(b->context);
}

static void measure(struct bench *b, cl_uint rounds, uint64_t n, uint32_t inflight)
{
    uint64_t took[ROUNDS];
    timed(b->queue, b->kernel, rounds); /* the library prepares a kernel for its size when it first runs */
    for (int i = 0; i < ROUNDS; i++)
        took[i] = timed(b->queue, b->kernel, rounds);
    qsort(took, ROUNDS, sizeof took[0], by_size);
    printf("long %llu\n", (unsigned long long)took[ROUNDS / 2]);
    small(b->queue, b->kernel, n / 10 + 1, inflight);
    printf("small %.1f\n", small(b->queue, b->kernel, n, inflight));
}

/* A whole number of the range; 0 when the text is none. */
static uint64_t number(const char *text, uint64_t most)
{
    char *rest = NULL;
    unsigned long long v = strtoull(text, &rest, 10);
    return *text >= '0' && *text <= '9' && !*rest && v <= most ? v : 0;
}

int main(int argc, char **argv)
{
    bool calibrates = argc > 1 && !strcmp(argv[1], "calibrate");
    int needed = calibrates ? 3 : 4;
    uint32_t platform = 0, index = 0;
    uint64_t us = calibrates && argc >= needed ? number(argv[2], 1000000) : 0;
    uint64_t rounds = !calibrates && argc >= needed ? number(argv[1], UINT32_MAX) : 0;
    uint64_t n = rounds ? number(argv[2], UINT32_MAX) : 0, inflight = rounds ? number(argv[3], 4096) : 0;
    if (argc < needed || argc > needed + 1 || !(calibrates ? us : rounds && n && inflight) ||
        (argc > needed && sscanf(argv[needed], "%u:%u", &platform, &index) != 2)) {
        fprintf(stderr, "usage: bench-opencl-direct calibrate KERNEL_US [PLATFORM:DEVICE]\n"
                        "       bench-opencl-direct ROUNDS N INFLIGHT [PLATFORM:DEVICE]\n"
                        "KERNEL_US 1 to 1000000, ROUNDS and N 1 to 4294967295, INFLIGHT 1 to 4096\n");
        return 2;
    }
    char why[256];
    if (!(cl = cl_load(why, sizeof why))) {
        fprintf(stderr, "bench-opencl-direct: %s\n", why);
        return 3;
    }
    struct bench b;
    begin(&b, pick(platform, index));
    if (calibrates)
        printf("rounds %u\n", calibrate(b.queue, b.kernel, us));
    else
        measure(&b, (cl_uint)rounds, n, (uint32_t)inflight);
    end(&b);
    return 0;
}
