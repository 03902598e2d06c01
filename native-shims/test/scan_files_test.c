/* What the scanner finds in programs of several files: which text an #include names, and what it brings where. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "../opencl/scan.h"
#include "../opencl/scan_include.h"
#include "harness.h"

#define MOST 4
#define K(body) "kernel void k(global int *a) { " body " }"

struct program {
    const char *found; /* NULL: nothing; of kernel k */
    const char *options;
    struct {
        const char *name, *text;
    } files[MOST];
};

static bool finds(const struct program *p, char *found, size_t size)
{
    struct scan_text texts[MOST];
    uint32_t count = 0;
    for (; count < MOST && p->files[count].name; count++)
        texts[count] = (struct scan_text){p->files[count].name, (const uint8_t *)p->files[count].text, strlen(p->files[count].text)};
    struct scan *s = scan_read(texts, count, p->options);
    *found = 0;
    bool needs = !s || scan_kernel(s, "k", found, size);
    scan_free(s);
    return needs;
}

static int wrong(const struct program *cases, size_t count)
{
    int sum = 0;
    char found[192];
    for (size_t i = 0; i < count; i++) {
        bool needs = finds(&cases[i], found, sizeof found);
        if (needs == (cases[i].found != NULL) && (!needs || strstr(found, cases[i].found)))
            continue;
        printf("  program %zu: \"%s\", not \"%s\"\n", i, found, cases[i].found ? cases[i].found : "");
        sum++;
    }
    return sum;
}
#define WRONG(cases) wrong(cases, sizeof(cases) / sizeof(cases)[0])

static void several_files_are_one_program(void)
{
    static const struct program cases[] = {
        {"get_local_id in function f, h.h line 2", "", {{"a.cl", "#include \"h.h\"\n" K("a[0] = f();")}, {"h.h", "int f(void) {\n return get_local_id(0); }"}}},
        {"get_local_id in function f, b.cl line 1", "", {{"a.cl", "int f(void);" K("a[0] = f();")}, {"b.cl", "int f(void) { return get_local_id(0); }"}}},
        {"barrier in macro M, h.h line 1", "", {{"a.cl", "#include \"h.h\"\n" K("M;")}, {"h.h", "#define M barrier(0)\n"}}},
        {NULL, "", {{"a.cl", "#include \"h.h\"\n" K("a[0] = 1;")}, {"h.h", "#define M barrier(0)\n"}}},
        {NULL, "", {{"a.cl", K("a[0] = f();")}, {"b.cl", "int f(void) { return g(); } void other() { barrier(0); }"}, {"c.cl", "int g(void) { return 1; }"}}},
        {"a trigraph in line 2, in b.cl", "", {{"a.cl", K("a[0] = 1;")}, {"b.cl", "\nint x; ?\?/"}}},
        {"an #if without #endif, in b.cl", "", {{"a.cl", K("a[0] = 1;")}, {"b.cl", "#if 1\n"}}},
    };
    CHECK_EQ(0, WRONG(cases));
}

static void includes_name_texts_as_compilers_find_them(void)
{
#define INCLUDE(from, line, name) {{from, "#include " line "\n" K("a[0] = 1;")}, {name, ""}}
    static const struct program cases[] = {
        {NULL, "", INCLUDE("a.cl", "\"h.h\"", "h.h")},
        {NULL, "", INCLUDE("a.cl", "<h.h>", "h.h")},
        {NULL, "", INCLUDE("a.cl", "<lib/sub-2/h_1.2.h>", "lib/sub-2/h_1.2.h")},
        {NULL, "", INCLUDE("a.cl", "\"./lib//h.h\"", "lib/h.h")},
        {NULL, "", INCLUDE("src/a.cl", "\"h.h\"", "src/h.h")},
        {NULL, "", INCLUDE("src/a.cl", "\"h.h\"", "h.h")},
        {NULL, "", INCLUDE("src/a.cl", "\"../lib/h.h\"", "lib/h.h")},
        {NULL, "", INCLUDE("src/deep/a.cl", "\"../../h.h\"", "h.h")},
        {NULL, "-I lib", INCLUDE("a.cl", "\"h.h\"", "lib/h.h")},
        {NULL, "-DX -Ilib/", INCLUDE("a.cl", "<h.h>", "lib/h.h")},
        {NULL, "-I \"./lib\"", INCLUDE("a.cl", "<h.h>", "lib/h.h")},
        {NULL, "-I other -I lib", INCLUDE("src/a.cl", "\"../lib/sub/../h.h\"", "lib/h.h")},
        {"#include in line 1", "", INCLUDE("a.cl", "\"h.h\"", "lib/h.h")},
        {"#include in line 1", "", INCLUDE("a.cl", "\"../h.h\"", "h.h")},
        {"#include in line 1", "", INCLUDE("src/a.cl", "<h.h>", "src/h.h")},
        {"#include in line 1", "", INCLUDE("a.cl", "\"/h.h\"", "h.h")},
        {"#include in line 1", "-I /lib", INCLUDE("a.cl", "\"h.h\"", "lib/h.h")},
        {"#include in line 1", "-I .. -D-Ilib", INCLUDE("a.cl", "\"h.h\"", "lib/h.h")},
        {"#include in line 1", "", INCLUDE("a.cl", "\"a.cl\"", "b.cl")},
        {"#include in line 1", "", INCLUDE("a.cl", "< h.h>", "h.h")},
        {"#include in line 1", "", INCLUDE("a.cl", "<h.h", "h.h")},
        {"#include in line 1", "", INCLUDE("a.cl", "NAME", "NAME")},
    };
    CHECK_EQ(0, WRONG(cases));
}

