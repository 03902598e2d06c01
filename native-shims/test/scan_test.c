/* What the scanner finds in sources, and that it finds nothing in those that have nothing. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../opencl/scan.h"
#include "futex.h"
#include "harness.h"

struct source {
    const char *text, *found; /* NULL: nothing; of kernel k */
    const char *options;
};

static bool finds(const struct source *c, char *found, size_t size)
{
    const struct scan_text text = {.bytes = (const uint8_t *)c->text, .length = strlen(c->text)};
    struct scan *s = scan_read(&text, 1, c->options ? c->options : "-cl-kernel-arg-info ");
    *found = 0;
    bool needs = !s || scan_kernel(s, "k", found, size);
    scan_free(s);
    return needs;
}

static int wrong(const struct source *cases, size_t count)
{
    int sum = 0;
    char found[192];
    for (size_t i = 0; i < count; i++) {
        bool needs = finds(&cases[i], found, sizeof found);
        if (needs == (cases[i].found != NULL) && (!needs || strstr(found, cases[i].found)))
            continue;
        printf("  source %zu: \"%s\", not \"%s\":\n%s\n", i, found, cases[i].found ? cases[i].found : "", cases[i].text);
        sum++;
    }
    return sum;
}
#define WRONG(cases) wrong(cases, sizeof(cases) / sizeof(cases)[0])

#define K(body) "kernel void k(global int *a) { " body " }"

static void what_depends_on_it_is_found(void)
{
    static const struct source cases[] = {
        {K("a[get_global_id(0)] = 1;"), NULL, NULL},
        {K("a[get_global_id(0)] = get_global_size(0) + get_work_dim() + get_global_offset(1);"), NULL, NULL},
        {K("a[get_local_id(0)] = 1;"), "get_local_id in function k, line 1", NULL},
        {K("\n\n a[0] = get_group_id(0);"), "get_group_id in function k, line 3", NULL},
        {K("a[0] = get_local_size(0);"), "get_local_size", NULL},
        {K("a[0] = get_num_groups(0);"), "get_num_groups", NULL},
        {K("a[0] = get_enqueued_local_size(0);"), "get_enqueued_local_size", NULL},
        {K("a[0] = get_local_linear_id();"), "get_local_linear_id", NULL},
        {K("barrier(CLK_GLOBAL_MEM_FENCE);"), "barrier", NULL},
        {K("work_group_barrier(CLK_GLOBAL_MEM_FENCE);"), "work_group_barrier", NULL},
        {K("a[0] = work_group_reduce_add(a[0]);"), "work_group_reduce_add", NULL},
        {K("a[0] = sub_group_broadcast(a[0], 0);"), "sub_group_broadcast", NULL},
        {K("a[0] = intel_sub_group_shuffle(a[0], 0);"), "intel_sub_group_shuffle", NULL},
        {K("a[0] = get_sub_group_size();"), "get_sub_group_size", NULL},
        {K("a[0] = get_num_sub_groups();"), "get_num_sub_groups", NULL},
        {K("async_work_group_copy(a, a, 1, 0);"), "async_work_group_copy", NULL},
        {K("wait_group_events(0, 0);"), "wait_group_events", NULL},
        {K("prefetch(a, 4); mem_fence(CLK_GLOBAL_MEM_FENCE);"), NULL, NULL},
        {K("local int t[4]; a[0] = t[0];"), "local in function k", NULL},
        {K("__local int t[4]; a[0] = t[0];"), "__local in function k", NULL},
        {"kernel void k(local int *a) { }", "local in function k", NULL},
        {K("asm(\"bar.sync 0;\");"), "asm", NULL},
        {K("a[0] = _Z12get_local_idj(0);"), "_Z12get_local_idj", NULL},
        {K("a[0] = __builtin_amdgcn_workitem_id_x();"), "__builtin_amdgcn_workitem_id_x", NULL},
        {K("a[0] = _local_id_x;"), "_local_id_x", NULL},
        {K("atomic_fetch_add_explicit(a, 1, memory_order_relaxed, memory_scope_work_group);"), "memory_scope_work_group", NULL},
        {K("int locale = my_get_local_id, local_ = barriers; a[0] = locale;"), NULL, NULL},
        {"kernel __attribute__((work_group_size_hint(8, 1, 1))) void k(global int *a) { a[0] = 1; }", NULL, NULL},
        {"kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(global int *a) { a[0] = 1; }", NULL, NULL},
        {"kernel void other(global int *a) { barrier(0); }\n" K("a[0] = 1;"), NULL, NULL},
        {K("a[0] = 1;") "\nkernel void other(global int *a) { local int t; barrier(0); }", NULL, NULL},
        {"", "does not define it", NULL},
        {"kernel void other() {}", "does not define it", NULL},
    };
    CHECK_EQ(0, WRONG(cases));
}

