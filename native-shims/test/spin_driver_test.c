/* The driver `spin`, through driver-rt in this process and in a confined one of its own. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "futex.h"
#include "handlers/hostile.h"
#include "isle_spin.h"
#include "spin_harness.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define OTHER core_id(ISLE_KIND_CONTEXT, 1, 2)
#define PROGRAM core_id(ISLE_KIND_PROGRAM, 1, 1)
#define FOREIGN_PROGRAM core_id(ISLE_KIND_PROGRAM, 1, 2)
#define MEMORY(i) core_id(ISLE_KIND_MEMORY, 1, 1 + (i))
#define FOREIGN core_id(ISLE_KIND_MEMORY, 1, 20)
#define HEAP (4u << 20)

enum { RINGS, PACKETS, HANDLER, SCRATCHPADS, HOST_DATA, HOST };

static const uint64_t sizes[ISLE_HPU_MEMORIES] = {
    sizeof(isle_spin_rings), 65536, 65536, 4096 * ISLE_SPIN_CLUSTERS * ISLE_SPIN_QUEUES, 4096, 16 * 4096};
static struct core core;
static uint8_t *heap, *other_heap;
static isle_alloc_response places[ISLE_HPU_MEMORIES];
static isle_hpu_attach_request request;
static char why[ISLE_HPU_WHY + 1];

static int load(const char *image, uint64_t context, uint64_t program)
{
    static uint8_t body[64 << 10];
    char path[4352];
    isle_load_request q = {.context = context, .program = program, .kind = ISLE_PROGRAM_HANDLERS};
    snprintf(path, sizeof path, "%s/../spin/%s", test_folder(), image);
    FILE *f = fopen(path, "rb");
    if (!f)
        return -ENOENT;
    q.length = (uint32_t)fread(body + sizeof q, 1, sizeof body - sizeof q - 64, f);
    fclose(f);
    memcpy(body, &q, sizeof q);
    return core_call(&core, ISLE_OP_LOAD_PROGRAM, body, (uint32_t)sizeof q + q.length);
}

static int attach(void)
{
    int rc = core_call(&core, ISLE_OP_HPU_ATTACH, &request, sizeof request);
    snprintf(why, sizeof why, "%.*s", (int)core_body_length(&core), (const char *)core_body(&core));
    return rc;
}

static int prepare(const char *settings, const char *image)
{
    int rc = core_open(&core, settings);
    rc = rc ? rc : core_heap(&core, 16, HEAP, &heap);
    rc = rc ? rc : core_heap(&core, 17, HEAP, &other_heap);
    rc = rc ? rc : core_context(&core, CONTEXT, 16, NULL);
    rc = rc ? rc : core_context(&core, OTHER, 17, NULL);
    rc = rc ? rc : load(image, CONTEXT, PROGRAM);
    rc = rc ? rc : load(image, OTHER, FOREIGN_PROGRAM);
    request = (isle_hpu_attach_request){.context = CONTEXT, .program = PROGRAM, .limits = {.handler_limit_us = 5000, .host_wait_ms = 100}};
    for (uint32_t i = 0; !rc && i < ISLE_HPU_MEMORIES; i++) {
        rc = core_alloc(&core, CONTEXT, MEMORY(i), sizes[i], ACCEL_MEM_CPU_VISIBLE, &places[i]);
        request.memories[i] = MEMORY(i);
    }
    return rc ? rc : core_alloc(&core, OTHER, FOREIGN, 65536, ACCEL_MEM_CPU_VISIBLE, NULL);
}

static int in_process(const char *settings, const char *image)
{
    core_make(&core);
    int rc = core_load(&core, "libspin.so");
    return rc ? rc : prepare(settings, image);
}

static void leave(void)
{
    core_unload(&core);
    core_free(&core);
}

static isle_spin_rings *rings(void)
{
    return (isle_spin_rings *)(void *)(heap + places[RINGS].offset);
}

/* The result of a task of a packet that lies in HPU 2's place, or -1. */
static int run(const void *frame, uint32_t length)
{
    isle_spin_hpu *h = &rings()->hpus[2];
    memcpy(heap + places[PACKETS].offset, frame, length);
    h->task.handler = ISLE_SPIN_PACKET;
    h->task.length = length;
    __atomic_store_n(&h->task.posted, h->task.posted + 1, __ATOMIC_SEQ_CST);
    futex_wake_all(&h->task.posted);
    for (uint64_t until = clock_ns() + 10000000000u; clock_ns() < until; sched_yield())
        if (__atomic_load_n(&h->end.ended, __ATOMIC_ACQUIRE) == h->task.posted)
            return (int)h->end.result;
    return -1;
}

