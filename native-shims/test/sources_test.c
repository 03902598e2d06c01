/* Programs from source: how they come over, in a message and in a segment, in this process and in a host, and every way to lie about it. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define PROGRAM core_id(ISLE_KIND_PROGRAM, 1, 1)
#define KERNEL "__kernel void noop() {}\n"
#define PAGES (ISLE_SOURCE_MAX + 4096)

static struct core core;
static uint8_t *heap, *segment;
static int segment_fd;

static int begin(const char *library, bool in_host)
{
    void *p;
    core_make(&core);
    segment_fd = segment_make("source", PAGES, &p);
    segment = p;
    int rc = in_host ? core_host_start(&core, library) : core_load(&core, library);
    if (!rc && in_host && core_host_wait(&core, 30000) != ISLE_HOST_READY)
        rc = -ENOEXEC;
    if (!rc && in_host)
        rc = core_send_segment(&core, ISLE_SEGMENT_COMMANDS, 0, TEST_COMMANDS, core.commands_fd);
    if (!rc && in_host)
        rc = core_send_segment(&core, ISLE_SEGMENT_DOORBELL, 1, 4096, core.doorbell_fd);
    if (!rc && in_host)
        rc = core_send_segment(&core, ISLE_SEGMENT_AGENT, 0, 4096, core.agent_fd);
    rc = rc ? rc : core_open(&core, NULL);
    rc = rc ? rc : core_heap(&core, 16, TEST_HEAP, &heap);
    return rc ? rc : core_context(&core, CONTEXT, 16, NULL);
}

static void end(void)
{
    if (core.rt) {
        core_unload(&core);
    } else {
        kill(core.host_pid, SIGKILL);
        core_host_reap(&core, 10000);
    }
    close(segment_fd);
    munmap(segment, PAGES);
    core_free(&core);
}

/* A message whose lengths may be other ones than those of its parts. */
static int load(isle_load_request q, const char *options, const char *source)
{
    static uint8_t body[ISLE_CONTROL_BYTES];
    uint32_t o = (uint32_t)strlen(options), s = (uint32_t)strlen(source);
    q.context = CONTEXT;
    q.program = q.program ? q.program : PROGRAM;
    memcpy(body, &q, sizeof q);
    memcpy(body + sizeof q, options, o);
    memcpy(body + sizeof q + o, source, s);
    return core_call(&core, ISLE_OP_LOAD_PROGRAM, body, (uint32_t)sizeof q + o + s);
}

static int load_text(uint32_t kind, const char *options, const char *source)
{
    isle_load_request q = {.kind = kind, .length = (uint32_t)strlen(source), .options_length = (uint32_t)strlen(options)};
    return load(q, options, source);
}

static const char *log_text(void)
{
    static char text[ISLE_BUILD_LOG_MAX];
    isle_load_response r;
    memcpy(&r, core_body(&core), sizeof r);
    if (core_body_length(&core) != sizeof r + r.log_length || r.log_length >= sizeof text)
        return "";
    memcpy(text, (const uint8_t *)core_body(&core) + sizeof r, r.log_length);
    text[r.log_length] = 0;
    return text;
}

static int unload(void)
{
    uint64_t id = PROGRAM;
    return core_call(&core, ISLE_OP_UNLOAD_PROGRAM, &id, sizeof id);
}

static int add_segment(uint32_t writable)
{
    return core.rt ? isle_rt_add_segment(core.rt, ISLE_SEGMENT_SOURCE, segment, PAGES, writable)
                   : core_send_segment(&core, ISLE_SEGMENT_SOURCE, writable, PAGES, segment_fd);
}

static int remove_segment(void)
{
    uint32_t id = ISLE_SEGMENT_SOURCE;
    return core_call(&core, ISLE_OP_REMOVE_SEGMENT, &id, sizeof id);
}

/* A source of that length that says what its bytes add up to. */
static void write_source(uint32_t length)
{
    char head[64];
    uint64_t sum = 0;
    uint32_t first = (uint32_t)sizeof "// sum 1234567890\n" - 1, kernel = (uint32_t)sizeof KERNEL - 1;
    for (uint32_t i = first; i < length; i++)
        segment[i] = i % 64 == 63 ? '\n' : (uint8_t)(' ' + i % 50);
    memcpy(segment + length - kernel, KERNEL, kernel);
    for (uint32_t i = first; i < length; i++)
        sum += segment[i];
    snprintf(head, sizeof head, "// sum %010llu\n", (unsigned long long)sum);
    memcpy(segment, head, first);
}