static void what_a_kernel_reaches_is_looked_through(void)
{
    static const struct source cases[] = {
        {"int f(void) { return get_local_id(0); }\n" K("a[0] = f();"), "get_local_id in function f, line 1", NULL},
        {K("a[0] = f();") "\nint f(void) {\n return get_local_id(0); }", "get_local_id in function f, line 3", NULL},
        {"int f(void);\nint g(int);\n" K("a[0] = g(1);") " int g(int x) { return f() + x; } int f(void) { barrier(0); return 1; }",
         "barrier in function f, line 3", NULL},
        {"static inline int f(int n) { return n; }\nint g(int n) { return get_local_id(n); }\n" K("a[0] = f(1);"), NULL, NULL},
        {"int g(int n) { return get_local_id(n); }\n" K("int n = 1; a[0] = n;"), NULL, NULL},
        {"int g(int n);\nint g(int n) { barrier(0); return n; }\n" K("int n = 1; a[0] = n;"), NULL, NULL},
        {"void g(local int *x, int n);\n" K("int x = 1, n = 2; a[0] = x + n;"), NULL, NULL},
        {"int f(void) { return f() + g(); } int g(void) { return f(); }\n" K("a[0] = f();"), NULL, NULL},
        {"float __attribute__((overloadable)) f(float x) { return x; }\nint __attribute__((overloadable)) f(int x) { barrier(0); return x; }\n" K(
             "a[0] = f(1.0f);"),
         "barrier in function f, line 2", NULL},
        {"typedef struct { local int *p; } S;\n" K("S s; a[0] = 1;"), "local in function S", NULL},
        {"struct S { int n; local int *p; };\n" K("struct S s; a[0] = 1;"), "local in function S", NULL},
        {"typedef local int *P;\n" K("P p; a[0] = 1;"), "local in function P", NULL},
        {"typedef struct { int n; float f[3]; } S;\nS make(int n) { S s; s.n = n; return s; }\nvoid h(void) { barrier(0); }\n" K("S s = make(1);"), NULL, NULL},
        {"constant int t[] = {1, 2, 3};\nint other(void) { return get_local_id(0); }\n" K("a[0] = t[1];"), NULL, NULL},
        {"void b(void) { barrier(0); }\nvoid f(void) __attribute__((alias(\"b\")));\n" K("f();"), "alias", NULL},
    };
    CHECK_EQ(0, WRONG(cases));
}

