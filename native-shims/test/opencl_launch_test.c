/* Kernels as the OpenCL driver describes them, launches and what it refuses, against a library that says what it was asked for. */
#include <errno.h>

#include "opencl_fake.h"

#define REQUIRED "required kernel void twice(global const uint *in, global uint *out, uint add); kernel void reduce(T *tile) { barrier(0); }"

static int load(const char *source)
{
    return ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, source, (uint32_t)strlen(source));
}

static void kernels_are_described_those_of_dispatches_first(void)
{
    isle_kernel k;
    isle_program_entry e;
    CHECK_EQ(0, fake_begin(NULL));
    CHECK_EQ(0, load("kernel void reduce(T *tile) { barrier(0); } kernel void twice(global const uint *in, global uint *out, uint add) { }"));
    CHECK_EQ(0, ocl_kernel(PROGRAM, 0, &k));
    CHECK(!strcmp(k.name, "twice") && k.entry == 0 && k.arg_count == 3 && !*k.unusable && !*k.needs_group_size);
    CHECK(k.max_group == 128 && !k.group_size[0] && !k.local_bytes);
    CHECK(!strcmp(k.args[0].name, "in") && !strcmp(k.args[0].type, "uint*") && k.args[0].kind == ISLE_ARG_BUFFER);
    CHECK(k.args[0].access == READ_ && k.args[1].access == (READ_ | WRITE_) && k.args[0].bytes == 4 && k.args[0].element == ISLE_ARG_U32);
    CHECK(k.args[2].kind == ISLE_ARG_U32 && k.args[2].bytes == 4 && k.args[2].lanes == 1);
    CHECK_EQ(0, ocl_kernel(PROGRAM, 1, &k));
    CHECK(!strcmp(k.name, "reduce") && k.entry == 1 && k.args[0].kind == ISLE_ARG_LOCAL && k.args[0].bytes == 4 && k.local_bytes == 64);
    CHECK(!strcmp(k.needs_group_size, "barrier in function reduce, line 1"));
    CHECK_EQ(-ENOENT, ocl_kernel(PROGRAM, 2, &k));
    CHECK_EQ(0, ocl_describe(PROGRAM, 0, &e));
    CHECK_EQ(-ENOENT, ocl_describe(PROGRAM, 1, &e));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void a_kernel_that_cannot_be_used_says_why_beside_others(void)
{
    isle_kernel k;
    CHECK_EQ(0, fake_begin(NULL));
    CHECK_EQ(0, load("image kernel void twice(global const uint *in, global uint *out, uint add) { }"));
    CHECK(strstr(ocl_log, "isle: kernel reduce cannot be used: argument 0 (uint*) is an image"));
    CHECK_EQ(0, ocl_kernel(PROGRAM, 1, &k));
    CHECK(!strcmp(k.unusable, "argument 0 (uint*) is an image"));
    struct command c;
    command_begin(&c);
    command_bind(&c, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    ocl_launch(&c, &(isle_op_launch){.entry = 1, .dimensions = 1, .size = {1, 1, 1}}, 1, (isle_arg[]){{ISLE_ARG_LOCAL, 0, 8}}, NULL, 0);
    CHECK_EQ(-EINVAL, core_run(&ocl, CONTEXT, &c, NULL));
    CHECK_EQ(0, ocl_end());
}

static void what_needs_a_size_is_told_where_no_source_is_looked_through(void)
{
    isle_kernel k;
    CHECK_EQ(0, fake_begin(NULL));
    CHECK_EQ(0, ocl_load(PROGRAM, ISLE_PROGRAM_SPIRV, FAKE_SOURCE, sizeof FAKE_SOURCE - 1));
    CHECK_EQ(0, ocl_kernel(PROGRAM, 0, &k));
    CHECK(strstr(k.needs_group_size, "SPIR-V"));
    CHECK_EQ(0, ocl_load(PROGRAM + 1, ISLE_PROGRAM_SPIRV, REQUIRED, sizeof REQUIRED - 1));
    CHECK_EQ(0, ocl_kernel(PROGRAM + 1, 0, &k));
    CHECK(!*k.needs_group_size && k.group_size[0] == 8 && k.group_size[1] == 1 && k.group_size[2] == 1);
    CHECK_EQ(0, ocl_load(PROGRAM + 2, ISLE_PROGRAM_OPENCL_C, "kernel void reduce(T *tile);", 28));
    CHECK_EQ(0, ocl_kernel(PROGRAM + 2, 1, &k)); /* the source does not say it, the library does */
    CHECK(!strcmp(k.needs_group_size, "argument 0 (tile) in local memory"));
    CHECK_EQ(0, ocl_end());
}

struct try {
    uint64_t size[2], offset;
    uint32_t local[2], kind, binding;
    uint64_t value;
    int outcome;
    const char *said;
};

static int attempt(const struct try *t)
{
    struct command k;
    const uint32_t tail[3] = {7, 5, 9};
    command_begin(&k);
    command_bind(&k, A, 0, 4096, READ_);
    command_bind(&k, B, 0, 4096, WRITE_);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    isle_op_launch head = {.program = 2,
                           .dimensions = t->size[1] > 1 || t->local[1] ? 2 : 1,
                           .size = {t->size[0], t->size[1] ? t->size[1] : 1, 1},
                           .offset = {t->offset},
                           .local = {t->local[0], t->local[1]}};
    ocl_launch(&k, &head, 3, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_BUFFER, 1, 0}, {t->kind, t->binding, t->value}}, tail, sizeof tail);
    return core_run(&ocl, CONTEXT, &k, NULL);
}

