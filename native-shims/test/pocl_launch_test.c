/* Kernels as people have them, launched on the first OpenCL device that is here: groups, local memory, offsets, values of all types. */
#include <errno.h>
#include <stdio.h>

#include "pocl_harness.h"

static int load(const char *source)
{
    int rc = ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, source, (uint32_t)strlen(source));
    if (rc)
        printf("%s\n", ocl_log);
    return rc;
}

/* A launch on A, which is read and written, and B, if it is there. */
static int launch(const isle_op_launch *head, uint32_t arg_count, const isle_arg *args, const void *tail, uint32_t tail_bytes)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    command_bind(&k, A, 0, 65536, READ_ | WRITE_);
    command_bind(&k, B, 0, 65536, READ_ | WRITE_);
    ocl_launch(&k, head, arg_count, args, tail, tail_bytes);
    return core_run(&ocl, CONTEXT, &k, NULL);
}

static const isle_kernel *named(const char *name)
{
    static isle_kernel k;
    for (uint32_t i = 0; !ocl_kernel(PROGRAM, i, &k); i++)
        if (!strcmp(k.name, name))
            return &k;
    return NULL;
}

static const char groups[] =
    "#define LID get_local_id(0)\n"
    "kernel void sum(global const float *in, global float *out, local float *tile)\n"
    "{\n"
    "    tile[LID] = in[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint n = get_local_size(0) / 2; n; n /= 2) {\n"
    "        if (LID < n)\n"
    "            tile[LID] += tile[LID + n];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (!LID)\n"
    "        out[get_group_id(0)] = tile[0];\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(16, 1, 1))) void fixed(global float *out) { out[get_global_id(0)] = get_local_size(0); }\n"
    "kernel void where(global uint *out) { out[get_global_id(0)] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_offset(0); }\n"
    "kernel void fix_local(global float *out) { local float t[32]; t[LID] = 1; barrier(CLK_LOCAL_MEM_FENCE); out[LID] = t[31 - LID]; }\n";

static void groups_and_local_memory(void)
{
    CHECK_EQ(0, pocl_begin(NULL));
    float *a = (void *)ocl_memory(A, 65536), *b = (void *)ocl_memory(B, 65536);
    CHECK(a && b);
    CHECK_EQ(0, load(groups));
    for (int i = 0; i < 1024; i++)
        a[i] = (float)(i % 7);
    const isle_kernel *k = named("sum");
    CHECK(k && k->arg_count == 3 && k->args[2].kind == ISLE_ARG_LOCAL && k->args[2].bytes == 4);
    CHECK(!strcmp(k->needs_group_size, "local in function sum, line 2"));
    uint32_t sum = k->entry;
    for (uint32_t local = 8; local <= 256; local *= 2) {
        memset(b, 0, 4096);
        CHECK_EQ(0, launch(&(isle_op_launch){.entry = sum, .dimensions = 1, .size = {1024, 1, 1}, .local = {local}}, 3,
                           (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_BUFFER, 2, 0}, {ISLE_ARG_LOCAL, 0, 4 * local}}, NULL, 0));
        for (uint32_t g = 0; g < 1024 / local; g++) {
            float want = 0;
            for (uint32_t i = 0; i < local; i++)
                want += a[g * local + i];
            CHECK(b[g] == want);
        }
    }
    CHECK_EQ(-EINVAL, launch(&(isle_op_launch){.entry = sum, .dimensions = 1, .size = {1000, 1, 1}, .local = {16}}, 3,
                             (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_BUFFER, 2, 0}, {ISLE_ARG_LOCAL, 0, 64}}, NULL, 0));
    CHECK_EQ(-EINVAL, launch(&(isle_op_launch){.entry = sum, .dimensions = 1, .size = {1024, 1, 1}, .local = {16}}, 3,
                             (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_BUFFER, 2, 0}, {ISLE_ARG_LOCAL, 0, 1ull << 40}}, NULL, 0));
    k = named("fixed");
    CHECK(k && k->group_size[0] == 16 && k->group_size[1] == 1 && !*k->needs_group_size);
    CHECK_EQ(0, launch(&(isle_op_launch){.entry = k->entry, .dimensions = 1, .size = {64, 1, 1}}, 1, (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}}, NULL, 0));
    CHECK(a[63] == 16 && a[64] == (float)(64 % 7));
    CHECK_EQ(-EINVAL, launch(&(isle_op_launch){.entry = k->entry, .dimensions = 1, .size = {60, 1, 1}}, 1, (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}}, NULL, 0));
    k = named("fix_local");
    CHECK(k && k->local_bytes >= 128 && *k->needs_group_size);
    pocl_stop();
}

