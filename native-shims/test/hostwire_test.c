/* A hostile core: ring records, control messages and segments that are wrong. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "futex.h"
#include "harness.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define SOURCE core_id(ISLE_KIND_MEMORY, 1, 1)
#define TARGET core_id(ISLE_KIND_MEMORY, 1, 2)
#define PROGRAM core_id(ISLE_KIND_PROGRAM, 1, 1)
#define VISIBLE (ACCEL_MEM_CPU_VISIBLE | ACCEL_MEM_COHERENT)

static struct core core;

static int start(const char *settings, uint8_t **heap)
{
    core_make(&core);
    int rc = core_host_start(&core, "libsoftaccel.so");
    if (!rc && core_host_wait(&core, 30000) != ISLE_HOST_READY)
        rc = -ENOEXEC;
    if (!rc)
        rc = core_send_segment(&core, ISLE_SEGMENT_COMMANDS, 0, TEST_COMMANDS, core.commands_fd);
    if (!rc)
        rc = core_send_segment(&core, ISLE_SEGMENT_DOORBELL, 1, 4096, core.doorbell_fd);
    if (!rc)
        rc = core_send_segment(&core, ISLE_SEGMENT_AGENT, 0, 4096, core.agent_fd);
    if (!rc)
        rc = core_open(&core, settings);
    if (!rc)
        rc = core_heap(&core, 16, TEST_HEAP, heap);
    if (!rc)
        rc = core_context(&core, CONTEXT, 16, NULL);
    return rc;
}

static void stop(void)
{
    if (core.host_pid > 0 && !kill(core.host_pid, 0))
        kill(core.host_pid, SIGKILL);
    core_host_reap(&core, 10000);
    core_free(&core);
}

static int noop(uint32_t index, uint64_t *tag)
{
    struct command k;
    command_begin(&k);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    command_dispatch(&k, 0, 0, NULL);
    return core_submit(&core, CONTEXT, &k, index, tag);
}

static int works(void)
{
    uint64_t tag;
    isle_completion_slot s;
    int rc = noop(TEST_INFLIGHT - 1, &tag);
    return rc ? rc : !core_next(&core, 10000, &s) ? -ETIME : s.tag != tag ? -EPROTO : (int)s.status;
}

/* Writes a record as it is. */
static void post(const isle_request *r)
{
    isle_channel_header *h = core.channel;
    isle_request *slot = (isle_request *)(void *)((uint8_t *)h + h->request_offset) + (core.posted & (h->request_capacity - 1));
    isle_request copy = *r;
    while (core.posted - __atomic_load_n(&h->requests_taken, __ATOMIC_ACQUIRE) >= h->request_capacity)
        usleep(10);
    copy.seq = slot->seq;
    *slot = copy;
    __atomic_store_n(&slot->seq, ++core.posted, __ATOMIC_RELEASE);
    bell_ring(&h->data_bell, &h->data_sleeping);
}

static void a_hostile_ring_breaks_nothing(void)
{
    static const uint64_t words[] = {0, 1, 7, 8, 64, 4096, TEST_INFLIGHT, TEST_COMMANDS, TEST_COMMANDS - 64, INT32_MAX, UINT32_MAX,
                                     1ull << 32, 1ull << 63, UINT64_MAX, UINT64_MAX - 63, CONTEXT, SOURCE, PROGRAM};
    uint8_t *heap;
    isle_completion_slot s;
    CHECK_EQ(0, start("compute_units=1", &heap));
    CHECK_EQ(0, core_program(&core, CONTEXT, PROGRAM, "noop"));
    for (uint64_t seed = 1; seed <= 5000; seed++) {
        uint64_t state = seed, w[6];
        for (int i = 0; i < 6; i++)
            w[i] = words[test_random(&state) % (sizeof words / sizeof words[0])];
        isle_request r = {.tag = w[0], .context = w[1], .offset = w[2], .length = (uint32_t)w[3], .kind = (uint32_t)w[4], .reason = (uint32_t)w[5]};
        if (test_random(&state) % 2) {
            r.kind = ISLE_REQUEST_SUBMIT;
            r.context = CONTEXT;
            r.tag = test_random(&state) % 100 << 32 | test_random(&state) % TEST_INFLIGHT;
        }
        post(&r);
        while (core_next(&core, 0, &s))
            CHECK(s.status == ACCEL_COMPLETION_ERROR && s.detail < 0 && (uint32_t)s.tag < TEST_INFLIGHT);
    }
    while (core_next(&core, 50, &s))
        CHECK_EQ(ACCEL_COMPLETION_ERROR, s.status);
    CHECK(core.channel->violations > 100);
    CHECK_EQ(0, works());
    stop();
}

