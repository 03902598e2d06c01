/* The program that measures the kernel's own guarantees. */
#include <stdlib.h>
#include <sys/wait.h>

#include "harness.h"

static char said[4096];

/* Its exit code; what it printed is in `said`. */
static int run(const char *arguments)
{
    char command[4600];
    snprintf(command, sizeof command, "'%s' %s 2>&1", test_file("bench-deadline"), arguments);
    FILE *from = popen(command, "r");
    if (!from)
        return -1;
    said[fread(said, 1, sizeof said - 1, from)] = 0;
    int status = pclose(from);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void wrong_arguments_are_named(void)
{
    CHECK_EQ(2, run(""));
    CHECK(strstr(said, "usage: bench-deadline SECONDS PERIOD_US"));
    CHECK_EQ(2, run("1 1000 1"));
    CHECK_EQ(2, run("0 10000"));
    CHECK(strstr(said, "SECONDS 0: a whole number from 1 to 600"));
    CHECK_EQ(2, run("1 999"));
    CHECK(strstr(said, "PERIOD_US 999: a whole number from 1000 to 1000000"));
    CHECK_EQ(2, run("1x 10000"));
    CHECK_EQ(2, run("-1 10000"));
}

static bool share(const char *name, double *of)
{
    unsigned long long ppm, cpu, wall;
    const char *line = strstr(said, name);
    if (!line || sscanf(line + strlen(name), "%llu %llu %llu", &ppm, &cpu, &wall) != 3 || !wall)
        return false;
    *of = (double)cpu / (double)wall;
    return true;
}

/* How exactly is the kernel's affair, and that of other such threads. */
static void shares_are_what_the_kernel_gives(void)
{
    double half, quarter, flood;
    int code = run("1 10000");
    if (code == 3) {
        CHECK(strstr(said, "refuses SCHED_DEADLINE"));
        return;
    }
    CHECK_EQ(0, code);
    CHECK(share("half ", &half) && share("quarter ", &quarter) && share("flood ", &flood));
    CHECK(half > 0.4 && half < 0.6);
    CHECK(quarter > 0.2 && quarter < 0.3);
    CHECK(flood >= 0 && flood <= 1.01);
    CHECK(strstr(said, "pinned 0") || strstr(said, "pinned 1"));
}

static const struct test tests[] = {
    TEST(wrong_arguments_are_named),
    TEST(shares_are_what_the_kernel_gives),
};

int main(int argc, char **argv)
{
    return run_tests("deadline", tests, sizeof tests / sizeof tests[0], argc, argv);
}