static void offsets_and_dimensions(void)
{
    CHECK_EQ(0, pocl_begin(NULL));
    uint32_t *a = (void *)ocl_memory(A, 65536);
    CHECK(a && ocl_memory(B, 65536));
    CHECK_EQ(0, load(groups));
    const isle_kernel *k = named("where");
    CHECK(k && !*k->needs_group_size);
    CHECK_EQ(0, launch(&(isle_op_launch){.entry = k->entry, .dimensions = 2, .size = {8, 2, 1}, .offset = {5, 3, 0}, .local = {4, 1, 0}}, 1,
                       (isle_arg[]){{ISLE_ARG_BUFFER, 1, 0}}, NULL, 0));
    CHECK(!a[4] && !a[13]);
    for (uint32_t i = 5; i < 13; i++)
        CHECK(a[i] == i + 300 + 50000 || a[i] == i + 400 + 50000);
    pocl_stop();
}

static const char values[] =
    "typedef unsigned short count_t; typedef float3 point; typedef enum { RED, GREEN } color;\n"
    "typedef struct { int n; float f[3]; char c; } params;\n"
    "struct other { double d; uchar u; };\n"
    "kernel void take(global float *out, params p, struct other o, count_t n, point q, color e, float4 v, char s, uchar8 w, constant float *c)\n"
    "{\n"
    "    float r[] = {p.n, p.f[2], p.c, o.d, o.u, n, q.x, q.z, e, v.w, s, w.s7, c[0]};\n"
    "    for (int i = 0; i < 13; i++)\n"
    "        out[i] = r[i];\n"
    "}\n"
    "typedef struct { float f[300]; } large; kernel void too_large(global float *out, large l) { out[0] = l.f[0]; }\n"
    "typedef uint word; kernel void simple(global word *out, word w) { out[get_global_id(0)] = w; }\n";

