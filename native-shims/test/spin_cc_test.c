/* What spin-cc takes and refuses. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spin_harness.h"

#define HEAD "#include <handler.h>\n"

static char folder[64], output[8192];

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

/* Runs it in the folder; its exit code, and what it says. */
static int run(const char *arguments)
{
    char command[5000];
    snprintf(command, sizeof command, "cd %s && '%s/../../spin/spin-cc' %s 2>&1", folder, test_folder(), arguments);
    FILE *f = popen(command, "r");
    output[f ? fread(output, 1, sizeof output - 1, f) : 0] = 0;
    int status = f ? pclose(f) : -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool exists(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return !access(path, R_OK);
}

static void options(void)
{
    CHECK_EQ(2, run(""));
    CHECK(strstr(output, "usage"));
    CHECK_EQ(2, run("-o x.spin"));
    CHECK_EQ(2, run("-o x.spin -Wl,evil a.c"));
    CHECK(strstr(output, "-Wl,evil is not an option"));
    CHECK_EQ(2, run("'-DA=1\n2' -o x.spin a.c"));
    CHECK(strstr(output, "line break"));
    CHECK_EQ(1, run("-o x.spin missing.c"));
    CHECK(strstr(output, "missing.c"));
    CHECK(!exists("x.spin"));
}

static void names_of_handlers_are_enough(void)
{
    write_file("two parts.c", HEAD "#include \"part.h\"\nvoid one_hh(handler_args_t *a) { (void)a; VALUE; }\n");
    write_file("b.c", HEAD "void two_th(handler_args_t *a) { (void)a; }\n");
    write_file("part.h", "extern int value_of(void);\n#define VALUE value_of()\nint value_of(void);\n");
    write_file("c.c", "int value_of(void) { return NUMBER; }\n");
    CHECK_EQ(0, run("-o named.spin 'two parts.c' b.c c.c -D NUMBER=3 -I . -O1"));
    CHECK(exists("named.spin"));
    CHECK_EQ(1, run("-o no.spin c.c -DNUMBER=1"));
    CHECK(strstr(output, "no function is called init_handlers"));
    write_file("part two.h", "#define TEXT QUOTED\n_Static_assert(sizeof TEXT == 8, TEXT);\n");
    write_file("quoted.c", HEAD "#include \"part two.h\"\nvoid one_ph(handler_args_t *a) { (void)a; }\n");
    CHECK_EQ(0, run("-o quoted.spin quoted.c '-DQUOTED=\"a  \\\\b'\"'\"'c\"' -I 'a folder' '-Iwith \\ and \"'"));
    write_file("d.c", HEAD "void three_th(handler_args_t *a) { (void)a; }\n");
    CHECK_EQ(1, run("-o no.spin b.c d.c"));
    CHECK(strstr(output, "more than one function ends in _th: two_th three_th") || strstr(output, "three_th two_th"));
    CHECK(!exists("no.spin"));
}

static void what_a_loader_would_have_to_do_is_refused(void)
{
    write_file("e.c", HEAD "static int n;\n__attribute__((constructor)) static void early(void) { n = 1; }\n"
                           "void a_ph(handler_args_t *a) { (void)a; n++; }\n");
    CHECK_EQ(1, run("-o no.spin e.c"));
    CHECK(strstr(output, "no constructors"));
    write_file("f.c", HEAD "__thread int n;\nvoid a_ph(handler_args_t *a) { (void)a; n++; }\n");
    CHECK_EQ(1, run("-o no.spin f.c"));
    CHECK(strstr(output, "variables of threads"));
    write_file("g.c", HEAD "void elsewhere(void);\nvoid a_ph(handler_args_t *a) { (void)a; elsewhere(); }\n");
    CHECK_EQ(1, run("-o no.spin g.c"));
    CHECK(strstr(output, "elsewhere"));
    CHECK(!exists("no.spin"));
}

static void sizes_of_the_hpus_are_fixed(void)
{
    write_file("i.c", HEAD "__attribute__((section(\".data_tiny_l1\"))) int n = 1;\nvoid a_ph(handler_args_t *a) { (void)a; n++; }\n");
    CHECK_EQ(0, run("-o sizes.spin i.c"));
    CHECK_EQ(1, run("-o no.spin -DNB_CLUSTERS=4 i.c"));
    CHECK(strstr(output, "there are 2 clusters of 8 HPUs"));
}

/* Public sources give pointers for numbers. */
static void a_pointer_for_a_number_only_warns(void)
{
    write_file("h.c", HEAD "void a_ph(handler_args_t *a) { spin_dma_to_host(1, a->task->pkt_mem, 8, 0, NULL); }\n");
    CHECK_EQ(0, run("-o warned.spin h.c"));
    CHECK(strstr(output, "warning"));
}

/* Where it has not changed, an image that was built is still right. */
static void all_that_decides_is_printed(void)
{
    write_file("k.c", HEAD "#include \"k.h\"\nvoid a_ph(handler_args_t *a) { (void)a; KINDS; }\n");
    write_file("k.h", "#define KINDS 3\n#define UNUSED 1\n");
    CHECK_EQ(0, run("--preprocess k.c | sha256sum"));
    char before[65];
    snprintf(before, sizeof before, "%.64s", output);
    CHECK_EQ(0, run("--preprocess k.c | sha256sum"));
    CHECK(!strncmp(before, output, 64));
    write_file("k.h", "#define KINDS 3\n#define UNUSED 2\n");
    CHECK_EQ(0, run("--preprocess k.c | sha256sum"));
    CHECK(strncmp(before, output, 64));
    CHECK_EQ(0, run("--preprocess k.c | grep -c 'define __VERSION__\\|KINDS 3\\|^gcc_of_handlers\\|OUTPUT_FORMAT\\|SECTIONS'"));
    CHECK(atoi(output) >= 3);
    CHECK_EQ(1, run("--preprocess missing.c"));
    CHECK(strstr(output, "missing.c"));
}

/* The first C in the page, built as it says. */
static bool example(void)
{
    static char page[64 << 10];
    char path[4352];
    snprintf(path, sizeof path, "%s/../../../docs/spin-handlers.md", test_folder());
    FILE *f = fopen(path, "r");
    page[f ? fread(page, 1, sizeof page - 1, f) : 0] = 0;
    char *begin = strstr(page, "```c\n"), *end = begin ? strstr(begin, "\n```\n") : NULL;
    if (!f || fclose(f) || !end || !strstr(page, "spin-cc -o echo.spin echo.c\n"))
        return false;
    end[1] = 0;
    write_file("echo.c", begin + 5);
    return run("-o echo.spin echo.c") == 0 && !output[0];
}

static void the_example_of_the_documentation_answers(void)
{
    static struct rig rig;
    uint8_t frame[60], got[ISLE_SPIN_FRAME];
    char path[128];
    CHECK(example());
    snprintf(path, sizeof path, "%s/echo.spin", folder);
    for (uint32_t i = 0; i < sizeof frame; i++)
        frame[i] = (uint8_t)i;
    rig_make(&rig);
    CHECK_EQ(0, rig_attach(&rig, path));
    CHECK_EQ(ISLE_SPIN_DONE, rig_run(&rig, 0, ISLE_SPIN_PACKET, 0, frame, sizeof frame));
    CHECK_EQ(sizeof frame, rig_sent(&rig, 0, got));
    CHECK(!memcmp(got, frame + 6, 6) && !memcmp(got + 6, frame, 6) && !memcmp(got + 26, frame + 30, 4) && !memcmp(got + 34, frame + 36, 2));
    CHECK(!memcmp(got + 38, frame + 38, sizeof frame - 38));
    CHECK(!strcmp(rig_text(&rig), "60 bytes back\n"));
    rig_free(&rig);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(options), TEST(names_of_handlers_are_enough), TEST(what_a_loader_would_have_to_do_is_refused),
                                        TEST(sizes_of_the_hpus_are_fixed),
                                        TEST(a_pointer_for_a_number_only_warns), TEST(all_that_decides_is_printed),
                                        TEST(the_example_of_the_documentation_answers)};
    char command[128];
    if (!rig_can("spin_cc", sizeof tests / sizeof *tests))
        return 0;
    strcpy(folder, "/tmp/isle-spin-cc-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    int code = run_tests("spin_cc", tests, sizeof tests / sizeof *tests, argc, argv);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) ? 1 : code;
}