static void macros_are_followed(void)
{
    static const struct source cases[] = {
        {"#define ID get_local_id(0)\n" K("a[ID] = 1;"), "get_local_id in macro ID, line 1", NULL},
        {"#define ID get_local_id(0)\n" K("a[0] = 1;"), NULL, NULL},
        {"#define ID(n) F(n)\n#define F(n) \\\n get_group_id(n)\n" K("a[ID(0)] = 1;"), "get_group_id in macro F, line 3", NULL},
        {"#define SYNC \\\n\\\n  barrier(1)\n" K("SYNC;"), "barrier in macro SYNC, line 3", NULL},
        {"#define CALL(f) f(0)\n" K("a[0] = CALL(get_local_id);"), "get_local_id in function k", NULL},
        {"#if 0\n#define ID 0\n#else\n#define ID get_local_id(0)\n#endif\n" K("a[ID] = 1;"), "get_local_id in macro ID, line 4", NULL},
        {"#define ID 0\n#undef ID\n#define ID get_local_id(0)\n" K("a[ID] = 1;"), "get_local_id in macro ID", NULL},
        {"#define X(a, b) a##b\n" K("a[X(get_local, _id)(0)] = 1;"), "## in macro X, line 1", NULL},
        {"%:define X(a, b) a %:%: b\n" K("a[X(get_local, _id)(0)] = 1;"), "## in macro X", NULL},
        {"#define X(a, b) a##b\n" K("a[0] = 1;"), NULL, NULL},
        {"#define S(x) #x\n" K("a[0] = sizeof(S(x));"), NULL, NULL},
        {"#define DEF(n) int n(int a) { return get_local_id(a); }\nDEF(f)\nDEF(g)\n" K("a[0] = g(0);"), "get_local_id", NULL},
        {"#define DEF(n) int n(int a) { return get_local_id(a); }\nDEF(f);\nint h(int a) { return a; }\n" K("a[0] = h(0);"), NULL, NULL},
        {"#define HEAD void f(int a)\nHEAD { barrier(0); }\n" K("f(1);"), "barrier", NULL},
        {"#define NAME f\nvoid NAME(int a) { barrier(0); }\n" K("f(1);"), "barrier", NULL},
        {"#define KERNEL(n) kernel void n\nKERNEL(k)(global int *a) { a[0] = get_local_id(0); }", "get_local_id in function k", NULL},
        {"#define KERNEL(n) kernel void n\nKERNEL(k)(global int *a) { a[0] = 1; }", NULL, NULL},
        {"#define NAME(x) pre_##x\nvoid NAME(f)(void) { barrier(0); }\n" K("pre_f();"), "##", NULL},
        {"#define NAME(x) pre_##x\nkernel void NAME(k)(void) { }\n", "##", NULL},
        {"#define CAT(a, b) a##b\n#define VEC CAT(float, 4)\ntypedef VEC v4;\n" K("a[0] = 1;"), NULL, NULL},
        {"#define CAT(a, b) a##b\n#define VEC CAT(float, 4)\ntypedef VEC v4;\n" K("v4 x; a[0] = 1;"), "##", NULL},
        {"#define REAL float\n#define INLINE static inline __attribute__((always_inline))\n"
         "INLINE REAL f(REAL x) { return x; }\nINLINE REAL g(REAL x) { barrier(0); return x; }\n" K("REAL x = f(1); a[0] = x;"),
         NULL, NULL},
        {"#define BEGIN {\n#define END }\nkernel void k(global int *a) BEGIN a[0] = 1; END\n", "BEGIN has brackets", NULL},
        {"#define local\n" K("a[0] = 1;"), NULL, NULL},
        {"#define float4 get_local_id(0)\n" K("a[0] = float4;"), "get_local_id in macro float4", NULL},
        {"#define f() 1\nint (f)(void) { return get_local_id(0); }\n" K("a[0] = (f)();"), "get_local_id", NULL},
        {"typedef int T;\nT (f)(void) { return get_local_id(0); }\n" K("a[0] = f();"), "get_local_id in function f", NULL},
        {"#define F(a, b) \\\n int f_##a(int b)\nF(x, y) { barrier(0); return 1; }\n" K("f_x(1);"), "##", NULL},
        {"#define EACH(m) m(f) m(g)\n#define DEF(n) int n(int v) { barrier(v); return v; }\nEACH(DEF)\n" K("g(1);"), "barrier", NULL},
        {"#define ID() get_local_id (0)\n#define CALL(m) m()\n" K("a[0] = CALL(ID);"), "get_local_id in macro ID", NULL},
        {"#define X (a)\n" K("a[0] = X[0];"), NULL, NULL},
        {"#define LONG(a) a /* \n */ + get_local_id(0)\n" K("a[0] = LONG(1);"), "get_local_id in macro LONG, line 2", NULL},
        {"#pragma redefine_extname f barrier\n" K("f();"), "redefine_extname", NULL},
        {"#pragma unroll 4\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" K("a[0] = 1;"), NULL, NULL},
        {K("_Pragma(\"redefine_extname f barrier\") f();"), "redefine_extname", NULL},
        {K("_Pragma(\"unroll\") a[0] = 1;"), NULL, NULL},
    };
    CHECK_EQ(0, WRONG(cases));
}