static void values_of_all_types(void)
{
    static const struct {
        const char *type;
        uint32_t kind, bytes, element, lanes;
    } args[] = {
        {"float*", ISLE_ARG_BUFFER, 4, ISLE_ARG_F32, 1}, {"params", ISLE_ARG_BYTES, 20, 0, 0},
        {"struct other", ISLE_ARG_BYTES, 16, 0, 0},      {"count_t", ISLE_ARG_U32, 2, ISLE_ARG_U32, 1},
        {"point", ISLE_ARG_BYTES, 16, ISLE_ARG_F32, 3},  {"color", 0, 4, 0, 0},
        {"float4", ISLE_ARG_BYTES, 16, ISLE_ARG_F32, 4}, {"char", ISLE_ARG_I32, 1, ISLE_ARG_I32, 1},
        {"uchar8", ISLE_ARG_BYTES, 8, ISLE_ARG_U32, 8},  {"float*", ISLE_ARG_BUFFER, 4, ISLE_ARG_F32, 1},
    };
    struct {
        struct {
            int32_t n;
            float f[3];
            int8_t c;
        } p;
        int32_t e;
        struct {
            double d;
            uint8_t u;
        } o;
        float q[4], v[4];
        uint8_t w[8];
    } tail = {{-7, {0, 0, 2.5f}, 9}, 1, {0.125, 200}, {1.5f, 0, 3.5f, 0}, {0, 0, 0, 4.5f}, {0, 0, 0, 0, 0, 0, 0, 77}};
    for (int again = 0; again < 2; again++) { /* the second time from the disk */
        CHECK_EQ(0, pocl_begin(NULL));
        float *a = (void *)ocl_memory(A, 65536), *b = (void *)ocl_memory(B, 65536);
        CHECK(a && b);
        CHECK_EQ(0, load(values));
        const isle_kernel *k = named("take");
        CHECK(k && k->arg_count == 10 && !*k->unusable && !*k->needs_group_size);
        for (uint32_t i = 0; i < 10; i++) {
            const isle_kernel_arg *t = &k->args[i];
            if (strcmp(t->type, args[i].type) || t->bytes != args[i].bytes || (args[i].kind && t->kind != args[i].kind))
                printf("  argument %u: %s kind %u bytes %u\n", i, t->type, t->kind, t->bytes);
            CHECK(!strcmp(t->type, args[i].type) && t->bytes == args[i].bytes && (!args[i].kind || t->kind == args[i].kind));
            CHECK(!args[i].kind || (t->element == args[i].element && t->lanes == args[i].lanes));
        }
        CHECK(k->args[9].access == READ_ && !strcmp(k->args[1].name, "p"));
        isle_arg given[] = {{ISLE_ARG_BUFFER, 1, 0},
                            {ISLE_ARG_BYTES, 0, 20},
                            {ISLE_ARG_BYTES, (uint32_t)((uint8_t *)&tail.o - (uint8_t *)&tail), 16},
                            {ISLE_ARG_U32, 0, 65000},
                            {ISLE_ARG_BYTES, (uint32_t)((uint8_t *)&tail.q - (uint8_t *)&tail), 16},
                            {ISLE_ARG_BYTES, (uint32_t)((uint8_t *)&tail.e - (uint8_t *)&tail), 4},
                            {ISLE_ARG_BYTES, (uint32_t)((uint8_t *)&tail.v - (uint8_t *)&tail), 16},
                            {ISLE_ARG_I32, 0, (uint32_t)-3},
                            {ISLE_ARG_BYTES, (uint32_t)((uint8_t *)&tail.w - (uint8_t *)&tail), 8},
                            {ISLE_ARG_BUFFER, 2, 0}};
        const float want[] = {-7, 2.5f, 9, 0.125f, 200, 65000, 1.5f, 3.5f, 1, 4.5f, -3, 77, 6.5f};
        b[0] = 6.5f;
        isle_op_launch head = {.entry = k->entry, .dimensions = 1, .size = {1, 1, 1}};
        CHECK_EQ(0, launch(&head, 10, given, &tail, sizeof tail));
        for (int i = 0; i < 13; i++)
            CHECK(a[i] == want[i]);
        for (uint32_t i = 1; i < 9; i++) { /* another size than the kernel's is refused, and another number */
            isle_arg wrong[10];
            memcpy(wrong, given, sizeof wrong);
            wrong[i] = (isle_arg){ISLE_ARG_BYTES, 0, 12};
            CHECK_EQ(-EINVAL, launch(&head, 10, wrong, &tail, sizeof tail));
        }
        CHECK_EQ(-EINVAL, launch(&head, 9, given, &tail, sizeof tail));
        k = named("too_large");
        CHECK(k && !strcmp(k->unusable, "argument 1 (large) has 1200 bytes, all together may have 1024"));
        isle_program_entry e;
        CHECK_EQ(0, ocl_describe(PROGRAM, 0, &e)); /* a dispatch may have what hides a scalar */
        CHECK(!strcmp(e.name, "simple") && e.arg_kinds[1] == ISLE_ARG_U32);
        pocl_stop();
    }
}

/* PoCL's own header defines such names as others. */
static void kernels_and_arguments_keep_the_names_of_their_source(void)
{
    static const char source[] = "kernel void mix(global float *out, float step, float _cl_length) { out[get_global_id(0)] = step + _cl_length; }\n"
                                 "float helper(local float *t) { return t[get_local_id(0)]; }\n"
                                 "kernel void max(global float *out, local float *clamp) { out[0] = helper(clamp); }\n";
    CHECK_EQ(0, pocl_begin(NULL));
    float *a = (void *)ocl_memory(A, 65536);
    CHECK(a && ocl_memory(B, 65536));
    CHECK_EQ(0, load(source));
    const isle_kernel *k = named("max");
    CHECK(k && !strcmp(k->args[1].name, "clamp") && !strcmp(k->needs_group_size, "local in function max, line 3"));
    k = named("mix");
    CHECK(k && !*k->needs_group_size && !strcmp(k->args[1].name, "step") && !strcmp(k->args[2].name, "_cl_length"));
    const float step = 2.5f, length = 4;
    isle_arg given[] = {{ISLE_ARG_BUFFER, 1, 0}, {ISLE_ARG_F32, 0, 0}, {ISLE_ARG_F32, 0, 0}};
    memcpy(&given[1].value, &step, sizeof step);
    memcpy(&given[2].value, &length, sizeof length);
    CHECK_EQ(0, launch(&(isle_op_launch){.entry = k->entry, .dimensions = 1, .size = {8, 1, 1}}, 3, given, NULL, 0));
    CHECK(a[0] == 6.5f && a[7] == 6.5f);
    pocl_stop();
}