static int hostile(uint8_t action, uint32_t argument)
{
    uint32_t packet[16] = {action, argument};
    return run(packet, sizeof packet);
}

static isle_hpu_report report(void)
{
    isle_hpu_report r = {.attached = 99};
    uint64_t context = CONTEXT;
    if (!core_call(&core, ISLE_OP_HPU_REPORT, &context, sizeof context))
        memcpy(&r, core_body(&core), sizeof r);
    return r;
}

static int detach(void)
{
    uint64_t context = CONTEXT;
    return core_call(&core, ISLE_OP_HPU_DETACH, &context, sizeof context);
}

static void says_what_it_has(void)
{
    isle_hpu_caps caps;
    isle_open_response open;
    core_make(&core);
    CHECK_EQ(0, core_load(&core, "libspin.so"));
    CHECK_EQ(0, core_open(&core, "hpu_mhz=50\nhandler_limit_us=7000\ntrap_limit=3"));
    memcpy(&open, core_body(&core), sizeof open);
    CHECK_EQ(ISLE_EXECUTION_IN_PROCESS, open.execution);
    CHECK_EQ(1u << ISLE_PROGRAM_HANDLERS, open.program_kinds);
    CHECK_EQ(ACCEL_CLASS_OTHER, open.info.device_class);
    CHECK_EQ(0, core_call(&core, ISLE_OP_HPU_CAPS, NULL, 0));
    memcpy(&caps, core_body(&core), sizeof caps);
    CHECK_EQ(ISLE_SPIN_VERSION, caps.version);
    CHECK_EQ(2, caps.clusters);
    CHECK_EQ(8, caps.cores);
    CHECK_EQ(256 << 10, caps.program_bytes);
    CHECK_EQ(50, caps.hpu_mhz);
    CHECK_EQ(7000, caps.handler_limit_us);
    CHECK_EQ(1000, caps.host_wait_ms);
    CHECK_EQ(3, caps.trap_limit);
    leave();
}

static void runs_handlers_on_buffers(void)
{
    uint8_t frame[60];
    for (uint32_t i = 0; i < sizeof frame; i++)
        frame[i] = (uint8_t)i;
    CHECK_EQ(0, in_process("", "udp_ping.spin"));
    CHECK_EQ(0, attach());
    CHECK_EQ(ISLE_SPIN_DONE, run(frame, sizeof frame));
    isle_spin_hpu *h = &rings()->hpus[2];
    CHECK_EQ(1, h->sent);
    CHECK_EQ(sizeof frame, h->sends[0].length);
    CHECK(!memcmp(h->sends[0].bytes, frame + 6, 6) && !memcmp(h->sends[0].bytes + 6, frame, 6));
    isle_hpu_report r = report();
    CHECK_EQ(1, r.attached);
    CHECK_EQ(2, r.handlers);
    CHECK_EQ(1, r.tasks);
    CHECK_EQ(0, r.traps);
    CHECK_EQ(0, detach());
    CHECK_EQ(-ENOENT, detach());
    CHECK_EQ(0, report().attached);
    leave();
}

static void reports_traps_and_stops(void)
{
    CHECK_EQ(0, in_process("handler_limit_us=50000", "hostile.spin"));
    request.limits.handler_limit_us = 50000;
    request.limits.trap_limit = 2;
    CHECK_EQ(0, attach());
    CHECK_EQ(ISLE_SPIN_TRAPPED, hostile(HOSTILE_READ, 0x40));
    isle_hpu_report r = report();
    CHECK_EQ(ISLE_SPIN_ACCESS, r.cause);
    CHECK_EQ(0x40, r.address);
    CHECK_EQ(2, r.hpu);
    CHECK_EQ(ISLE_SPIN_PACKET, r.handler);
    CHECK(r.instruction);
    CHECK_EQ(0, r.stopped);
    CHECK_EQ(ISLE_SPIN_TRAPPED, hostile(HOSTILE_LOOP, 0));
    CHECK_EQ(ISLE_SPIN_REFUSED, hostile(HOSTILE_NOTHING, 0));
    r = report();
    CHECK_EQ(ISLE_SPIN_CPU_TIME, r.cause);
    CHECK_EQ(1, r.stopped);
    CHECK_EQ(2, r.traps);
    CHECK_EQ(1, r.refused);
    /* anew, with memory as it is */
    CHECK_EQ(0, detach());
    CHECK_EQ(0, attach());
    CHECK_EQ(ISLE_SPIN_DONE, hostile(HOSTILE_NOTHING, 0));
    leave();
}