static void launches_are_checked_against_kernel_and_device(void)
{
    static const struct try tries[] = {
        {{64}, 0, {0}, ISLE_ARG_U32, 0, 5, 0, NULL},
        {{64}, 8, {16}, ISLE_ARG_U32, 0, 5, 0, NULL},
        {{64, 2}, 0, {16, 2}, ISLE_ARG_U32, 0, 5, 0, NULL},
        {{64}, 0, {0}, ISLE_ARG_BYTES, 4, 4, 0, NULL},
        {{64}, 0, {0}, ISLE_ARG_BYTES, 4, 8, -EINVAL, NULL},
        {{64}, 0, {0}, ISLE_ARG_BYTES, 4, 2, -EINVAL, NULL},
        {{64}, 0, {0}, ISLE_ARG_LOCAL, 0, 4, -EINVAL, NULL},
        {{64}, 0, {0}, ISLE_ARG_I32, 0, 4, -EINVAL, NULL},
        {{64}, 0, {0}, ISLE_ARG_BUFFER, 0, 0, -EINVAL, NULL},
        {{64}, 0, {24}, ISLE_ARG_U32, 0, 5, -EINVAL, "kernel twice: size 64 is no multiple of the work-group size 24 in dimension 0"},
        {{64, 3}, 0, {16, 2}, ISLE_ARG_U32, 0, 5, -EINVAL, "kernel twice: size 3 is no multiple of the work-group size 2 in dimension 1"},
        {{256}, 0, {256}, ISLE_ARG_U32, 0, 5, -EINVAL, "kernel twice: a work-group of 256 work items, at most 128"},
    };
    CHECK_EQ(0, fake_begin(NULL));
    uint32_t *a = (void *)ocl_memory(A, 4096), *b = (void *)ocl_memory(B, 4096);
    CHECK(a && b);
    CHECK_EQ(0, fake_load());
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        const struct try *t = &tries[i];
        memset(b, 0, 4096);
        int rc = attempt(t);
        if (rc != t->outcome)
            printf("  try %zu: %d, %s\n", i, rc, ocl_said());
        CHECK_EQ(t->outcome, rc);
        CHECK(!t->said || !strcmp(ocl_said(), t->said));
        if (rc)
            continue;
        CHECK(fake->offset == (int)t->offset && fake->group == (int)t->local[0] && fake->dimensions == (t->local[1] ? 2 : 1));
        CHECK(b[t->offset + 3] == 5 && !b[t->offset + 64] && (!t->offset || !b[0]));
    }
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void the_size_that_a_kernel_requires_is_kept(void)
{
    static const struct try tries[] = {
        {{64}, 0, {0}, ISLE_ARG_U32, 0, 5, 0, NULL},
        {{64}, 0, {8}, ISLE_ARG_U32, 0, 5, 0, NULL},
        {{64}, 0, {16}, ISLE_ARG_U32, 0, 5, -EINVAL, "kernel twice: its work-group size is 8 x 1 x 1, not 16 x 1 x 1"},
        {{60}, 0, {0}, ISLE_ARG_U32, 0, 5, -EINVAL, "kernel twice: size 60 is no multiple of the work-group size 8 in dimension 0"},
    };
    CHECK_EQ(0, fake_begin(NULL));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, load(REQUIRED));
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        CHECK_EQ(tries[i].outcome, attempt(&tries[i]));
        CHECK(tries[i].outcome ? !strcmp(ocl_said(), tries[i].said) : fake->group == 8);
    }
    CHECK_EQ(0, ocl_end());
}

