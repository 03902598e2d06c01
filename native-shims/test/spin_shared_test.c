/* HPUs and contexts beside each other. */
#include "spin_harness.h"

static struct rig rig;

/* All HPUs at once, on one scratchpad: no count is lost. */
static void atomics_are_atomic(void)
{
    uint8_t frame[256];
    uint32_t total = 0, counts[257];
    rig_make(&rig);
    for (uint32_t i = 0; i < sizeof frame; i++)
        frame[i] = (uint8_t)i;
    CHECK_EQ(0, rig_attach(&rig, "histogram.spin"));
    for (int round = 0; round < 20; round++) {
        for (uint32_t hpu = 0; hpu < ISLE_SPIN_HPUS; hpu++)
            rig_post(&rig, hpu, ISLE_SPIN_PACKET, 0, frame, sizeof frame);
        for (uint32_t hpu = 0; hpu < ISLE_SPIN_HPUS; hpu++)
            CHECK(rig_wait(&rig, hpu));
    }
    for (uint32_t c = 0; c < ISLE_SPIN_CLUSTERS; c++) {
        memcpy(counts, rig.scratchpads + c * ISLE_SPIN_QUEUES * RIG_SCRATCHPAD, sizeof counts);
        for (uint32_t i = 0; i < 256; i++)
            total += counts[i];
        CHECK_EQ(256, counts[256]);
    }
    CHECK_EQ(20 * ISLE_SPIN_HPUS * 256, total);
    rig_free(&rig);
}

/* All HPUs at once, on the same locks. */
static void locks_exclude(void)
{
    struct {
        uint32_t lock, rw_lock, readers, under_lock, written, torn, reserved;
    } counts;
    uint8_t frame[64] = {0};
    const uint32_t runs = 4 * ISLE_SPIN_HPUS * 25;
    rig_make(&rig);
    rig.how.limits.handler_limit_us = 1000000;
    CHECK_EQ(0, rig_attach(&rig, "locks.spin"));
    for (int round = 0; round < 4; round++) {
        for (uint32_t hpu = 0; hpu < ISLE_SPIN_HPUS; hpu++)
            rig_post(&rig, hpu, ISLE_SPIN_PACKET, 0, frame, sizeof frame);
        for (uint32_t hpu = 0; hpu < ISLE_SPIN_HPUS; hpu++)
            CHECK(rig_wait(&rig, hpu));
    }
    memcpy(&counts, rig.handler, sizeof counts);
    CHECK_EQ(0, rig.rings->counters.traps);
    CHECK_EQ(0, counts.lock + counts.rw_lock + counts.readers);
    CHECK_EQ(runs, counts.under_lock);
    CHECK_EQ(runs, counts.written);
    CHECK_EQ(0, counts.torn);
    CHECK_EQ(runs, counts.reserved);
    CHECK_EQ(runs, rig.host_data->counters[3].count);
    CHECK_EQ(2 * runs, rig.host_data->counters[3].sum);
    rig_free(&rig);
}

static void contexts_run_beside_each_other(void)
{
    static struct rig others[3];
    uint8_t frame[ISLE_SPIN_FRAME] = {0};
    frame[14] = 0x45;
    for (int i = 0; i < 3; i++) {
        rig_make(&others[i]);
        CHECK_EQ(0, rig_attach(&others[i], "udp_ping.spin"));
    }
    for (int i = 0; i < 3; i++) {
        frame[50] = (uint8_t)(i + 1);
        CHECK_EQ(ISLE_SPIN_DONE, rig_run(&others[i], 4, ISLE_SPIN_PACKET, 0, frame, 64));
    }
    rig_detach(&others[1]);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(64, rig_sent(&others[i], 4, frame));
        CHECK_EQ(i + 1, frame[50]);
    }
    CHECK_EQ(ISLE_SPIN_DONE, rig_run(&others[2], 4, ISLE_SPIN_PACKET, 0, frame, 64));
    for (int i = 0; i < 3; i++)
        rig_free(&others[i]);
}

int main(int argc, char **argv)
{
    static const struct test tests[] = {TEST(atomics_are_atomic), TEST(locks_exclude), TEST(contexts_run_beside_each_other)};
    if (!rig_can("spin_shared", sizeof tests / sizeof *tests))
        return 0;
    return run_tests("spin_shared", tests, sizeof tests / sizeof *tests, argc, argv);
}