static void malformed_control_messages_are_answered(void)
{
    uint8_t *heap;
    isle_channel_header *h;
    CHECK_EQ(0, start(NULL, &heap));
    h = core.channel;
    const uint32_t lengths[] = {0, 1, 15, ISLE_CONTROL_BYTES, ISLE_CONTROL_BYTES + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        uint64_t violations = h->violations;
        h->control_length = lengths[i];
        __atomic_store_n(&h->control_seq, ++core.seq, __ATOMIC_RELEASE);
        bell_ring(&h->control_bell, &h->control_sleeping);
        for (int n = 0; n < 100000 && __atomic_load_n(&h->reply_seq, __ATOMIC_ACQUIRE) != core.seq; n++)
            usleep(100);
        CHECK_EQ(core.seq, h->reply_seq);
        isle_control_response r;
        memcpy(&r, (uint8_t *)h + h->control_response_offset, sizeof r);
        CHECK(r.result < 0);
        CHECK_EQ(violations + 1, h->violations);
    }
    CHECK_EQ(0, core_call(&core, ISLE_OP_INFO, NULL, 0));
    stop();
}

static void wrong_segments_are_refused(void)
{
    uint8_t *heap;
    void *p;
    CHECK_EQ(0, start(NULL, &heap));
    int fd = segment_make("good", 1 << 20, &p);
    CHECK_EQ(-EINVAL, core_send_segment(&core, 20, 1, 2 << 20, fd)); /* says more than there is */
    CHECK_EQ(-EINVAL, core_send_segment(&core, 20, 1, 0, fd));
    CHECK_EQ(-EINVAL, core_send_segment(&core, 5, 1, 1 << 20, fd));
    CHECK_EQ(-EINVAL, core_send_segment(&core, 20, 0, 1 << 20, fd));
    CHECK_EQ(-EPROTO, core_send_segment(&core, 20, 2, 1 << 20, fd));
    CHECK_EQ(-EEXIST, core_send_segment(&core, 16, 1, 1 << 20, fd));
    CHECK_EQ(-EEXIST, core_send_segment(&core, ISLE_SEGMENT_COMMANDS, 0, 1 << 20, fd));
    CHECK_EQ(0, core_send_segment(&core, 20, 1, 1 << 20, fd));
    int unsealed = memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    CHECK_EQ(0, ftruncate(unsealed, 4096));
    CHECK_EQ(-EPERM, core_send_segment(&core, 21, 1, 4096, unsealed));
    close(unsealed);
    close(fd);
    uint32_t id = 20, none = 99, commands = ISLE_SEGMENT_COMMANDS;
    CHECK_EQ(0, core_call(&core, ISLE_OP_REMOVE_SEGMENT, &id, sizeof id));
    CHECK_EQ(-ENOENT, core_call(&core, ISLE_OP_REMOVE_SEGMENT, &id, sizeof id));
    CHECK_EQ(-ENOENT, core_call(&core, ISLE_OP_REMOVE_SEGMENT, &none, sizeof none));
    CHECK_EQ(-EBUSY, core_call(&core, ISLE_OP_REMOVE_SEGMENT, &commands, sizeof commands));
    stop();
}

static void the_command_segment_is_mapped_read_only(void)
{
    uint8_t *heap;
    char path[64], line[512];
    bool found = false;
    CHECK_EQ(0, start(NULL, &heap));
    snprintf(path, sizeof path, "/proc/%d/maps", core.host_pid);
    FILE *maps = fopen(path, "r");
    CHECK(maps);
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "memfd:commands")) {
            found = true;
            CHECK(strstr(line, " r--s "));
        }
    fclose(maps);
    CHECK(found);
    stop();
}

static const struct test tests[] = {
    TEST(a_hostile_ring_breaks_nothing),
    TEST(malformed_control_messages_are_answered),
    TEST(wrong_segments_are_refused),
    TEST(the_command_segment_is_mapped_read_only),
};

int main(int argc, char **argv)
{
    return run_tests("hostwire", tests, sizeof tests / sizeof tests[0], argc, argv);
}