static void build_options_define_macros(void)
{
    static const struct source cases[] = {
        {K("a[ID] = 1;"), "get_local_id in the build options", "-D ID=get_local_id(0)"},
        {K("a[ID] = 1;"), "get_local_id in the build options", "-cl-kernel-arg-info  -DID=get_local_id(0)"},
        {K("a[ID(0)] = 1;"), "get_local_id in the build options", "-D 'ID(n)=1 + get_local_id(n)' -DN=1"},
        {K("a[ID(0)] = 1;"), "get_local_id in the build options", "\"-DID(n)=(get_local_id)(n)\""},
        {K("a[0] = N;"), NULL, "-cl-fast-relaxed-math -D N=16 -DM=2 -I /tmp//x"},
        {K("a[0] = N;"), NULL, "-D N=xyz -D M=Xyz"},
        {K("a[0] = 1;"), NULL, "-D ID=get_local_id(0)"},
        {K("a[0] = X(1);"), "## in the build options", "-D 'X(a)=a##a'"},
        {K("a[0] = 1;"), "-include", "-include x.h"},
        {K("a[0] = 1;"), "C++", "-cl-std=CLC++2021"},
        {K("a[0] = 1;"), "C++", "-cl-std=clc++"},
        {K("a[0] = 1;"), NULL, "-cl-std=CL3.0"},
        {K("a[0] = 1;"), "brackets", "-D BEGIN={"},
        {"TYPE f(local TYPE *x) { barrier(0); return *x; }\nkernel void k(global TYPE *a) { a[0] = N; }", NULL, "-D TYPE=float -D N=3"},
        {"kernel void NAME(global int *a) { a[0] = 1; }", NULL, "-D NAME=k"},
        {"kernel void NAME(global int *a) { barrier(0); }", "barrier", "-D NAME=k"},
    };
    CHECK_EQ(0, WRONG(cases));
}

static void words_are_told_from_other_text(void)
{
    static const struct source cases[] = {
        {"// barrier\n/* get_local_id\n barrier */ " K("a[0] = 1;") " // get_local_id(0)", NULL, NULL},
        {K("a[0] = 1; // get_local_id(0)\n"), NULL, NULL},
        {K("/* */ barrier(0); /* */"), "barrier", NULL},
        {K("// /*\n barrier(0); // */\n"), "barrier", NULL},
        {K("// go on \\\n barrier(0);\n"), NULL, NULL},
        {K("// go on \\  \n barrier(0);\n"), NULL, NULL},
        {K("// not \\ here\n barrier(0);\n"), "barrier", NULL},
        {K("bar\\\nrier(0);"), "barrier in function k, line 1", NULL},
        {K("bar\\\r\nrier(0);"), "barrier", NULL},
        {K("bar\\ \t\nrier(0);"), "barrier", NULL},
        {K("bar/**/rier(0);"), NULL, NULL},
        {K("printf(\"barrier(0) \\\" get_local_id\");"), NULL, NULL},
        {K("printf(\"/*\"); barrier(0); printf(\"*/\");"), "barrier", NULL},
        {K("printf(\"\\\\\"); barrier(0);"), "barrier", NULL},
        {K("a[0] = '\"'; barrier(0); a[1] = '\"';"), "barrier", NULL},
        {K("a[0] = '\\''; barrier(0);"), "barrier", NULL},
        {K("a[0] = '\\\\'; barrier(0);"), "barrier", NULL},
        {K("a[0] = 0x1p+3f + 1e-4 + .5f + 1barrier;"), NULL, NULL},
        {K("a[0] = 1.e+barrier;"), NULL, NULL},
        {K("a[0] = x.barrier;"), "barrier", NULL},
        {"kernel void k(global int *a) <% a<:0:> = get_local_id(0); %>", "get_local_id in function k", NULL},
        {"kernel void k(global int *a) <% a<:0:> = 1; %>", NULL, NULL},
        {K("a[0] = 1; // what?" "?/\n barrier(0);\n"), "trigraph", NULL},
        {K("a[0] = 1; // what?" "?)\n"), "trigraph", NULL},
        {K("a[0] = b ? c ? 1 : 2 : 3; // what?? yes\n"), NULL, NULL},
        {K("a[0] = \"x;"), "without its end", NULL},
        {K("/* a[0] = 1;"), "a comment without an end", NULL},
        {"#error don't /* stop\n" K("barrier(0);") "// */\n", "message", NULL},
        {"#ifdef X\n#error don't \"stop\n#endif\n" K("a[0] = 1;"), NULL, NULL},
        {"#warning it's\n" K("barrier(0);"), "barrier", NULL},
        {"int \\u0061;\n" K("a[0] = 1;"), "backslash", NULL},
        {"\xef\xbb\xbf" K("a[0] = 1;"), NULL, NULL},
        {"#line 100 \"mine.cl\"\n" K("\nbarrier(0);"), "barrier in function k, line 101", NULL},
        {"# 7 \"mine.cl\"\n" K("barrier(0);"), "line 7", NULL},
        {"#define A 1\r\n" K("\r\n\r\nbarrier(0);"), "line 4", NULL},
        {"#define A 1\r" K("\r\rbarrier(0);"), "line 4", NULL},
    };
    CHECK_EQ(0, WRONG(cases));
}

