/* Programs of several files: how they come over, in a message and in a segment, in this process and in a host, and every way to lie about them. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source_files.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define PROGRAM core_id(ISLE_KIND_PROGRAM, 1, 1)
#define KERNEL "__kernel void noop() {}\n"
#define ROOM ((ISLE_FILES_MAX + (64u << 10)) & ~4095u)

static struct core core;
static uint8_t *heap, *segment;
static int segment_fd;

static int begin(const char *library, bool in_host)
{
    void *p;
    core_make(&core);
    segment_fd = segment_make("files", ROOM, &p);
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
    munmap(segment, ROOM);
    core_free(&core);
}

static int load(const struct text_file *files, uint32_t compiled, uint32_t count)
{
    return files_load(&core, CONTEXT, PROGRAM, "-DX", files, compiled, count);
}

static int unload(void)
{
    uint64_t id = PROGRAM;
    return core_call(&core, ISLE_OP_UNLOAD_PROGRAM, &id, sizeof id);
}

static void files_come_in_a_message(void)
{
    static const struct text_file files[] = {{"a.cl", "#include \"lib/b.h\"\n" KERNEL}, {"b.cl", ""}, {"lib/b.h", "#include \"a.cl\"\n"}};
    for (int in_host = 0; in_host < 2; in_host++) {
        isle_describe_request q = {.program = PROGRAM};
        isle_program_entry e;
        CHECK_EQ(0, begin("libcompiler.so", in_host));
        CHECK_EQ(0, load(files, 2, 3));
        CHECK_EQ(-EEXIST, load(files, 2, 3));
        CHECK_EQ(0, core_call(&core, ISLE_OP_DESCRIBE_PROGRAM, &q, sizeof q));
        memcpy(&e, core_body(&core), sizeof e);
        CHECK(!strcmp(e.name, "noop"));
        CHECK_EQ(0, unload());
        CHECK_EQ(-EINVAL, load(files, 1, 1));
        CHECK(!strcmp(files_log(&core), "a.cl:1:1: error: lib/b.h"));
        CHECK_EQ(0, load(files, 3, 3));
        end();
    }
}

/* Texts whose first line says what the rest of them adds up to; the first one ends with a kernel. */
static void write_texts(uint32_t count, uint32_t length)
{
    uint32_t at = count * (uint32_t)sizeof(isle_file_entry);
    for (uint32_t i = 0; i < count; i++) {
        char name[16], head[32];
        isle_file_entry e = {(uint32_t)snprintf(name, sizeof name, "f%02u", i), length};
        uint8_t *text = segment + at + e.name_length;
        memcpy(segment + i * sizeof e, &e, sizeof e);
        memcpy(segment + at, name, e.name_length);
        uint32_t first = (uint32_t)snprintf(head, sizeof head, "// sum %010u\n", 0);
        uint64_t sum = 0;
        for (uint32_t k = first; k < length; k++)
            text[k] = k % 64 == 63 ? '\n' : (uint8_t)(' ' + (k + i) % 50);
        if (!i)
            memcpy(text + length - (sizeof KERNEL - 1), KERNEL, sizeof KERNEL - 1);
        for (uint32_t k = first; k < length; k++)
            sum += text[k];
        snprintf(head, sizeof head, "// sum %010llu\n", (unsigned long long)sum);
        memcpy(text, head, first);
        at += e.name_length + length;
    }
}

static int load_segment(uint32_t count, uint32_t length)
{
    isle_files_request q = {.context = CONTEXT,
                            .program = PROGRAM,
                            .file_count = 1,
                            .header_count = count - 1,
                            .length = count * (uint32_t)(sizeof(isle_file_entry) + 3 + length),
                            .segment = ISLE_SEGMENT_SOURCE};
    return core_call(&core, ISLE_OP_LOAD_FILES, &q, sizeof q);
}

static void many_and_long_files_come_in_a_segment(void)
{
    static const struct {
        uint32_t count, length;
        int code;
    } cases[] = {{4, ISLE_FILE_MAX, 0},
                 {64, 65536, 0},
                 {64, 65537, -EMSGSIZE},
                 {4, ISLE_FILE_MAX + 1, -EMSGSIZE},
                 {1, 100, 0}};
    uint32_t id = ISLE_SEGMENT_SOURCE;
    for (int in_host = 0; in_host < 2; in_host++) {
        CHECK_EQ(0, begin("libcompiler.so", in_host));
        CHECK_EQ(-EINVAL, load_segment(1, 100));
        CHECK_EQ(0, core.rt ? isle_rt_add_segment(core.rt, id, segment, ROOM, 0) : core_send_segment(&core, id, 0, ROOM, segment_fd));
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            uint32_t n = cases[i].count * (uint32_t)(sizeof(isle_file_entry) + 3 + cases[i].length);
            write_texts(cases[i].count, cases[i].length);
            CHECK_EQ(cases[i].code, load_segment(cases[i].count, cases[i].length));
            if (cases[i].code)
                continue;
            CHECK_EQ(0, unload());
            segment[n - 1] ^= 1; /* the last byte of the last one */
            CHECK_EQ(-EINVAL, load_segment(cases[i].count, cases[i].length));
            CHECK(strstr(files_log(&core), "do not add up"));
        }
        CHECK_EQ(0, core_call(&core, ISLE_OP_REMOVE_SEGMENT, &id, sizeof id));
        CHECK_EQ(-EINVAL, load_segment(1, 100));
        end();
    }
}

