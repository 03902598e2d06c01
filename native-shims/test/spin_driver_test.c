/* The driver `spin`, through driver-rt in this process. */
#include <errno.h>
#include <unistd.h>

#include "handlers/hostile.h"
#include "spin_core.h"

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
    uint32_t cause = rings()->hpus[2].end.cause;
    CHECK(spin_time_was_over(&rings()->hpus[2].end, 50000));
    CHECK_EQ(ISLE_SPIN_REFUSED, hostile(HOSTILE_NOTHING, 0));
    r = report();
    CHECK_EQ(cause, r.cause);
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
    const isle_hpu_attach_request good = (in_process("handler_limit_us=5000", "hostile.spin"), request);
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
    post(packet, sizeof packet);
    while (!__atomic_load_n(heap + places[HANDLER].offset + HOSTILE_BEGUN + 2, __ATOMIC_ACQUIRE))
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

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(says_what_it_has),
                                        TEST(runs_handlers_on_buffers),
                                        TEST(reports_traps_and_stops),
                                        TEST(refuses_what_is_not_the_contexts),
                                        TEST(memory_in_use_stays),
                                        TEST(closes_while_a_handler_runs),
                                        TEST(random_requests_break_nothing),
                                        TEST(other_programs_are_no_images)};
    if (!rig_can("spin_driver", sizeof tests / sizeof *tests))
        return 0;
    return run_tests("spin_driver", tests, sizeof tests / sizeof *tests, argc, argv);
}
