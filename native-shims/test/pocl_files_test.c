/* Programs of several files on the first OpenCL device that is here: headers, folders, what the compiler and the linker say, types of one name. */
#include <errno.h>
#include <stdio.h>

#include "pocl_harness.h"
#include "source_files.h"

static int load(const char *options, const struct text_file *files, uint32_t compiled, uint32_t count)
{
    return files_load(&ocl, CONTEXT, PROGRAM, options, files, compiled, count);
}

static const isle_kernel *named(const char *name)
{
    static isle_kernel k;
    for (uint32_t i = 0; !ocl_kernel(PROGRAM, i, &k); i++)
        if (!strcmp(k.name, name))
            return &k;
    return NULL;
}

static int launch(uint32_t entry, uint32_t items, uint32_t arg_count, const isle_arg *args, const void *tail, uint32_t tail_bytes)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    command_bind(&k, A, 0, 65536, READ_ | WRITE_);
    ocl_launch(&k, &(isle_op_launch){.entry = entry, .dimensions = 1, .size = {items, 1, 1}}, arg_count, args, tail, tail_bytes);
    return core_run(&ocl, CONTEXT, &k, NULL);
}

static int unload(void)
{
    uint64_t id = PROGRAM;
    return core_call(&ocl, ISLE_OP_UNLOAD_PROGRAM, &id, sizeof id);
}

/* As in a folder of a project: files beside their headers, headers that include others from where they stand, a folder by -I. */
static const struct text_file project[] = {
    {"src/main.cl", "#include \"own.h\"\n#include \"../common.h\"\n#include <above.h>\n"
                    "kernel void apply(global float *a, float by) { size_t i = get_global_id(0); a[i] = scale(a[i], by) + OWN + COMMON + SHARED + N; }\n"},
    {"src/helper.cl", "#include \"own.h\"\nfloat scale(float x, float by) { return x * by * OWN; }\n"
                      "kernel void ids(global uint *a) { a[get_global_id(0)] = get_global_id(0); }\n"},
    {"src/own.h", "#ifndef OWN\n#define OWN 2\nfloat scale(float x, float by);\n#endif\n"},
    {"common.h", "#pragma once\n#include \"lib/deep/more.h\"\n"},
    {"lib/deep/more.h", "\xef\xbb\xbf#include \"../above.h\"\n#define COMMON 10\n"},
    {"lib/above.h", "#pragma once\n#define SHARED 100\n"},
    {"empty.h", ""},
};

static void a_project_runs(void)
{
    for (int again = 0; again < 2; again++) { /* the second time from the disk */
        CHECK_EQ(0, pocl_begin(NULL));
        float *a = (void *)ocl_memory(A, 65536);
        CHECK(a);
        int rc = load("-D N=1000 -I lib -cl-mad-enable", project, 2, 7);
        if (rc)
            printf("%s\n", files_log(&ocl));
        CHECK_EQ(0, rc);
        const isle_kernel *k = named("apply");
        CHECK(k && k->arg_count == 2 && k->args[1].kind == ISLE_ARG_F32 && !strcmp(k->args[1].name, "by") && !*k->needs_group_size);
        a[0] = 3, a[7] = 5;
        CHECK_EQ(0, launch(k->entry, 8, 2, (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_F32, 0, 0x3f000000 /* 0.5 */}}, NULL, 0));
        CHECK(a[0] == 3 + 2 + 10 + 100 + 1000 && a[7] == 5 + 1112);
        k = named("ids");
        CHECK(k && !launch(k->entry, 8, 1, (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}}, NULL, 0) && ((uint32_t *)(void *)a)[7] == 7);
        CHECK_EQ(0, unload());
        CHECK_EQ(0, load("-D N=2000 -I lib", project, 2, 7)); /* other options make another program */
        k = named("apply");
        a[0] = 3;
        CHECK_EQ(0, launch(k->entry, 1, 2, (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_F32, 0, 0x3f000000}}, NULL, 0));
        CHECK(a[0] == 3 + 2112);
        pocl_stop();
    }
}

static void the_same_text_alone_and_in_files(void)
{
    static const char text[] = "kernel void one(global float *a) { a[get_global_id(0)] = sqrt(16.0f); }\n";
    const struct text_file file = {"one.cl", text};
    CHECK_EQ(0, pocl_begin(NULL));
    float *a = (void *)ocl_memory(A, 65536);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(0, i % 2 ? load("", &file, 1, 1) : ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, text, sizeof text - 1));
        const isle_kernel *k = named("one");
        a[0] = 0;
        CHECK(k && !launch(k->entry, 1, 1, (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}}, NULL, 0) && a[0] == 4);
        CHECK_EQ(0, unload());
    }
    pocl_stop();
}

