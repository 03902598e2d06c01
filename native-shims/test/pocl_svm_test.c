/* Coarse-grained shared virtual memory of the first OpenCL device that is here. */
#include <errno.h>
#include <stdlib.h>

#include "pocl_harness.h"

#define NODES core_id(ISLE_KIND_MEMORY, 1, 3)

/* A list whose nodes lie in one memory and whose values in another; entries in the order of their names. */
static const char list[] = "struct node { global struct node *next; global float *value; };\n"
                           "kernel void link(global struct node *nodes, global float *values, uint n)\n"
                           "{\n"
                           "    uint i = get_global_id(0);\n"
                           "    nodes[i].next = i + 1 < n ? nodes + i + 1 : 0;\n"
                           "    nodes[i].value = values + n - 1 - i;\n"
                           "}\n"
                           "kernel void none() {}\n"
                           "kernel void walk(global struct node *first, global float *out)\n"
                           "{\n"
                           "    for (global struct node *at = first; at; at = at->next)\n"
                           "        *out++ = *at->value * 2;\n"
                           "}\n"
                           "kernel void twice(global const float *in, global float *out) { out[get_global_id(0)] = 2 * in[get_global_id(0)]; }\n"
                           "kernel void wide(global const float4 *in, global float4 *out) { out[get_global_id(0)] = in[get_global_id(0)]; }\n";
enum { LINK, NONE, TWICE, WALK, WIDE };

static const isle_arg first_two[] = {{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_BUFFER, 1, 0}};

static bool begin(const char *settings)
{
    return !pocl_begin(settings) && !ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, list, sizeof list - 1);
}

/* From A to B, 16 items, from these bytes on. */
static int run_from(uint64_t offset, uint32_t entry)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, A, offset, 256, READ_);
    command_bind(&k, B, offset, 256, WRITE_);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    ocl_dispatch(&k, 2, entry, 16, 2, first_two);
    return core_run(&ocl, CONTEXT, &k, NULL);
}

static void devices_tell_whether_they_have_it(void)
{
    static const char *const settings[] = {"memory=svm", "memory=staging", "memory=auto"};
    for (int i = 0; i < 3; i++) {
        AccelDeviceInfo info;
        CHECK_EQ(0, pocl_begin(settings[i]));
        CHECK_EQ(0, core_call(&ocl, ISLE_OP_INFO, NULL, 0));
        memcpy(&info, core_body(&ocl), sizeof info);
        CHECK_EQ(i == 0, info.unified_addressing);
        CHECK(i > 0 || !(info.memory_types & ACCEL_MEMTYPE_COHERENT));
        pocl_stop();
    }
}

/* The nodes are on the device alone, and the values are bound by the second submission without being an argument of it. */
static void kernels_follow_pointers_that_others_have_written(void)
{
    enum { COUNT = 100 };
    isle_alloc_response r;
    struct command k;
    CHECK(begin("memory=svm"));
    float *values = (void *)ocl_memory(A, 4096), *out = (void *)ocl_memory(B, 4096);
    CHECK(values && out);
    CHECK_EQ(0, core_alloc(&ocl, CONTEXT, NODES, 4096, 0, &r));
    command_begin(&k);
    command_bind(&k, NODES, 0, 4096, WRITE_);
    command_bind(&k, A, 0, 4096, READ_ | WRITE_);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    ocl_dispatch(&k, 2, LINK, COUNT, 3, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_U32, 0, COUNT}});
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < COUNT; i++)
            values[i] = (float)(i + round);
        out[COUNT] = 7;
        command_begin(&k);
        command_bind(&k, NODES, 0, 4096, READ_ | WRITE_);
        command_bind(&k, B, 0, 4096, WRITE_);
        command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
        command_bind(&k, A, 0, 4096, READ_);
        ocl_dispatch(&k, 2, NONE, 1, 0, NULL);
        ocl_dispatch(&k, 2, WALK, 1, 2, first_two);
        CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
        for (int i = 0; i < COUNT; i++)
            CHECK(out[i] == 2 * (float)(COUNT - 1 - i + round));
        CHECK(out[COUNT] == 7);
    }
    command_begin(&k); /* nothing is bound, nothing can be reached */
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    ocl_dispatch(&k, 0, NONE, 1, 0, NULL);
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
    pocl_stop();
}

/* Of a vector's element nothing is known, so it begins where buffers do; and without shared virtual memory so does everything. */
static void an_argument_begins_at_any_element(void)
{
    CHECK(begin("memory=svm"));
    float *a = (void *)ocl_memory(A, 4096), *b = (void *)ocl_memory(B, 4096);
    CHECK(a && b);
    for (int i = 0; i < 1024; i++)
        a[i] = (float)i;
    CHECK_EQ(0, run_from(4, TWICE));
    for (int i = 0; i < 1024; i++)
        CHECK(b[i] == (i >= 1 && i < 17 ? 2 * (float)i : 0));
    CHECK_EQ(-EINVAL, run_from(6, TWICE));
    CHECK_EQ(-EINVAL, run_from(4, WIDE));
    CHECK_EQ(0, run_from(1024, WIDE));
    CHECK(b[256] == 256 && b[319] == 319 && b[320] == 0);
    pocl_stop();
    CHECK(begin("memory=staging"));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(-EINVAL, run_from(4, TWICE));
    pocl_stop();
}

static void a_part_of_a_device_has_it_too(void)
{
    CHECK(begin("memory=svm\nunits=1"));
    float *a = (void *)ocl_memory(A, 4096), *b = (void *)ocl_memory(B, 4096);
    CHECK(a && b);
    a[63] = 21;
    CHECK_EQ(0, run_from(252, TWICE));
    CHECK(b[63] == 42);
    pocl_stop();
}

static const struct test tests[] = {
    TEST(devices_tell_whether_they_have_it),
    TEST(kernels_follow_pointers_that_others_have_written),
    TEST(an_argument_begins_at_any_element),
    TEST(a_part_of_a_device_has_it_too),
};

int main(int argc, char **argv)
{
    return pocl_main("pocl_svm", tests, sizeof tests / sizeof tests[0], argc, argv);
}