static void local_memory_is_given_as_far_as_there_is_some(void)
{
    static const struct {
        uint64_t bytes;
        int outcome;
    } tries[] = {{1, 0}, {32768 - 64, 0}, {32768 - 63, -EINVAL}, {UINT64_MAX, -EINVAL}};
    CHECK_EQ(0, fake_begin(NULL));
    CHECK_EQ(0, fake_load());
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        struct command k;
        command_begin(&k);
        command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
        ocl_launch(&k, &(isle_op_launch){.entry = 1, .dimensions = 1, .size = {4, 1, 1}}, 1, (isle_arg[]){{ISLE_ARG_LOCAL, 0, tries[i].bytes}}, NULL, 0);
        CHECK_EQ(tries[i].outcome, core_run(&ocl, CONTEXT, &k, NULL));
        CHECK(tries[i].outcome ? strstr(ocl_said(), "bytes of local memory, at most 32768") != NULL : fake->local_bytes == (int)tries[i].bytes);
    }
    CHECK_EQ(0, ocl_end());
}

/* What a binding leaves out stays where it is; the next one without these bits copies. */
static void copies_are_left_out(void)
{
    static const struct {
        uint32_t in, out;
        uint32_t a, b; /* what the CPU writes before */
        uint32_t sees; /* in b afterwards */
    } turns[] = {
        {0, 0, 10, 1, 25},
        {ISLE_ACCESS_NO_COPY_IN, 0, 20, 1, 25},                     /* the copy of a still has 10 */
        {0, ISLE_ACCESS_NO_COPY_BACK, 30, 1, 1},                    /* 65 stays on the device */
        {0, ISLE_ACCESS_NO_COPY_IN | ISLE_ACCESS_NO_COPY_BACK, 40, 2, 2},
        {ISLE_ACCESS_NO_COPY_IN, ISLE_ACCESS_NO_COPY_IN, 0, 3, 85}, /* a: 40 */
    };
    static const char *const places[] = {"memory=staging", "memory=shared"};
    for (int way = 0; way < 2; way++) {
        CHECK_EQ(0, fake_begin(places[way]));
        uint32_t *a = (void *)ocl_memory(A, 4096), *b = (void *)ocl_memory(B, 4096);
        CHECK(a && b);
        CHECK_EQ(0, fake_load());
        for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
            struct command k;
            a[0] = turns[i].a;
            b[0] = turns[i].b;
            command_begin(&k);
            command_bind(&k, A, 0, 4096, READ_ | turns[i].in);
            command_bind(&k, B, 0, 4096, WRITE_ | turns[i].out);
            command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
            ocl_dispatch(&k, 2, 0, 1, 3, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_U32, 0, 5}});
            CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
            CHECK_EQ(way ? 2 * a[0] + 5 : turns[i].sees, b[0]);
        }
        CHECK_EQ(0, ocl_end());
    }
}

static void built_in_programs_are_launched_too(void)
{
    struct command k;
    isle_kernel told;
    CHECK_EQ(0, fake_begin(NULL));
    uint8_t *a = ocl_memory(A, 4096);
    CHECK_EQ(0, core_program(&ocl, CONTEXT, PROGRAM, "fill"));
    CHECK_EQ(0, ocl_kernel(PROGRAM, 0, &told));
    CHECK(!strcmp(told.name, "fill") && told.arg_count == 2 && !*told.needs_group_size);
    CHECK_EQ(-ENOENT, ocl_kernel(PROGRAM, 1, &told));
    for (uint32_t kind = ISLE_ARG_U32; kind <= ISLE_ARG_BYTES; kind++) {
        command_begin(&k);
        command_bind(&k, A, 0, 64, WRITE_);
        command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
        ocl_launch(&k, &(isle_op_launch){.program = 1, .dimensions = 1, .size = {1, 1, 1}}, 2, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {kind, 0, 4}}, "abcd", 4);
        CHECK_EQ(kind == ISLE_ARG_U32 ? 0 : -EINVAL, core_run(&ocl, CONTEXT, &k, NULL));
    }
    CHECK(a[0] == 4 && a[60] == 4 && !a[64]);
    CHECK_EQ(0, ocl_end());
}

static const struct test tests[] = {
    TEST(kernels_are_described_those_of_dispatches_first),
    TEST(a_kernel_that_cannot_be_used_says_why_beside_others),
    TEST(what_needs_a_size_is_told_where_no_source_is_looked_through),
    TEST(launches_are_checked_against_kernel_and_device),
    TEST(the_size_that_a_kernel_requires_is_kept),
    TEST(local_memory_is_given_as_far_as_there_is_some),
    TEST(copies_are_left_out),
    TEST(built_in_programs_are_launched_too),
};

int main(int argc, char **argv)
{
    return fake_find() ? run_tests("opencl_launch", tests, sizeof tests / sizeof tests[0], argc, argv) : 2;
}