static void refuses_what_is_not_the_contexts(void)
{
    const isle_hpu_attach_request good = (in_process("", "hostile.spin"), request);
#define WRONG(code, field, value, words)   \
    {                                      \
        request = good;                    \
        request.field = value;             \
        CHECK_EQ(code, attach());          \
        CHECK(strstr(why, words));         \
    }
    WRONG(-EINVAL, context, 0, "")
    WRONG(-ESTALE, context, core_id(ISLE_KIND_CONTEXT, 9, 1), "")
    WRONG(-EACCES, context, OTHER, "")
    WRONG(-EACCES, program, FOREIGN_PROGRAM, "")
    WRONG(-ESTALE, program, core_id(ISLE_KIND_PROGRAM, 1, 9), "")
    WRONG(-EINVAL, program, MEMORY(0), "")
    WRONG(-EACCES, memories[PACKETS], FOREIGN, "")
    WRONG(-EINVAL, memories[PACKETS], PROGRAM, "")
    WRONG(-EINVAL, memories[PACKETS], 0, "packets")
    WRONG(-EINVAL, memories[RINGS], MEMORY(HOST), "the same")
    WRONG(-EINVAL, memories[RINGS], 0, "rings")
    WRONG(-EINVAL, memories[SCRATCHPADS], 0, "scratchpads")
    WRONG(-EINVAL, memories[HOST_DATA], 0, "__host_data")
    WRONG(-EINVAL, limits.handler_limit_us, 0, "handler_limit_us is 0")
    WRONG(-EINVAL, limits.handler_limit_us, 5001, "handler_limit_us is 5001: 1 to 5000")
    WRONG(-EINVAL, limits.host_wait_ms, 1001, "at most 1000")
    WRONG(-EINVAL, limits.hpu_spin_us, 1000001, "hpu_spin_us")
#undef WRONG
    request = good;
    request.memories[HANDLER] = request.memories[HOST] = 0;
    CHECK_EQ(0, attach());
    CHECK_EQ(-EBUSY, attach());
    CHECK_EQ(ISLE_SPIN_DONE, hostile(HOSTILE_NOTHING, 0));
    leave();
}

static void memory_in_use_stays(void)
{
    uint64_t packets = MEMORY(PACKETS), context = CONTEXT, program = PROGRAM;
    CHECK_EQ(0, in_process("", "hostile.spin"));
    CHECK_EQ(0, attach());
    CHECK_EQ(-EBUSY, core_call(&core, ISLE_OP_FREE, &packets, sizeof packets));
    CHECK_EQ(0, core_call(&core, ISLE_OP_UNLOAD_PROGRAM, &program, sizeof program));
    CHECK_EQ(ISLE_SPIN_DONE, hostile(HOSTILE_NOTHING, 0));
    CHECK_EQ(0, core_call(&core, ISLE_OP_RESET_CONTEXT, &context, sizeof context));
    CHECK_EQ(0, report().attached);
    CHECK_EQ(0, core_call(&core, ISLE_OP_FREE, &packets, sizeof packets));
    CHECK_EQ(0, core_call(&core, ISLE_OP_DESTROY_CONTEXT, &context, sizeof context));
    CHECK_EQ(-ESTALE, attach());
    leave();
}

/* Closing ends what is attached, a handler that loops, too. */
static void closes_while_a_handler_runs(void)
{
    uint32_t packet[16] = {HOSTILE_LOOP};
    CHECK_EQ(0, in_process("handler_limit_us=10000000", "hostile.spin"));
    request.limits.handler_limit_us = 10000000;
    CHECK_EQ(0, attach());
    isle_spin_hpu *h = &rings()->hpus[2];
    memcpy(heap + places[PACKETS].offset, packet, sizeof packet);
    h->task.handler = ISLE_SPIN_PACKET;
    h->task.length = sizeof packet;
    __atomic_store_n(&h->task.posted, 1, __ATOMIC_SEQ_CST);
    futex_wake_all(&h->task.posted);
    while (__atomic_load_n(&h->end.state, __ATOMIC_ACQUIRE) != ISLE_SPIN_RUNNING)
        usleep(100);
    CHECK_EQ(0, core_call(&core, ISLE_OP_CLOSE, NULL, 0));
    CHECK_EQ(ISLE_SPIN_STOPPED, h->end.cause);
    leave();
}

static uint64_t any_id(uint64_t *seed)
{
    const uint64_t ids[] = {0, CONTEXT, OTHER, PROGRAM, FOREIGN_PROGRAM, FOREIGN, UINT64_MAX, MEMORY(7), test_random(seed)};
    uint64_t r = test_random(seed);
    return r % 3 ? MEMORY(r / 3 % ISLE_HPU_MEMORIES) : ids[r / 3 % (sizeof ids / sizeof *ids)];
}