/* A macro behind a kernel takes the name of its type: only kernels with this type cannot be used. */
static void a_type_that_nobody_can_size_is_in_the_way_of_no_other(void)
{
    static const char source[] = "typedef struct { int n[5]; } five;\ntypedef struct { float f; } lost;\ntypedef ushort count;\n"
                                 "kernel void a(global float *out, five v) { out[0] = v.n[4]; }\n"
                                 "kernel void b(global float *out, lost v) { out[0] = v.f; }\n"
                                 "kernel void c(global float *out, count v, five w) { out[0] = v + w.n[0]; }\n"
                                 "#define lost ]\n";
    char path[256];
    const uint32_t before = pocl_kept(path, sizeof path);
    for (int again = 0; again < 2; again++) { /* the second time with answers from the disk */
        CHECK_EQ(0, pocl_begin(NULL));
        CHECK_EQ(0, load(source));
        const isle_kernel *k = named("a");
        CHECK(k && !*k->unusable && k->args[1].kind == ISLE_ARG_BYTES && k->args[1].bytes == 20);
        k = named("b");
        CHECK(k && !strcmp(k->unusable, "argument 1 (lost): the compiler does not say what type this is"));
        k = named("c");
        CHECK(k && !*k->unusable && k->args[1].kind == ISLE_ARG_U32 && k->args[1].bytes == 2 && k->args[2].bytes == 20);
        pocl_stop();
        /* the binary, two answers, and that the compiler refuses all three types, two of them, and one */
        CHECK_EQ(before + 6, pocl_kept(path, sizeof path));
    }
}

/* Behind a pointer, too; a structure has no scalars to be compared, and what nobody can size is no reason against a kernel. */
static void what_a_pointer_points_to_is_known_behind_other_names(void)
{
    static const struct {
        const char *type;
        uint32_t bytes, element, lanes;
    } args[] = {
        {"real*", 8, ISLE_ARG_F32, 2}, {"small*", 2, ISLE_ARG_I32, 1}, {"pair*", 0, 0, 0},
        {"hidden*", 0, 0, 0},          {"real*", 8, ISLE_ARG_F32, 2},  {"void*", 0, 0, 0},
    };
    static const char source[] = "typedef float2 real; typedef short small; typedef struct { int a, b; } pair; typedef uint hidden;\n"
                                 "kernel void k(global real *a, global const small *b, global pair *c, global hidden *d, local real *e, global void *f)\n"
                                 "{ a[0].x = b[0] + c->b + d[0] + e[0].y + ((global int *)f)[0]; }\n"
                                 "#define hidden ]\n";
    CHECK_EQ(0, pocl_begin(NULL));
    CHECK_EQ(0, load(source));
    const isle_kernel *k = named("k");
    CHECK(k && k->arg_count == 6 && !*k->unusable);
    for (uint32_t i = 0; k && i < 6; i++) {
        const isle_kernel_arg *a = &k->args[i];
        if (strcmp(a->type, args[i].type) || a->bytes != args[i].bytes || a->element != args[i].element || a->lanes != args[i].lanes)
            printf("  argument %u: %s bytes %u element %u lanes %u\n", i, a->type, a->bytes, a->element, a->lanes);
        CHECK(!strcmp(a->type, args[i].type) && a->bytes == args[i].bytes && a->element == args[i].element && a->lanes == args[i].lanes);
        CHECK_EQ(i == 4 ? ISLE_ARG_LOCAL : ISLE_ARG_BUFFER, a->kind);
    }
    pocl_stop();
}

