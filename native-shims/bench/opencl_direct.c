/*
 * bench-opencl-direct KERNEL_US N INFLIGHT [PLATFORM:DEVICE]
 *
 * OpenCL without Isle, to measure against. Prints two numbers, a line each:
 *   long NS   median wall time of one kernel that computes for about KERNEL_US, enqueue to finish, over 15 rounds
 *   small NS  wall time per small kernel, N of them, INFLIGHT at a time, each with an event callback that says it is done
 * Exit code 3 when there is no OpenCL or no such device.
 */
#define _GNU_SOURCE
#include <semaphore.h>
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

int main(int argc, char **argv)
{
    uint32_t platform = 0, index = 0;
    uint64_t us = argc > 3 ? strtoull(argv[1], NULL, 10) : 0, n = argc > 3 ? strtoull(argv[2], NULL, 10) : 0;
    uint32_t inflight = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0;
    if (argc < 4 || argc > 5 || !us || us > 1000000 || !n || !inflight || inflight > 4096 ||
        (argc == 5 && sscanf(argv[4], "%u:%u", &platform, &index) != 2)) {
        fprintf(stderr, "usage: bench-opencl-direct KERNEL_US N INFLIGHT [PLATFORM:DEVICE]\n"
                        "KERNEL_US 1 to 1000000, N from 1, INFLIGHT 1 to 4096\n");
        return 2;
    }
    char why[256];
    cl_int rc;
    const char *text = source;
    if (!(cl = cl_load(why, sizeof why))) {
        fprintf(stderr, "bench-opencl-direct: %s\n", why);
        return 3;
    }
    cl_device_id device = pick(platform, index);
    cl_context context = cl->CreateContext(NULL, 1, &device, NULL, NULL, &rc);
    check("clCreateContext", rc);
    cl_command_queue queue = cl->CreateCommandQueue(context, device, 0, &rc);
    check("clCreateCommandQueue", rc);
    cl_program program = cl->CreateProgramWithSource(context, 1, &text, NULL, &rc);
    check("clCreateProgramWithSource", rc);
    check("clBuildProgram", cl->BuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel;
    check("clCreateKernelsInProgram", cl->CreateKernelsInProgram(program, 1, &kernel, NULL));
    cl_mem out = cl->CreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &rc);
    check("clCreateBuffer", rc);
    check("clSetKernelArg", cl->SetKernelArg(kernel, 0, sizeof(cl_mem), &out));
    cl_uint rounds = calibrate(queue, kernel, us);
    uint64_t took[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        took[i] = timed(queue, kernel, rounds);
    qsort(took, ROUNDS, sizeof took[0], by_size);
    printf("long %llu\n", (unsigned long long)took[ROUNDS / 2]);
    small(queue, kernel, n / 10 + 1, inflight);
    printf("small %.1f\n", small(queue, kernel, n, inflight));
    cl->ReleaseMemObject(out);
    cl->ReleaseKernel(kernel);
    cl->ReleaseProgram(program);
    cl->ReleaseCommandQueue(queue);
    cl->ReleaseContext(context);
    return 0;
}