static void random_requests_break_nothing(void)
{
    CHECK_EQ(0, in_process("", "udp_ping.spin"));
    const isle_hpu_attach_request good = request;
    for (uint64_t seed = 1, attached = 0; seed <= 1500; seed++) {
        uint64_t state = seed, *fields = (uint64_t *)(void *)&request, any = any_id(&state);
        request = good;
        for (uint64_t n = test_random(&state) % 3; n; n--)
            fields[test_random(&state) % (sizeof request / sizeof any)] = any_id(&state);
        CHECK(attach() <= 0);
        core_call(&core, test_random(&state) % 2 ? ISLE_OP_HPU_REPORT : ISLE_OP_HPU_DETACH, &any, sizeof any);
        attached += report().attached;
        CHECK(seed < 1500 || attached);
    }
    detach();
    request = good;
    CHECK_EQ(0, attach());
    uint8_t frame[60] = {0};
    CHECK_EQ(ISLE_SPIN_DONE, run(frame, sizeof frame));
    leave();
}

static void other_programs_are_no_images(void)
{
    CHECK_EQ(0, in_process("", "hostile.spin"));
    CHECK_EQ(-EINVAL, load("hostile.spin", CONTEXT, MEMORY(9)));
    CHECK_EQ(IO_NOT_SUPPORTED, core_program(&core, CONTEXT, core_id(ISLE_KIND_PROGRAM, 1, 5), "noop"));
    CHECK_EQ(-EINVAL, load("checked", CONTEXT, core_id(ISLE_KIND_PROGRAM, 1, 6)));
    leave();
}

static int in_host(const char *settings, const char *image)
{
    core_make(&core);
    int rc = core_host_start(&core, "libspin.so");
    if (!rc && core_host_wait(&core, 30000) != ISLE_HOST_READY)
        rc = -ENODEV;
    return rc ? rc : prepare(settings, image);
}

/* With the sandbox of drivers: traps and limits work there as here. */
static void a_process_of_its_own_has_handlers(void)
{
    CHECK_EQ(0, in_host("handler_limit_us=50000", "hostile.spin"));
    request.limits.handler_limit_us = 50000;
    int rc = attach();
    if (rc)
        printf("  %s\n", why);
    CHECK_EQ(0, rc);
    CHECK_EQ(ISLE_SPIN_DONE, hostile(HOSTILE_NOTHING, 0));
    CHECK_EQ(ISLE_SPIN_TRAPPED, hostile(HOSTILE_WRITE, 0x40));
    CHECK_EQ(ISLE_SPIN_TRAPPED, hostile(HOSTILE_LOOP, 0));
    CHECK_EQ(ISLE_SPIN_CPU_TIME, report().cause);
    CHECK_EQ(ISLE_SPIN_DONE, hostile(HOSTILE_CALL, SYS_getpid));
    CHECK_EQ(ISLE_SPIN_DONE, hostile(HOSTILE_NOTHING, 0));
    CHECK_EQ(0, detach());
    core_call(&core, ISLE_OP_EXIT, NULL, 0);
    CHECK_EQ(0, core_host_reap(&core, 10000));
    core_free(&core);
}

static void an_hpu_that_hears_nothing_ends_the_process(void)
{
    CHECK_EQ(0, in_host("", "hostile.spin"));
    CHECK_EQ(0, attach());
    uint32_t packet[16] = {HOSTILE_DEAF};
    isle_spin_hpu *h = &rings()->hpus[2];
    memcpy(heap + places[PACKETS].offset, packet, sizeof packet);
    h->task.handler = ISLE_SPIN_PACKET;
    h->task.length = sizeof packet;
    __atomic_store_n(&h->task.posted, 1, __ATOMIC_SEQ_CST);
    futex_wake_all(&h->task.posted);
    int status = core_host_reap(&core, 20000);
    CHECK(status != -1);
    CHECK_EQ(ISLE_HOST_CRASHED, core.channel->host_state);
    core_free(&core);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(says_what_it_has),
                                        TEST(runs_handlers_on_buffers),
                                        TEST(reports_traps_and_stops),
                                        TEST(refuses_what_is_not_the_contexts),
                                        TEST(memory_in_use_stays),
                                        TEST(closes_while_a_handler_runs),
                                        TEST(random_requests_break_nothing),
                                        TEST(other_programs_are_no_images),
                                        TEST(a_process_of_its_own_has_handlers),
                                        TEST(an_hpu_that_hears_nothing_ends_the_process)};
    if (!rig_can("spin_driver", sizeof tests / sizeof *tests))
        return 0;
    return run_tests("spin_driver", tests, sizeof tests / sizeof *tests, argc, argv);
}
