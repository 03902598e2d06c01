/* Handlers that crash and name what is not theirs: each costs its packet only. */
#define _GNU_SOURCE
#include <signal.h>

#include "handlers/hostile.h"
#include "spin_harness.h"

static struct rig rig;

/* 0, or what is different from a trap of the cause. */
static int traps(uint32_t cause, uint8_t action, uint32_t argument)
{
    uint32_t packet[16] = {action, argument};
    int result = rig_run(&rig, 3, ISLE_SPIN_PACKET, 0, packet, sizeof packet);
    if (result != ISLE_SPIN_TRAPPED)
        return 1000 + result;
    return rig.rings->hpus[3].end.cause == cause ? 0 : (int)rig.rings->hpus[3].end.cause;
}

static int works(uint32_t hpu)
{
    uint32_t packet[16] = {HOSTILE_NOTHING};
    return rig_run(&rig, hpu, ISLE_SPIN_PACKET, 0, packet, sizeof packet);
}

static void faults_are_traps(void)
{
    rig_make(&rig);
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    uint64_t in_image = 0;
    CHECK_EQ(0, traps(ISLE_SPIN_ACCESS, HOSTILE_READ, 0x1234));
    CHECK_EQ(0x1234, rig.rings->hpus[3].end.address);
    in_image = rig.rings->hpus[3].end.instruction;
    CHECK(in_image >= 0x1000 && in_image < 0x10000);
    CHECK_EQ(0, traps(ISLE_SPIN_ACCESS, HOSTILE_WRITE, 0xffffffff));
    CHECK_EQ(0, traps(ISLE_SPIN_ARITHMETIC, HOSTILE_DIVIDE, 0));
    CHECK_EQ(0, traps(ISLE_SPIN_ILLEGAL, HOSTILE_ILLEGAL, 0));
    CHECK_EQ(0, traps(ISLE_SPIN_BREAK, HOSTILE_BREAK, 0));
    CHECK_EQ(0, traps(ISLE_SPIN_ACCESS, HOSTILE_JUMP, 0x10));
    CHECK_EQ(0, rig.rings->hpus[3].end.instruction);
    CHECK_EQ(0, traps(ISLE_SPIN_ACCESS, HOSTILE_DEEP, 0));
    CHECK_EQ(0, traps(ISLE_SPIN_ACCESS, HOSTILE_STACK, 0x40));
    CHECK_EQ(0, traps(ISLE_SPIN_EXIT, HOSTILE_EXIT, 0));
    CHECK_EQ(0, traps(ISLE_SPIN_EXIT, HOSTILE_ASSERT, 0));
    CHECK(strstr(rig_text(&rig), "assertion failed: argument == 12345"));
    CHECK_EQ(10, rig.rings->counters.traps);
    CHECK_EQ(10, rig.rings->counters.tasks);
    CHECK_EQ(ISLE_SPIN_DONE, works(3));
    CHECK_EQ(0, rig.rings->hpus[3].end.cause);
    rig_free(&rig);
}

static void code_cannot_be_written(void)
{
    rig_make(&rig);
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    CHECK_EQ(0, traps(ISLE_SPIN_ILLEGAL, HOSTILE_ILLEGAL, 0));
    CHECK_EQ(0, traps(ISLE_SPIN_ACCESS, HOSTILE_READ, 0));
    uint32_t base = 0x10000000, packet[16] = {HOSTILE_READ, base};
    /* the image begins at one of few places */
    while (rig_run(&rig, 3, ISLE_SPIN_PACKET, 0, packet, sizeof packet) == ISLE_SPIN_TRAPPED)
        packet[1] += 0x01000000;
    CHECK_EQ(0, traps(ISLE_SPIN_ACCESS, HOSTILE_WRITE, packet[1] + 0x1000));
    CHECK_EQ(packet[1] + 0x1000, rig.rings->hpus[3].end.address);
    CHECK_EQ(0, traps(ISLE_SPIN_ACCESS, HOSTILE_WRITE, packet[1]));
    rig_free(&rig);
}