static void errors_name_file_and_line(void)
{
    static const struct text_file in_file[] = {{"good.cl", "kernel void k(global int *a) {}"}, {"sub/bad.cl", "int x;\n\nvoid f(void) { y = 1; }\n"}};
    static const struct text_file in_header[] = {{"a.cl", "#include \"lib/h.h\"\nkernel void k(global int *a) {}"}, {"lib/h.h", "\n\n#define A\nint f(void) { return z; }"}};
    static const struct text_file missing[] = {{"a.cl", "\n#include \"no.h\"\nkernel void k(global int *a) {}"}};
    static const struct text_file twice[] = {{"a.cl", "int f(void) { return 1; } kernel void k(global int *a) { a[0] = f(); }"}, {"b.cl", "int f(void) { return 2; }"}};
    static const struct text_file nowhere[] = {{"a.cl", "int f(void); kernel void k(global int *a) { a[0] = f(); }"}};
    static const struct text_file none[] = {{"a.cl", ""}, {"b.cl", "int f(void) { return 2; }"}};
    static const struct {
        const struct text_file *files;
        uint32_t compiled, count;
        const char *told, *also;
    } cases[] = {
        {in_file, 2, 2, "sub/bad.cl:3:16: ", "file sub/bad.cl cannot be compiled"},
        {in_header, 1, 2, "lib/h.h:4:22: ", "file a.cl cannot be compiled"},
        {missing, 1, 1, "a.cl:2:10: ", "no.h"},
        {twice, 2, 2, "cannot be linked", "b.cl:1: f is defined here, and comes into more than one file"},
        {nowhere, 1, 1, "cannot be linked", "a.cl:1: f is declared here, and no file that is compiled defines it"},
        {none, 2, 2, "the program has no kernel", ""},
    };
    CHECK_EQ(0, pocl_begin(NULL));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_EQ(-EINVAL, load("", cases[i].files, cases[i].compiled, cases[i].count));
        bool right = strstr(files_log(&ocl), cases[i].told) && strstr(files_log(&ocl), cases[i].also);
        if (!right)
            printf("  %zu: %s\n", i, files_log(&ocl));
        CHECK(right);
    }
    pocl_stop();
}

/* Each file asks about its own types, also where another one means something else by the name. */
static void types_of_one_name_are_those_of_the_file(void)
{
    static const struct text_file files[] = {
        {"a.cl", "typedef struct { int a, b; } pair; typedef uchar small; kernel void first(global int *out, pair p, small s) { out[0] = p.b + s; }"},
        {"b.cl", "#include \"pair.h\"\nkernel void second(global float *out, pair p) { out[1] = p.c; }"},
        {"pair.h", "typedef struct { double a; float c; } pair;"},
    };
    const struct {
        int32_t a, b;
    } first = {1, 40};
    const struct {
        double a;
        float c;
    } second = {0, 2.5f};
    for (int again = 0; again < 2; again++) {
        CHECK_EQ(0, pocl_begin(NULL));
        uint8_t *a = ocl_memory(A, 65536);
        float out;
        CHECK_EQ(0, load("", files, 2, 3));
        const isle_kernel *k = named("first");
        CHECK(k && !*k->unusable && k->args[1].bytes == 8 && k->args[2].kind == ISLE_ARG_U32 && k->args[2].bytes == 1);
        CHECK_EQ(0, launch(k->entry, 1, 3, (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_BYTES, 0, 8}, {ISLE_ARG_U32, 0, 2}}, &first, 8));
        CHECK_EQ(42, *(int32_t *)(void *)a);
        k = named("second");
        CHECK(k && !*k->unusable && k->args[1].bytes == 16);
        CHECK_EQ(0, launch(k->entry, 1, 2, (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_BYTES, 0, 16}}, &second, 16));
        memcpy(&out, a + 4, sizeof out);
        CHECK(out == 2.5f);
        pocl_stop();
    }
}

static void local_memory_in_another_file(void)
{
    static const struct text_file files[] = {
        {"k.cl", "#include \"r.h\"\nkernel void k(global float *a, local float *t) { a[get_group_id(0)] = total(a, t); }"},
        {"r.cl", "#include \"r.h\"\nfloat total(global float *a, local float *t)\n{\n    size_t l = get_local_id(0);\n    t[l] = a[get_global_id(0)];\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n    float sum = 0;\n    for (size_t i = 0; i < get_local_size(0); i++)\n        sum += t[i];\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n    return sum;\n}\n"},
        {"r.h", "float total(global float *a, local float *t);\n"},
    };
    struct command c;
    CHECK_EQ(0, pocl_begin(NULL));
    float *a = (void *)ocl_memory(A, 65536);
    CHECK_EQ(0, load("", files, 2, 3));
    const isle_kernel *k = named("k");
    CHECK(k && k->args[1].kind == ISLE_ARG_LOCAL && *k->needs_group_size);
    for (int i = 0; i < 16; i++)
        a[i] = (float)i;
    command_begin(&c);
    command_bind(&c, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    command_bind(&c, A, 0, 65536, READ_ | WRITE_);
    ocl_launch(&c, &(isle_op_launch){.entry = k->entry, .dimensions = 1, .size = {16, 1, 1}, .local = {16}}, 2,
               (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_LOCAL, 0, 64}}, NULL, 0);
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &c, NULL));
    CHECK(a[0] == 120);
    pocl_stop();
}

static const struct test tests[] = {
    TEST(a_project_runs),
    TEST(the_same_text_alone_and_in_files),
    TEST(errors_name_file_and_line),
    TEST(types_of_one_name_are_those_of_the_file),
    TEST(local_memory_in_another_file),
};

int main(int argc, char **argv)
{
    return pocl_main("pocl_files", tests, sizeof tests / sizeof tests[0], argc, argv);
}
