#include <stdlib.h>
#include <unistd.h>

#include "harness.h"

int test_failures;

int run_tests(const char *suite, const struct test *tests, size_t count, int argc, char **argv)
{
    int passed = 0, failed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < count; i++) {
        if (argc > 1 && !strstr(tests[i].name, argv[1]))
            continue;
        test_failures = 0;
        alarm(120); /* a test that hangs is a failed run, not a stuck one */
        tests[i].run();
        alarm(0);
        if (test_failures)
            printf("FAILED %s.%s\n", suite, tests[i].name);
        test_failures ? failed++ : passed++;
    }
    printf("%s: %d passed, %d failed\n", suite, passed, failed);
    return failed != 0;
}

const char *test_folder(void)
{
    static char folder[4096];
    ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[n > 0 ? n : 0] = 0;
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    return folder;
}

const char *test_file(const char *name)
{
    static char path[2][4352];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", test_folder(), name);
    return path[turn];
}

uint64_t test_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