/* In the middle of a function no name leads to what comes in. */
static void what_comes_in_inside_of_a_function_is_part_of_it(void)
{
    static const struct program cases[] = {
        {"barrier in b.inc, line 2", "", {{"a.cl", K("\n#include \"b.inc\"\n")}, {"b.inc", "\nbarrier(0);"}}},
        {"get_local_id in b.inc, line 1", "", {{"a.cl", "constant int t[] = {\n#include \"b.inc\"\n};" K("a[0] = t[1];")}, {"b.inc", "1, get_local_id(0)"}}},
        {"barrier in d.inc", "", {{"a.cl", K("\n#include \"b.inc\"\n")}, {"b.inc", "#include \"c/c.inc\"\n"}, {"c/c.inc", "#include \"../d.inc\"\n"}, {"d.inc", "barrier(0);"}}},
        {"barrier in function g", "", {{"a.cl", K("\n#include \"b.inc\"\n")}, {"b.inc", "g();"}, {"c.cl", "void g(void) { barrier(0); }"}}},
        {"barrier in", "", {{"a.cl", "void f(void) {\n#if 1\n#include \"b.inc\"\n#endif\n}" K("f();")}, {"b.inc", "barrier(0);"}}},
        {NULL, "", {{"a.cl", "void other(void) {\n#include \"b.inc\"\n}" K("a[0] = 1;")}, {"b.inc", "barrier(0);"}}},
        {NULL, "", {{"a.cl", "#include \"b.inc\"\n" K("a[0] = 1;")}, {"b.inc", "void f(void) { barrier(0); }"}}},
        {NULL, "", {{"a.cl", K("\n#include \"b.inc\"\n")}, {"b.inc", "a[0] = 1;"}}},
        {"bracket", "", {{"a.cl", K("\n#include \"b.inc\"\n")}, {"b.inc", "{ a[0] = 1;"}}},
    };
    CHECK_EQ(0, WRONG(cases));
}

static void a_kernel_is_found_in_its_text(void)
{
    static const char one[] = "kernel void k() {} kernel void both();", two[] = "#define N made\nkernel void other() {} kernel void both() {} kernel void N() {}";
    const struct scan_text texts[] = {{"a", (const uint8_t *)one, sizeof one - 1}, {"b", (const uint8_t *)two, sizeof two - 1}};
    struct scan *s = scan_read(texts, 2, "");
    CHECK(s);
    CHECK_EQ(1, scan_texts_of(s, "k"));
    CHECK_EQ(2, scan_texts_of(s, "other"));
    CHECK_EQ(3, scan_texts_of(s, "both"));
    CHECK_EQ(2, scan_texts_of(s, "made"));
    CHECK_EQ(0, scan_texts_of(s, "none"));
    scan_free(s);
}

