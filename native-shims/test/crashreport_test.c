/* What a host that crashes says of the place: the address, the code, the thread. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "confined.h"

static char text[ISLE_CRASH_BYTES + 1], frames[ISLE_CRASH_BYTES + 1];

/* Crashes a host that way and takes its record; the signal it ended by, or -1. */
static int crash(uint32_t how)
{
    uint64_t tag;
    int rc = confined_start(NULL);
    rc = rc ? rc : confined_act(TEST_ACTION_CRASH, how, &tag);
    int status = rc ? -1 : core_host_reap(&confined, 20000);
    const char *record = (const char *)confined.channel + confined.channel->crash_offset;
    size_t length = strnlen(record, ISLE_CRASH_BYTES - 1);
    memcpy(text, record, length);
    text[length] = 0;
    memcpy(frames, record + length + 1, ISLE_CRASH_BYTES - length - 1);
    core_free(&confined);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}

static const char *line_of(uint32_t frame)
{
    const char *line = frames;
    while (frame-- && line)
        line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
    return line && *line ? line : NULL;
}

/* Whether a frame lies in a function of the test driver. */
static bool is_in(uint32_t frame, const char *function)
{
    unsigned long long pc, offset;
    char path[ISLE_CRASH_BYTES];
    Dl_info info;
    const char *line = line_of(frame);
    void *library = dlopen(test_file("libtestdriver.so"), RTLD_NOW);
    void *start = library ? dlsym(library, function) : NULL;
    if (!line || !start || !dladdr(start, &info) || sscanf(line, "%llx %llx %[^\n]", &pc, &offset, path) != 3)
        return false;
    uint64_t at = (uint64_t)((uintptr_t)start - (uintptr_t)info.dli_fbase);
    return strstr(path, "/libtestdriver.so") && offset >= at && offset - at < 256;
}

static void the_code_and_its_callers_are_told(void)
{
    CHECK_EQ(SIGSEGV, crash(TEST_CRASH_NEAR));
    CHECK(!strcmp(text, "the driver died of SIGSEGV (11) at address 0x10 in thread isle-data"));
    CHECK(is_in(0, "test_crash_by_writing"));
    uint32_t host = 1;
    while (line_of(host) && !strstr(line_of(host), "/driver-host\n"))
        host++;
    CHECK(line_of(host));
}

static void a_wild_address_is_not_told_as_0(void)
{
    CHECK_EQ(SIGSEGV, crash(TEST_CRASH_WILD));
#ifdef __x86_64__
    CHECK(strstr(text, "SIGSEGV (11) at an invalid address ("));
    CHECK(strstr(text, " 0xdeadbeefdeadbee0"));
#endif
    CHECK(is_in(0, "test_crash_by_writing"));
}

static void a_call_that_leads_nowhere_has_its_caller(void)
{
    CHECK_EQ(SIGSEGV, crash(TEST_CRASH_CALL));
    CHECK(strstr(text, "at address 0x20 "));
    CHECK(!strncmp(frames, "20\n", 3));
    CHECK(is_in(1, "test_crash_by_calling"));
}

#ifndef ISLE_SANITIZED /* which copy by functions of their own */
static void a_crash_in_a_library_has_its_caller(void)
{
    CHECK_EQ(SIGSEGV, crash(TEST_CRASH_IN_LIBRARY));
    CHECK(!is_in(0, "test_crash_by_copying"));
    CHECK(is_in(1, "test_crash_by_copying"));
}
#endif

static void a_function_without_a_frame_has_its_caller(void)
{
    CHECK_EQ(SIGSEGV, crash(TEST_CRASH_IN_LEAF));
    CHECK(is_in(1, "test_crash_by_leaf"));
}

static void a_signal_that_was_sent_has_no_address(void)
{
    CHECK_EQ(SIGSEGV, crash(TEST_CRASH_SENT));
    CHECK(!strcmp(text, "the driver died of SIGSEGV (11) that the driver sent itself in thread isle-data"));
}

static void a_thread_without_a_name_has_none(void)
{
    CHECK_EQ(SIGSEGV, crash(TEST_CRASH_UNNAMED));
    CHECK(strstr(text, " in a thread without a name"));
    CHECK(line_of(0) && strstr(line_of(0), "/libtestdriver.so\n"));
}

static const struct test tests[] = {
    TEST(the_code_and_its_callers_are_told),
    TEST(a_wild_address_is_not_told_as_0),
    TEST(a_call_that_leads_nowhere_has_its_caller),
#ifndef ISLE_SANITIZED
    TEST(a_crash_in_a_library_has_its_caller),
#endif
    TEST(a_function_without_a_frame_has_its_caller),
    TEST(a_signal_that_was_sent_has_no_address),
    TEST(a_thread_without_a_name_has_none),
};

int main(int argc, char **argv)
{
    return run_tests("crashreport", tests, sizeof tests / sizeof tests[0], argc, argv);
}