static void conditionals_hide_nothing(void)
{
    static const struct source cases[] = {
        {K("\n#if 0\n barrier(0);\n#endif\n"), "barrier", NULL},
        {K("\n#ifdef A\n if (a) {\n#else\n {\n#endif\n barrier(0); }\n"), "barrier", NULL},
        {"#ifdef A\nkernel void k(global int *a) {\n#else\nkernel void k(global float *a) {\n#endif\n barrier(0); }", "barrier", NULL},
        {"#ifdef A\nkernel void k(global int *a)\n#else\nkernel void k(global float *a)\n#endif\n{ barrier(0); }", "barrier", NULL},
        {"kernel void k(global int *a)\n#ifdef A\n;\n#else\n{ barrier(0); }\n#endif\n", "barrier", NULL},
        {"kernel void k(global int *a)\n#ifndef A\n{ a[0] = 1; }\n#else\n{ barrier(0); }\n#endif\n", "barrier", NULL},
        {"kernel void k(\n#ifdef A\nglobal int *a) {\n#else\nglobal float *a) {\n#endif\n barrier(0); }", "barrier", NULL},
        {"kernel void k() {\n#ifdef A\n}\n#else\n barrier(0); }\n#endif\n", "barrier", NULL},
        {"kernel void k() {\n#ifdef A\n}\n#elif B\n }\n int x;\n#else\n barrier(0); }\n#endif\n", "barrier", NULL},
        {"#ifdef A\nkernel void k() {\n#else\nint y; kernel void other() {\n#endif\n barrier(0); }", "barrier", NULL},
        {"#ifdef A\nkernel void k()\n#else\nint y; kernel void other()\n#endif\n{ barrier(0); }", "barrier", NULL},
        {"#ifdef A\nint f() {\n#else\nint y; int g() {\n#endif\n barrier(0); }\n" K("f();"), "barrier", NULL},
        {"#ifdef A\nint f() {\n#else\nint y; int g() {\n#endif\n barrier(0); }\n" K("g();"), "barrier", NULL},
        {"#ifdef A\nint f() {\n#else\nint f(int x) {\n#endif\n return 1; }\nint g() { barrier(0); }\n" K("f();"), NULL, NULL},
        {"#ifdef A\nint f() {\n#else\nint f(int x) {\n#endif\n return 1; }\nint g() { barrier(0); }\n" K("g();"), "barrier", NULL},
        {"kernel void k() {\n#ifdef A\n if (a) {\n#endif\n f();\n#ifdef A\n }\n#endif\n}", "unbalanced text before the #endif in line 4", NULL},
        {"kernel void k() {\n#ifdef A\n }\n#endif\n barrier(0); {\n#ifdef A\n }\n#endif\n }", "unbalanced", NULL},
        {"kernel void k() { } }", "bracket", NULL},
        {"kernel void k() { {", "bracket", NULL},
        {"kernel void k() { } int f((int a);", "bracket", NULL},
        {"#if 1\n" K("a[0] = 1;"), "without #endif", NULL},
        {"#endif\n" K("a[0] = 1;"), "without #if", NULL},
        {"#if 1\n#else\n#else\n#endif\n" K("a[0] = 1;"), "unbalanced", NULL},
        {"#ifndef H\n#define H\nint f(void) { return 1; }\n#endif\nint g(void) { barrier(0); }\n" K("f();"), NULL, NULL},
        {"#ifdef __cplusplus\nextern \"C\" {\n#endif\n" K("a[0] = 1;") "\n#if defined(__cplusplus)\n}\n#endif\n", NULL, NULL},
        {"#ifdef __cplusplus\nextern \"C\" {\n#endif\n" K("barrier(0);") "\n#ifdef __cplusplus\n}\n#endif\n", "barrier in function k, line 4", NULL},
        {K("\n#ifdef __cplusplus\n#if 1\n{\n#else\n#endif\n#else\n barrier(0);\n#endif\n"), "barrier", NULL},
        {K("\n#ifdef __cplusplus\n barrier(0);\n#elif 1\n barrier(0);\n#endif\n"), "#elif after text in C++", NULL},
        {"#define __cplusplus 1\n" K("a[0] = 1;"), "C++", NULL},
        {K("a[0] = 1;"), "the build option -D", "-D __cplusplus=1"},
        {K("a[0] = 1;"), "__cplusplus", "-D__cplusplus"},
        {"#ifdef __cplusplus\n" K("a[0] = 1;"), "without #endif", NULL},
        {"#include \"x.h\"\n" K("a[0] = 1;"), "an #include in line 1", NULL},
        {"#include <x.h>\n" K("a[0] = 1;"), "an #include in line 1", NULL},
        {"#include X\n" K("a[0] = 1;"), "an #include in line 1", NULL},
    };
    CHECK_EQ(0, WRONG(cases));
}