static void a_call_with_a_bad_stack_is_a_trap(void)
{
    rig_make(&rig);
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    CHECK_EQ(0, traps(ISLE_SPIN_ACCESS, HOSTILE_SHALLOW, 0x1000));
    CHECK_EQ(0, traps(ISLE_SPIN_BREAK, HOSTILE_FLAGS, 0x100));
    CHECK_EQ(ISLE_SPIN_DONE, works(3));
    rig_free(&rig);
}

static void control_words_of_a_handler_end_with_it(void)
{
    uint32_t packet[16] = {HOSTILE_CONTROL, 0};
    rig_make(&rig);
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    for (int i = 0; i < 3; i++)
        CHECK_EQ(ISLE_SPIN_DONE, rig_run(&rig, 3, ISLE_SPIN_PACKET, 0, packet, sizeof packet));
    CHECK_EQ(ISLE_SPIN_DONE, works(3));
    rig_free(&rig);
}

/* With checks of alignment left on, the copy of the next packet would end the process. */
static void flags_of_a_handler_end_with_it(void)
{
    uint32_t packet[16] = {HOSTILE_FLAGS, 0x40000};
    rig_make(&rig);
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    for (uint32_t length = 57; length < 64; length++) {
        memcpy(rig.packets + length, packet, length);
        rig_post_at(&rig, 3, ISLE_SPIN_PACKET, 0, length, length);
        CHECK(rig_wait(&rig, 3));
        CHECK(rig.rings->hpus[3].end.result == ISLE_SPIN_DONE || rig.rings->hpus[3].end.cause == ISLE_SPIN_BUS);
    }
    CHECK_EQ(ISLE_SPIN_DONE, works(3));
    rig_free(&rig);
}

static void what_is_outside_is_refused_and_counted(void)
{
    const uint32_t places[] = {0, 0x1000, 0xfffffff0, 0xffffffff};
    rig_make(&rig);
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        uint32_t packet[16] = {HOSTILE_OUTSIDE, places[i]};
        CHECK_EQ(ISLE_SPIN_DONE, rig_run(&rig, 5, ISLE_SPIN_PACKET, 0, packet, sizeof packet));
        const char *text = rig_text(&rig);
        if (strcmp(text, "17 failed\n"))
            printf("  %x: %s", places[i], text);
        CHECK(!strcmp(text, "17 failed\n"));
    }
    CHECK_EQ(4 * 17, rig.rings->counters.failed);
    CHECK_EQ(0, rig.rings->counters.sends);
    CHECK_EQ(0, rig.host[0]);
    rig_free(&rig);
}

static void reservations_hold_until_the_word_changes(void)
{
    uint32_t packet[16] = {HOSTILE_RESERVE};
    rig_make(&rig);
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    CHECK_EQ(ISLE_SPIN_DONE, rig_run(&rig, 5, ISLE_SPIN_PACKET, 0, packet, sizeof packet));
    CHECK(!strncmp(rig_text(&rig), "5 0 1 1 ", 8));
    rig_free(&rig);
}