static void names_are_not_believed(void)
{
    char longest[ISLE_FILE_NAME + 2];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    const struct {
        const char *one, *other;
        int code;
    } cases[] = {
        {"a", "b", 0},           {"a", "aa", 0},            {"a/b", "a/c", 0},      {"a b", "..a", 0},       {"...", ".a", 0},
        {longest + 1, "b", 0},   {longest, "b", -EINVAL},   {"", "b", -EINVAL},     {"a", "a", -EINVAL},     {"a", "a/b", -EINVAL},
        {"a/b/c", "a/b", -EINVAL}, {"a.b", "a", 0},         {"/a", "b", -EINVAL},   {"a/", "b", -EINVAL},    {"a//b", "b", -EINVAL},
        {"./a", "b", -EINVAL},   {"a/./c", "b", -EINVAL},   {"../a", "b", -EINVAL}, {"a/..", "b", -EINVAL},  {"..", "b", -EINVAL},
        {"a\"", "b", -EINVAL},   {"a\\b", "b", -EINVAL},    {"a\nb", "b", -EINVAL}, {"a\x7f", "b", -EINVAL}, {"a\xc2\x85", "b", -EINVAL},
        {"\xc3\xbc", "b", 0},    {"a\xc2", "b", 0},         {"a\tb", "b", -EINVAL},
    };
    CHECK_EQ(0, begin("libcompiler.so", false));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct text_file files[] = {{cases[i].one, KERNEL}, {cases[i].other, KERNEL}};
        uint64_t before = core.channel->violations;
        int rc = load(files, 1, 2);
        if (rc != cases[i].code)
            printf("  names %zu: %s\n", i, cases[i].one);
        CHECK_EQ(cases[i].code, rc);
        CHECK_EQ(before + (rc != 0), core.channel->violations);
        CHECK(rc || !unload());
    }
    const uint8_t nul[] = {3, 0, 0, 0, 1, 0, 0, 0, 'a', 0, 'b', 'x'};
    struct {
        isle_files_request q;
        uint8_t files[sizeof nul];
    } m = {.q = {.context = CONTEXT, .program = PROGRAM, .file_count = 1, .length = sizeof nul}};
    memcpy(m.files, nul, sizeof nul);
    CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_LOAD_FILES, &m, sizeof m.q + sizeof nul));
    end();
}

/* One word of a good message, and what it becomes. */
static void numbers_and_lengths_are_not_believed(void)
{
    static const struct text_file good[] = {{"a", KERNEL}, {"b", "1"}};
    static const struct {
        uint32_t at, value;
    } pokes[] = {
        {16, 0},          {16, 2},  {16, 63},         {16, 64}, {16, 65},  {16, UINT32_MAX}, {16, UINT32_MAX / 8 + 2}, {20, 0},  {20, 2},
        {20, 63},         {20, 64}, {20, UINT32_MAX}, {24, 0},  {24, 2},   {24, 4},          {24, UINT32_MAX},         {24, 4097}, {28, 0},
        {28, 8},          {28, 42}, {28, 44},         {28, UINT32_MAX},    {32, ISLE_SEGMENT_COMMANDS},                {32, ISLE_SEGMENT_SOURCE},
        {32, ISLE_SEGMENT_AGENT}, {32, 16}, {32, UINT32_MAX}, {43, 0}, {43, 2}, {43, 24}, {43, UINT32_MAX}, {47, 23}, {47, 25},
        {47, UINT32_MAX}, {51, 0},  {51, 2},          {51, 256}, {55, 0},  {55, 2},          {55, 1u << 20},           {55, UINT32_MAX},
    };
    uint8_t body[256];
    isle_files_request q = {.context = CONTEXT, .program = PROGRAM, .file_count = 1, .header_count = 1, .options_length = 3};
    CHECK_EQ(0, begin("libcompiler.so", false));
    memcpy(body + sizeof q, "-DX", 3);
    q.length = files_write(body + sizeof q + 3, good, 2);
    uint32_t total = (uint32_t)sizeof q + 3 + q.length;
    CHECK_EQ(43, q.length);
    for (size_t i = 0; i <= sizeof pokes / sizeof pokes[0]; i++) {
        memcpy(body, &q, sizeof q);
        files_write(body + sizeof q + 3, good, 2);
        if (i < sizeof pokes / sizeof pokes[0])
            memcpy(body + pokes[i].at, &pokes[i].value, 4);
        uint64_t before = core.channel->violations;
        int rc = core_call(&core, ISLE_OP_LOAD_FILES, body, total);
        if (i == sizeof pokes / sizeof pokes[0]) {
            CHECK_EQ(0, rc);
            continue;
        }
        if (rc != -EINVAL && rc != -EMSGSIZE)
            printf("  poke %zu at %u: %d\n", i, pokes[i].at, rc);
        CHECK(rc == -EINVAL || rc == -EMSGSIZE);
        CHECK_EQ(before + 1, core.channel->violations);
    }
    body[sizeof q + 1] = 0; /* in the options */
    CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_LOAD_FILES, body, total));
    memcpy(body + sizeof q, "-DX", 3);
    body[total - 1] = 0; /* in a text */
    CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_LOAD_FILES, body, total));
    for (uint32_t length = sizeof q; length < total; length++)
        CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_LOAD_FILES, body, length));
    end();
}

static void drivers_without_the_entry_are_not_asked(void)
{
    static const struct text_file file = {"a.cl", KERNEL};
    CHECK_EQ(0, begin("libsoftaccel.so", false));
    CHECK_EQ(IO_NOT_SUPPORTED, load(&file, 1, 1));
    end();
}

static const struct test tests[] = {
    TEST(files_come_in_a_message),
    TEST(many_and_long_files_come_in_a_segment),
    TEST(names_are_not_believed),
    TEST(numbers_and_lengths_are_not_believed),
    TEST(drivers_without_the_entry_are_not_asked),
};

int main(int argc, char **argv)
{
    return run_tests("files", tests, sizeof tests / sizeof tests[0], argc, argv);
}