/* The text of each is read to its end in a time that follows its length. */
static void large_texts_end(void)
{
    static const struct {
        const char *begin, *repeated, *end;
    } cases[] = {
        {"", "#define A(x) x\n", K("A(1);")},       {"#define X(a) a a a a a a a a a a a a a a a a\n", "X(b);\n", K("a[0] = 1;")},
        {"kernel void k() {", "{", ""},              {"", "(", K("")},
        {"", "\\\n", K("a[0] = 1;")},                {"", "#if 1\n", K("")},
        {"#define Y ", "Y Y1 X ", "\nY Y;\n" K("Y")}, {"int f() {", "f();", "}\n" K("f();")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t head = strlen(cases[i].begin), n = strlen(cases[i].repeated), size = 1 << 20, used = head;
        char found[192], *text = malloc(size + 256);
        CHECK(text);
        memcpy(text, cases[i].begin, head);
        for (; used + n < size; used += n)
            memcpy(text + used, cases[i].repeated, n);
        strcpy(text + used, cases[i].end);
        const struct scan_text t = {.bytes = (const uint8_t *)text, .length = strlen(text)};
        uint64_t before = clock_ns();
        struct scan *s = scan_read(&t, 1, "");
        CHECK(s);
        scan_kernel(s, "k", found, sizeof found);
        scan_free(s);
        free(text);
        CHECK(clock_ns() - before < 20000000000ull);
    }
}

/* Cut anywhere, and with any byte changed: what is left is read without harm. */
static void damaged_texts_do_no_harm(void)
{
    static const char good[] = "#ifdef A\n#define ID(n) get_local_id(n) \\\n + 1\n#else\n#define ID(n) n##n\n#endif\n"
                               "typedef struct { float x[3]; } S; /* a */ constant char t[] = \"a\\\"b\"; // c\n"
                               "kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(global S *s, float4 v) { s[ID(0)].x[0] = v.x; }\n";
    static const char bytes[] = "\0\n\\#(){}[];\"'/*?=%:<>\x80 aD-0.";
    char found[192];
    for (size_t i = 0; i <= sizeof good - 1; i++) {
        for (size_t b = 0; b <= sizeof bytes - 1; b++) {
            char text[sizeof good], options[2] = {bytes[b], 0};
            memcpy(text, good, sizeof good);
            if (b < sizeof bytes - 1 && i < sizeof good - 1)
                text[i] = bytes[b];
            struct scan_text t = {.bytes = (const uint8_t *)text, .length = b < sizeof bytes - 1 ? sizeof good - 1 : i};
            struct scan *s = scan_read(&t, 1, options);
            CHECK(s);
            scan_kernel(s, "k", found, sizeof found);
            CHECK(strnlen(found, sizeof found) < sizeof found);
            scan_free(s);
        }
    }
}

static const struct test tests[] = {
    TEST(what_depends_on_it_is_found),
    TEST(what_a_kernel_reaches_is_looked_through),
    TEST(macros_are_followed),
    TEST(build_options_define_macros),
    TEST(words_are_told_from_other_text),
    TEST(conditionals_hide_nothing),
    TEST(large_texts_end),
    TEST(damaged_texts_do_no_harm),
};

int main(int argc, char **argv)
{
    return run_tests("scan", tests, sizeof tests / sizeof tests[0], argc, argv);
}