static void what_cannot_be_used_says_why(void)
{
    static const struct {
        const char *source, *name, *why;
    } cases[] = {
        {"kernel void k(read_only image2d_t i) {}", "k", "argument 0 (image2d_t) is an image"},
        {"kernel void k(global int *a, sampler_t s) { a[0] = 1; }", "k", "argument 1 (sampler_t) is a sampler"},
        {"#ifdef A\n#endif\ntypedef struct { int a; } T;\nkernel void k(T t) {}\n#if 1\nkernel void l() {}\n#endif // no end of line", "l", ""},
    };
    CHECK_EQ(0, pocl_begin(NULL));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char source[512];
        snprintf(source, sizeof source, "%s\nkernel void good(global int *a) { a[0] = 1; }", cases[i].source);
        CHECK_EQ(0, load(source));
        const isle_kernel *k = named(cases[i].name);
        CHECK(k && !strcmp(k->unusable, cases[i].why));
        CHECK(!*cases[i].why || strstr(ocl_log, cases[i].why));
        k = named("good");
        CHECK(k && !*k->unusable && !*k->needs_group_size);
        uint64_t id = PROGRAM;
        CHECK_EQ(0, core_call(&ocl, ISLE_OP_UNLOAD_PROGRAM, &id, sizeof id));
    }
    CHECK_EQ(-EINVAL, ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, cases[0].source, (uint32_t)strlen(cases[0].source)));
    CHECK(strstr(ocl_log, "kernel k cannot be used: argument 0 (image2d_t) is an image"));
    pocl_stop();
}

static void many_arguments(void)
{
    char source[4096] = "kernel void many(global int *out", sum[1024] = "";
    isle_arg args[ISLE_LAUNCH_ARGS] = {{ISLE_ARG_BUFFER, 1, 0}};
    for (int i = 1; i < (int)ISLE_LAUNCH_ARGS; i++) {
        snprintf(source + strlen(source), sizeof source - strlen(source), ", int a%d", i);
        snprintf(sum + strlen(sum), sizeof sum - strlen(sum), " + a%d", i);
        args[i] = (isle_arg){ISLE_ARG_I32, 0, (uint64_t)i};
    }
    size_t n = strlen(source);
    snprintf(source + n, sizeof source - n, ") { out[0] = 0%s; }\nkernel void more(global int *out", sum);
    for (int i = 0; i < (int)ISLE_LAUNCH_ARGS; i++)
        snprintf(source + strlen(source), sizeof source - strlen(source), ", int b%d", i);
    strcat(source, ") { out[0] = b0; }");
    CHECK_EQ(0, pocl_begin(NULL));
    int32_t *a = (void *)ocl_memory(A, 65536);
    CHECK(a && ocl_memory(B, 65536));
    CHECK_EQ(0, load(source));
    const isle_kernel *k = named("many");
    CHECK(k && k->arg_count == ISLE_LAUNCH_ARGS && !strcmp(k->args[63].name, "a63"));
    CHECK_EQ(0, launch(&(isle_op_launch){.entry = k->entry, .dimensions = 1, .size = {1, 1, 1}}, ISLE_LAUNCH_ARGS, args, NULL, 0));
    CHECK_EQ(63 * 64 / 2, a[0]);
    k = named("more");
    CHECK(k && !strcmp(k->unusable, "65 arguments, a launch has at most 64"));
    pocl_stop();
}

static const struct test tests[] = {
    TEST(groups_and_local_memory),
    TEST(offsets_and_dimensions),
    TEST(values_of_all_types),
    TEST(kernels_and_arguments_keep_the_names_of_their_source),
    TEST(a_type_that_nobody_can_size_is_in_the_way_of_no_other),
    TEST(what_a_pointer_points_to_is_known_behind_other_names),
    TEST(what_cannot_be_used_says_why),
    TEST(many_arguments),
};

int main(int argc, char **argv)
{
    return pocl_main("pocl_launch", tests, sizeof tests / sizeof tests[0], argc, argv);
}