static void the_device_says_what_it_takes(void)
{
    isle_open_response r;
    core_make(&core);
    CHECK_EQ(0, core_load(&core, "libcompiler.so"));
    CHECK_EQ(0, core_open(&core, NULL));
    memcpy(&r, core_body(&core), sizeof r);
    CHECK_EQ(1 << ISLE_PROGRAM_BUILTIN | 1 << ISLE_PROGRAM_OPENCL_C | 1 << ISLE_PROGRAM_SPIRV, r.program_kinds);
    core_unload(&core);
    core_free(&core);
}

static void a_source_comes_in_a_message(void)
{
    for (int in_host = 0; in_host < 2; in_host++) {
        isle_describe_request q = {.program = PROGRAM};
        isle_program_entry e;
        CHECK_EQ(0, begin("libcompiler.so", in_host));
        CHECK_EQ(0, load_text(ISLE_PROGRAM_OPENCL_C, "-DX=1", "__kernel void fill(__global uchar *p, uint v) {}"));
        CHECK_EQ(0, core_call(&core, ISLE_OP_DESCRIBE_PROGRAM, &q, sizeof q));
        memcpy(&e, core_body(&core), sizeof e);
        CHECK(!strcmp(e.name, "fill") && e.arg_count == 2);
        CHECK_EQ(0, unload());
        CHECK_EQ(0, load_text(ISLE_PROGRAM_SPIRV, "", "\x03\x02\x23\x07rest"));
        end();
    }
}

static void a_long_source_comes_in_a_segment(void)
{
    static const uint32_t lengths[] = {100, 65536, ISLE_SOURCE_MAX};
    for (int in_host = 0; in_host < 2; in_host++) {
        CHECK_EQ(0, begin("libcompiler.so", in_host));
        for (size_t i = 0; i < 3; i++) {
            isle_load_request q = {
                .kind = ISLE_PROGRAM_OPENCL_C, .length = lengths[i], .options_length = 4, .segment = ISLE_SEGMENT_SOURCE};
            write_source(lengths[i]);
            CHECK_EQ(0, add_segment(0));
            CHECK_EQ(0, load(q, "-DXY", ""));
            CHECK_EQ(0, unload());
            segment[lengths[i] - 2]++;
            CHECK_EQ(-EINVAL, load(q, "-DXY", ""));
            CHECK(strstr(log_text(), "do not add up"));
            CHECK_EQ(0, remove_segment());
            CHECK_EQ(-EINVAL, load(q, "-DXY", ""));
        }
        CHECK_EQ(0, load_text(ISLE_PROGRAM_BUILTIN, "", "noop"));
        end();
    }
}

static void lengths_and_segments_are_not_believed(void)
{
    static const isle_load_request bad[] = {
        {.length = 0},
        {.length = 1},
        {.length = sizeof KERNEL},
        {.length = UINT32_MAX - 3, .options_length = sizeof KERNEL + 2},
        {.length = sizeof KERNEL - 1, .options_length = 1},
        {.length = 2, .options_length = sizeof KERNEL - 2},
        {.length = sizeof KERNEL - 1, .segment = ISLE_SEGMENT_SOURCE},
        {.length = sizeof KERNEL - 1, .segment = ISLE_SEGMENT_COMMANDS},
        {.length = sizeof KERNEL - 1, .segment = 16},
        {.length = sizeof KERNEL - 1, .segment = UINT32_MAX},
        {.length = ISLE_SOURCE_MAX + 1},
        {.length = 10, .options_length = ISLE_OPTIONS_MAX + 1},
        {.length = 10, .options_length = UINT32_MAX},
    };
    CHECK_EQ(0, begin("libcompiler.so", false));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        isle_load_request q = bad[i];
        uint64_t violations = core.channel->violations;
        q.kind = ISLE_PROGRAM_OPENCL_C;
        int rc = load(q, "", KERNEL);
        CHECK(rc == -EINVAL || rc == -EMSGSIZE);
        CHECK_EQ(violations + 1, core.channel->violations);
    }
    static const uint32_t places[] = {ISLE_SEGMENT_COMMANDS, ISLE_SEGMENT_DOORBELL, ISLE_SEGMENT_SOURCE, ISLE_SEGMENT_AGENT, 16, 17};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        isle_load_request q = {.kind = ISLE_PROGRAM_OPENCL_C, .length = 10, .segment = places[i]};
        CHECK_EQ(-EINVAL, load(q, "", ""));
    }
    uint8_t body[sizeof(isle_load_request) + 4];
    isle_load_request q = {.context = CONTEXT, .program = PROGRAM, .kind = ISLE_PROGRAM_OPENCL_C, .length = 2, .options_length = 2};
    memcpy(body, &q, sizeof q);
    memcpy(body + sizeof q, "-\0xx", 4);
    CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_LOAD_PROGRAM, body, sizeof body));
    CHECK_EQ(-EINVAL, add_segment(1));
    CHECK_EQ(0, load_text(ISLE_PROGRAM_OPENCL_C, "", KERNEL));
    end();
}

