/* Programs of several files of the OpenCL driver, against a library that says what it was asked for. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "opencl_fake.h"
#include "source_files.h"

#define TWICE "kernel void twice(global const uint *in, global uint *out, uint add) {}"

static int load(uint64_t id, const char *options, const struct text_file *files, uint32_t compiled, uint32_t count)
{
    return files_load(&ocl, CONTEXT, id, options, files, compiled, count);
}

static int unload(uint64_t id)
{
    return core_call(&ocl, ISLE_OP_UNLOAD_PROGRAM, &id, sizeof id);
}

static void each_file_is_compiled_with_all_at_hand(void)
{
    static const struct text_file files[] = {{"a.cl", TWICE}, {"sub/b.cl", "int b;"}, {"lib/c.h", "int c;"}, {"empty.h", ""}};
    isle_kernel k;
    CHECK_EQ(0, fake_begin("build_options=-DOURS"));
    int before = fake->compiled, linked = fake->linked;
    CHECK_EQ(0, load(PROGRAM, "-DTHEIRS -cl-fast-relaxed-math", files, 2, 4));
    CHECK_EQ(before + 2, fake->compiled);
    CHECK_EQ(linked + 1, fake->linked);
    CHECK(!strcmp(fake->includes, " a.cl sub/b.cl lib/c.h empty.h"));
    CHECK(!strcmp(fake->options, "-cl-kernel-arg-info -DOURS -DTHEIRS -cl-fast-relaxed-math"));
    CHECK(!strcmp(fake->link_options, "-cl-kernel-arg-info")); /* it does not take the other one */
    CHECK_EQ(0, ocl_kernel(PROGRAM, 0, &k));
    CHECK(!strcmp(k.name, "twice") && !*k.needs_group_size);
    CHECK_EQ(0, unload(PROGRAM));
    CHECK_EQ(0, load(PROGRAM, "", files, 1, 1));
    CHECK(!strcmp(fake->includes, " a.cl"));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void folders_of_options_lead_to_their_files(void)
{
    static const struct text_file files[] = {{"src/a.cl", TWICE}, {"lib/c.h", "int c;"}, {"lib/x/d.h", "int d;"}, {"lib/a.cl", "int e;"}};
    CHECK_EQ(0, fake_begin(NULL));
    CHECK_EQ(0, load(PROGRAM, "-I ./lib/ -I/usr/include -I .. -Isrc -I lib/x", files, 1, 4));
    CHECK(!strcmp(fake->includes, " src/a.cl lib/c.h lib/x/d.h lib/a.cl c.h x/d.h a.cl d.h"));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void a_failure_says_in_which_file(void)
{
    static const struct text_file in_header[] = {{"a.cl", TWICE}, {"b.cl", "int x; bad"}, {"c.cl", "bad"}};
    CHECK_EQ(0, fake_begin(NULL));
    int before = fake->compiled;
    CHECK_EQ(-EINVAL, load(PROGRAM, "", in_header, 3, 3));
    CHECK(strstr(files_log(&ocl), "error: b.cl:1:8: bad is not a statement"));
    CHECK(strstr(files_log(&ocl), "isle: file b.cl cannot be compiled, OpenCL error -15"));
    CHECK_EQ(before + 2, fake->compiled);
    fake->link_code = -17;
    CHECK_EQ(-EINVAL, load(PROGRAM, "", in_header, 1, 1));
    CHECK(strstr(files_log(&ocl), "isle: the files cannot be linked, OpenCL error -17"));
    fake->link_code = -6;
    CHECK_EQ(-ENOMEM, load(PROGRAM, "", in_header, 1, 1));
    fake->link_code = -67; /* whatever its options */
    CHECK_EQ(-EINVAL, load(PROGRAM, "", in_header, 1, 1));
    fake->link_code = 0;
    fake->create_program = -6;
    CHECK_EQ(-ENOMEM, load(PROGRAM, "", in_header, 1, 1));
    CHECK(strstr(files_log(&ocl), "does not take the files, OpenCL error -6"));
    fake->create_program = 0;
    CHECK_EQ(0, load(PROGRAM, "", in_header, 1, 1));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void the_group_size_is_looked_for_in_all_files(void)
{
    static const struct {
        const char *options, *kernel, *helper, *header, *found;
        uint32_t compiled;
    } cases[] = {
        {"", TWICE, "void help(void) {}", "", "", 2},
        {"", "kernel void twice(T a) { help(); }", "void help(void) { barrier(0); }", "", "barrier in function help, lib/b.cl line 1", 2},
        {"", "#include \"lib/c.h\"\nkernel void twice(T a) { M; }", "", "\n#define M get_local_id(0)", "get_local_id in macro M, lib/c.h line 2", 2},
        {"", "#include <lib/c.h>\nkernel void twice(T a) { M; }", "", "\n#define M get_local_id(0)", "get_local_id in macro M, lib/c.h line 2", 2},
        {"-DM=barrier(0)", "kernel void twice(T a) { M; }", "", "", "barrier in the build options", 2},
        {"", "#include \"missing.h\"\n" TWICE, "", "", "an #include in line 1, which is not looked into, in a.cl", 2},
        {"", "#include \"c.h\"\n" TWICE, "", "", "an #include in line 1, which is not looked into, in a.cl", 2},
        {"-Ilib", "kernel void twice(T a) {\n#include \"b.cl\"\n}", "barrier(0);", "", "barrier in lib/b.cl, line 1", 1},
        {"-Ilib", "kernel void twice(T a) {\n#include \"b.cl\"\n}", "#include \"c.h\"\n", "barrier(0);", "barrier in lib/c.h", 1},
        {"-Ilib", "#include \"b.cl\"\n" TWICE, "void help(void) { barrier(0); }", "", "", 1},
    };
    CHECK_EQ(0, fake_begin(NULL));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct text_file files[] = {{"a.cl", cases[i].kernel}, {"lib/b.cl", cases[i].helper}, {"lib/c.h", cases[i].header}};
        isle_kernel k;
        int rc = load(PROGRAM, cases[i].options, files, cases[i].compiled, 3);
        if (rc)
            printf("  %zu: %s\n", i, files_log(&ocl));
        CHECK_EQ(0, rc);
        CHECK_EQ(0, ocl_kernel(PROGRAM, 0, &k));
        bool right = *cases[i].found ? strstr(k.needs_group_size, cases[i].found) != NULL : !*k.needs_group_size;
        if (!right)
            printf("  %zu: %s\n", i, k.needs_group_size);
        CHECK(right);
        CHECK_EQ(0, unload(PROGRAM));
    }
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

static void every_name_and_text_is_in_the_key_of_what_is_kept(void)
{
    static char folder[] = "/tmp/isle-opencl-files-XXXXXX";
    static const struct text_file all[][3] = {
        {{"a.cl", TWICE}, {"b.cl", "int b;"}, {"c.h", "int c;"}}, {{"a.cl", TWICE}, {"b.cl", "int B;"}, {"c.h", "int c;"}},
        {{"a.cl", TWICE}, {"b.cl", "int b;"}, {"c.h", "int C;"}}, {{"a.cl", TWICE}, {"b.cl", "int b;"}, {"d.h", "int c;"}},
        {{"b.cl", "int b;"}, {"a.cl", TWICE}, {"c.h", "int c;"}}, {{"a.cl", TWICE "int"}, {"b.cl", " b;"}, {"c.h", "int c;"}},
    };
    const int count = sizeof all / sizeof all[0];
    char settings[128], command[128];
    CHECK(mkdtemp(folder));
    snprintf(settings, sizeof settings, "cache_dir=%s", folder);
    for (int round = 0; round < 2; round++) {
        CHECK_EQ(0, fake_begin(settings));
        int before = fake->linked;
        for (int i = 0; i < count; i++) {
            CHECK_EQ(0, load(PROGRAM, "", all[i], 2, 3));
            CHECK_EQ(before + (round ? 0 : i + 1), fake->linked);
            CHECK_EQ(0, unload(PROGRAM));
        }
        if (round) { /* options, and which of them are compiled */
            CHECK_EQ(0, load(PROGRAM, "-DX", all[0], 2, 3));
            CHECK_EQ(0, unload(PROGRAM));
            CHECK_EQ(0, load(PROGRAM, "", all[0], 3, 3));
            CHECK_EQ(before + 2, fake->linked);
        }
        CHECK_EQ(0, ocl_end());
    }
    CHECK_EQ(0, fake->live);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK_EQ(0, system(command));
}

static void a_device_without_a_linker_takes_no_files(void)
{
    static const struct text_file file = {"a.cl", TWICE};
    fake->no_linker = 1;
    CHECK_EQ(0, fake_begin(NULL));
    CHECK_EQ(IO_NOT_SUPPORTED, load(PROGRAM, "", &file, 1, 1));
    CHECK_EQ(0, fake_load());
    CHECK_EQ(0, ocl_end());
    fake->no_linker = 0;
}

static const struct test tests[] = {
    TEST(each_file_is_compiled_with_all_at_hand),
    TEST(folders_of_options_lead_to_their_files),
    TEST(a_failure_says_in_which_file),
    TEST(the_group_size_is_looked_for_in_all_files),
    TEST(every_name_and_text_is_in_the_key_of_what_is_kept),
    TEST(a_device_without_a_linker_takes_no_files),
};

int main(int argc, char **argv)
{
    return fake_find() ? run_tests("opencl_files", tests, sizeof tests / sizeof tests[0], argc, argv) : 2;
}