static void tasks_that_name_nothing_are_refused(void)
{
    uint32_t packet[16] = {HOSTILE_ILLEGAL};
    rig_make(&rig);
    memset(rig.packets + RIG_PACKETS - 2, HOSTILE_ILLEGAL, 1);
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    CHECK_EQ(ISLE_SPIN_REFUSED, rig_run(&rig, 1, ISLE_SPIN_HEADER, 0, packet, sizeof packet));
    CHECK_EQ(ISLE_SPIN_REFUSED, rig_run(&rig, 1, 3, 0, packet, sizeof packet));
    CHECK_EQ(ISLE_SPIN_REFUSED, rig_run(&rig, 1, ISLE_SPIN_PACKET, 16, packet, sizeof packet));
    CHECK_EQ(ISLE_SPIN_REFUSED, rig_run(&rig, 1, ISLE_SPIN_PACKET, 0, packet, 0));
    CHECK_EQ(ISLE_SPIN_REFUSED, rig_run(&rig, 1, ISLE_SPIN_PACKET, 0, NULL, ISLE_SPIN_FRAME + 1));
    rig_post_at(&rig, 1, ISLE_SPIN_PACKET, 0, RIG_PACKETS - 1, 2);
    CHECK(rig_wait(&rig, 1));
    CHECK_EQ(ISLE_SPIN_REFUSED, rig.rings->hpus[1].end.result);
    rig_post_at(&rig, 1, ISLE_SPIN_PACKET, 0, UINT32_MAX, 2);
    CHECK(rig_wait(&rig, 1));
    CHECK_EQ(ISLE_SPIN_REFUSED, rig.rings->hpus[1].end.result);
    rig_post_at(&rig, 1, ISLE_SPIN_PACKET, 0, RIG_PACKETS - 2, 2);
    CHECK(rig_wait(&rig, 1));
    CHECK_EQ(ISLE_SPIN_TRAPPED, rig.rings->hpus[1].end.result);
    CHECK_EQ(7, rig.rings->counters.refused);
    rig_free(&rig);
}

static volatile sig_atomic_t seen;

static void see(int signal)
{
    seen = signal;
}

static void signals_of_others_reach_them(void)
{
    struct sigaction mine = {.sa_handler = see}, old, now;
    sigaction(SIGSEGV, &mine, &old);
    rig_make(&rig);
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    raise(SIGSEGV);
    CHECK_EQ(SIGSEGV, seen);
    CHECK_EQ(0, traps(ISLE_SPIN_ACCESS, HOSTILE_READ, 0));
    rig_free(&rig);
    sigaction(SIGSEGV, &old, &now);
    CHECK(now.sa_handler == see);
}

static void attaching_says_what_is_wrong(void)
{
    rig_make(&rig);
    CHECK(rig_attach(&rig, "beginless.spin") < 0);
    CHECK(strstr(rig.why, "init_handlers was ended: CPU time"));
    CHECK(rig_attach(&rig, "wild.spin") < 0);
    CHECK(strstr(rig.why, "no code of the image"));
    rig.how.program_bytes = 4096;
    CHECK(rig_attach(&rig, "hostile.spin") < 0);
    CHECK(strstr(rig.why, "4096 bytes of program memory"));
    rig.how.program_bytes = 256u << 10;
    rig.how.limits.hpu_mhz = 0;
    CHECK(rig_attach(&rig, "hostile.spin") < 0);
    CHECK(strstr(rig.why, "hpu_mhz"));
    rig.how.limits.hpu_mhz = 40;
    rig.how.scratchpads.size = 4097;
    CHECK(rig_attach(&rig, "hostile.spin") < 0);
    CHECK(strstr(rig.why, "scratchpads"));
    rig.how.scratchpads.size = RIG_SCRATCHPAD * ISLE_SPIN_CLUSTERS * ISLE_SPIN_QUEUES;
    CHECK_EQ(0, rig_attach(&rig, "hostile.spin"));
    rig_free(&rig);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(faults_are_traps),
                                        TEST(code_cannot_be_written),
                                        TEST(a_call_with_a_bad_stack_is_a_trap),
                                        TEST(control_words_of_a_handler_end_with_it),
                                        TEST(flags_of_a_handler_end_with_it),
                                        TEST(what_is_outside_is_refused_and_counted),
                                        TEST(reservations_hold_until_the_word_changes),
                                        TEST(tasks_that_name_nothing_are_refused),
                                        TEST(signals_of_others_reach_them),
                                        TEST(attaching_says_what_is_wrong)};
    if (!rig_can("spin_hostile", sizeof tests / sizeof *tests))
        return 0;
    return run_tests("spin_hostile", tests, sizeof tests / sizeof *tests, argc, argv);
}