static void a_source_must_fit_its_segment(void)
{
    CHECK_EQ(0, begin("libcompiler.so", false));
    CHECK_EQ(0, isle_rt_add_segment(core.rt, ISLE_SEGMENT_SOURCE, segment, 4096, 0));
    isle_load_request q = {.kind = ISLE_PROGRAM_OPENCL_C, .length = 4097, .segment = ISLE_SEGMENT_SOURCE};
    write_source(4096);
    CHECK_EQ(-EINVAL, load(q, "", ""));
    q.length = 4096;
    CHECK_EQ(0, load(q, "", ""));
    end();
}

static void a_failed_build_says_why(void)
{
    CHECK_EQ(0, begin("libcompiler.so", false));
    CHECK_EQ(-EINVAL, load_text(ISLE_PROGRAM_OPENCL_C, "", "int x;"));
    CHECK(strstr(log_text(), "no kernel"));
    CHECK_EQ(-EINVAL, load_text(ISLE_PROGRAM_OPENCL_C, "--wrong", KERNEL));
    CHECK(strstr(log_text(), "unknown option --wrong"));
    CHECK_EQ(-EINVAL, load_text(ISLE_PROGRAM_SPIRV, "", "no module"));
    CHECK_EQ(-EINVAL, load_text(ISLE_PROGRAM_OPENCL_C, "", "// full log"));
    CHECK_EQ(ISLE_BUILD_LOG_MAX - 1, strlen(log_text()));
    CHECK_EQ(-ESTALE, unload());
    CHECK_EQ(0, load_text(ISLE_PROGRAM_OPENCL_C, "", KERNEL));
    end();
}

static void what_a_driver_does_not_offer_it_is_not_asked_for(void)
{
    CHECK_EQ(0, begin("libcompiler.so", false));
    CHECK_EQ(IO_NOT_SUPPORTED, load_text(ISLE_PROGRAM_PTX, "", ".version 8.0"));
    CHECK_EQ(-EINVAL, load_text(0, "", "noop"));
    CHECK_EQ(IO_NOT_SUPPORTED, load_text(ISLE_PROGRAM_HANDLERS, "", "noop"));
    CHECK_EQ(-EINVAL, load_text(6, "", "noop"));
    CHECK_EQ(-EINVAL, load_text(UINT32_MAX, "", "noop"));
    end();
    CHECK_EQ(0, begin("libsoftaccel.so", false));
    CHECK_EQ(IO_NOT_SUPPORTED, load_text(ISLE_PROGRAM_OPENCL_C, "", KERNEL));
    CHECK_EQ(IO_NOT_SUPPORTED, load_text(ISLE_PROGRAM_BUILTIN, "-DX", "noop"));
    CHECK(strstr(log_text(), "no build options"));
    CHECK_EQ(0, load_text(ISLE_PROGRAM_BUILTIN, "", "noop"));
    end();
}

static const struct test tests[] = {
    TEST(the_device_says_what_it_takes),
    TEST(a_source_comes_in_a_message),
    TEST(a_long_source_comes_in_a_segment),
    TEST(lengths_and_segments_are_not_believed),
    TEST(a_source_must_fit_its_segment),
    TEST(a_failed_build_says_why),
    TEST(what_a_driver_does_not_offer_it_is_not_asked_for),
};

int main(int argc, char **argv)
{
    return run_tests("sources", tests, sizeof tests / sizeof tests[0], argc, argv);
}