static void what_keeps_files_from_being_linked_is_named(void)
{
    static const struct {
        const char *files[3], *told;
    } cases[] = {
        {{"int f(int a);\nint k() { return f(1); }", "int f(int a) { return a; }", ""}, ""},
        {{"\nint f(int a);\nint k() { return f(1); }", "int g(void) { return 2; }", ""},
         "a.cl:2: f is declared here, and no file that is compiled defines it"},
        {{"int f(void) { return 1; }", "\nint f(void)\n{ return 2; }", ""},
         "a.cl:1: f is defined here, and comes into more than one file\nb.cl:2: f is defined here, and comes into more than one file"},
        {{"static int f(void) { return 1; }", "static int f(void) { return 2; }", ""}, ""},
        {{"#include \"h.h\"\n", "#include \"h.h\"\n", "int f(void) { return 1; }"}, "h.h:1: f is defined here, and comes into more than one file"},
        {{"#include \"h.h\"\n", "#include \"h.h\"\n", "static int f(void) { return 1; }"}, ""},
        {{"#include \"h.h\"\n", "", "int f(void) { return 1; } int f(void);"}, ""},
        {{"#if 1\nint f(void) { return 1; }\n#else\nint f(void) { return 2; }\n#endif", "", ""}, ""},
        {{"kernel __attribute__((reqd_work_group_size(1, 1, 1))) void k(global int *a) {}", "kernel void k(global int *a) {}", ""},
         "a.cl:1: k is defined here, and comes into more than one file\nb.cl:1: k is defined here"},
        {{"typedef int (*g)(int); int x = 1; struct s { int a; };", "int f(void);", "?" "?/"}, ""}, /* that cannot be followed */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static const char *const names[] = {"a.cl", "b.cl", "h.h"};
        struct scan_text texts[3];
        char out[1024], little[20];
        for (int k = 0; k < 3; k++)
            texts[k] = (struct scan_text){names[k], (const uint8_t *)cases[i].files[k], strlen(cases[i].files[k])};
        struct scan *s = scan_read(texts, 3, "");
        CHECK(s);
        scan_links(s, 2, out, sizeof out);
        if (*cases[i].told ? strncmp(out, cases[i].told, strlen(cases[i].told)) : *out)
            printf("  program %zu: %s\n", i, out);
        CHECK(*cases[i].told ? !strncmp(out, cases[i].told, strlen(cases[i].told)) : !*out);
        scan_links(s, 2, little, sizeof little);
        CHECK(!strncmp(out, little, sizeof little - 1));
        scan_free(s);
    }
}

static void more_texts_than_a_program_has_are_not_followed(void)
{
    struct scan_text texts[65];
    char found[192];
    for (int i = 0; i < 65; i++)
        texts[i] = (struct scan_text){"a", (const uint8_t *)K(""), sizeof K("") - 1};
    struct scan *s = scan_read(texts, 65, "");
    CHECK(s && scan_kernel(s, "k", found, sizeof found) && strstr(found, "more than 64 files"));
    scan_free(s);
}

static void paths_stay_below_their_root(void)
{
    static const struct {
        const char *folder, *name, *path; /* NULL: none */
    } cases[] = {
        {"", "a", "a"},           {"x/y", "a", "x/y/a"},  {"x/y", "../a", "x/a"}, {"x/y", "../../a", "a"}, {"x/y", "../../../a", NULL},
        {"", "..", NULL},         {"x", "..", NULL},      {"", "./a/./b//c", "a/b/c"}, {"", "a/../../b", NULL}, {"", "/a", NULL},
        {"x", ".../a", "x/.../a"}, {"", "", NULL},        {"ab", "../c", "c"},
    };
    char path[INCLUDE_PATH], longest[INCLUDE_PATH + 8];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool there = include_path(cases[i].folder, strlen(cases[i].folder), cases[i].name, path);
        if (there != (cases[i].path != NULL) || (there && strcmp(path, cases[i].path)))
            printf("  path %zu: %s\n", i, path);
        CHECK(there == (cases[i].path != NULL) && (!there || !strcmp(path, cases[i].path)));
    }
    for (size_t n = INCLUDE_PATH - 4; n < sizeof longest; n++) {
        memset(longest, 'x', n);
        longest[n] = 0;
        bool there = include_path("", 0, longest, path);
        CHECK(!there || !strcmp(path, longest));
        CHECK(there == (n + 2 <= INCLUDE_PATH));
    }
}

static const struct test tests[] = {
    TEST(several_files_are_one_program),
    TEST(includes_name_texts_as_compilers_find_them),
    TEST(what_comes_in_inside_of_a_function_is_part_of_it),
    TEST(a_kernel_is_found_in_its_text),
    TEST(what_keeps_files_from_being_linked_is_named),
    TEST(more_texts_than_a_program_has_are_not_followed),
    TEST(paths_stay_below_their_root),
};

int main(int argc, char **argv)
{
    return run_tests("scan_files", tests, sizeof tests / sizeof tests[0], argc, argv);
}
