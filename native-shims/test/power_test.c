/* Levels, states, heat and health of the software accelerator. */
#include <errno.h>

#include "futex.h"
#include "soft_harness.h"

static const char *const settings = "compute_units=1\nfault_injection=true";

static AccelPowerState power(void)
{
    AccelPowerState p = {.state = 99};
    if (!core_call(&soft, ISLE_OP_POWER, NULL, 0))
        memcpy(&p, core_body(&soft), sizeof p);
    return p;
}

static AccelHealthData health(void)
{
    AccelHealthData h = {.error_code = 99};
    if (!core_call(&soft, ISLE_OP_HEALTH, NULL, 0))
        memcpy(&h, core_body(&soft), sizeof h);
    return h;
}

static int put(uint32_t op, uint32_t value)
{
    return core_call(&soft, op, &value, sizeof value);
}

static int begin(const char *with)
{
    int rc = soft_begin(with, NULL);
    return rc ? rc : core_program(&soft, CONTEXT, PROGRAM, "busy");
}

/* Wall time of busy work, ns; 0 when it fails. */
static uint64_t takes(uint64_t us)
{
    uint64_t tag;
    isle_completion_slot s;
    if (soft_busy(CONTEXT, us, 0, &tag) || !core_next(&soft, 20000, &s) || s.status)
        return 0;
    return s.end_ns - s.start_ns;
}

static void states_are_entered_and_reported(void)
{
    uint32_t states;
    CHECK_EQ(0, begin(settings));
    CHECK_EQ(0, core_call(&soft, ISLE_OP_POWER_STATES, NULL, 0));
    memcpy(&states, core_body(&soft), sizeof states);
    CHECK_EQ(1u << ACCEL_POWER_D0_ACTIVE | 1u << ACCEL_POWER_D1_LOW_POWER, states);
    CHECK_EQ(ACCEL_POWER_D0_ACTIVE, power().state);
    uint32_t active_mw = power().power_mw;
    CHECK_EQ(0, put(ISLE_OP_SET_POWER, ACCEL_POWER_D1_LOW_POWER));
    CHECK(power().state == ACCEL_POWER_D1_LOW_POWER && power().clock_mhz == 500 && power().power_mw < active_mw);
    CHECK_EQ(IO_NOT_SUPPORTED, put(ISLE_OP_SET_POWER, ACCEL_POWER_D3_OFF));
    CHECK_EQ(IO_NOT_SUPPORTED, put(ISLE_OP_SET_POWER, 2));
    CHECK_EQ(IO_NOT_SUPPORTED, put(ISLE_OP_SET_POWER, 77));
    CHECK(takes(1000) >= 6000000); /* it works, at a sixth of the clock */
    CHECK_EQ(0, put(ISLE_OP_SET_POWER, ACCEL_POWER_D0_ACTIVE));
    CHECK_EQ(ACCEL_POWER_D0_ACTIVE, power().state);
    soft_end();
}

static void levels_set_the_speed(void)
{
    CHECK_EQ(0, begin(settings));
    CHECK_EQ(0, put(ISLE_OP_SET_PERF_LEVEL, ACCEL_PERF_LOW));
    CHECK_EQ(1000, power().clock_mhz);
    CHECK(takes(2000) >= 6000000);
    CHECK_EQ(0, put(ISLE_OP_SET_PERF_LEVEL, ACCEL_PERF_BALANCED));
    CHECK_EQ(2000, power().clock_mhz);
    CHECK(takes(2000) >= 3000000);
    CHECK_EQ(0, put(ISLE_OP_SET_PERF_LEVEL, ACCEL_PERF_HIGH));
    CHECK_EQ(3000, power().clock_mhz);
    CHECK(takes(2000) >= 2000000);
    CHECK_EQ(-EINVAL, put(ISLE_OP_SET_PERF_LEVEL, 4));
    soft_end();
}

static void load_heats_and_heat_throttles(void)
{
    CHECK_EQ(0, begin("compute_units=1\nthrottle_celsius=45\nthermal_ms=20"));
    AccelPowerState cold = power();
    CHECK(cold.temperature_mc == 35000 && !cold.throttled && health().throttle_count == 0);
    AccelPowerState hot = cold; /* it may cool down between two questions */
    for (int i = 0; i < 200 && !(hot = power()).throttled; i++)
        CHECK(takes(20000));
    CHECK(hot.throttled && hot.temperature_mc >= 40000 && hot.clock_mhz == 1000);
    CHECK(health().throttle_count >= 1 && health().temperature_mc > 35000);
    uint64_t until = clock_ns() + 20000000000ull;
    while (power().throttled && clock_ns() < until)
        ; /* the model cools down with the clock */
    CHECK(!power().throttled && power().temperature_mc < 40000);
    soft_end();
}

static void an_injected_throttling_ends_by_itself(void)
{
    CHECK_EQ(0, begin(settings));
    CHECK_EQ(0, soft_inject(ISLE_FAULT_THROTTLE, 0, 1, 30000000));
    CHECK(takes(1000));
    CHECK_EQ(1, health().throttle_count);
    uint64_t until = clock_ns() + 20000000000ull;
    while (power().throttled && clock_ns() < until)
        ;
    CHECK(!power().throttled);
    CHECK_EQ(1, health().throttle_count);
    CHECK_EQ(0, soft_inject(ISLE_FAULT_THROTTLE, 0, 1, UINT64_MAX));
    CHECK(takes(1000) >= 3000000);
    CHECK(power().throttled && power().clock_mhz == 1000);
    soft_end();
}

static void work_after_a_throttling_is_fast_though_nobody_looked(void)
{
    uint64_t tag;
    isle_completion_slot s;
    CHECK_EQ(0, begin(settings));
    CHECK_EQ(0, soft_inject(ISLE_FAULT_THROTTLE, 0, 1, 5000000));
    CHECK(takes(1000));
    for (uint64_t until = clock_ns() + 40000000; clock_ns() < until;)
        ; /* over, and longer ago than the model's window */
    CHECK_EQ(0, soft_busy(CONTEXT, 2000, 0, &tag));
    CHECK(core_next(&soft, 20000, &s) && s.status == ACCEL_COMPLETION_SUCCESS);
    CHECK(s.busy_ns >= 2000000 && s.busy_ns < 4000000); /* at a third of the clock it would be 6 ms */
    soft_end();
}

static void errors_are_counted(void)
{
    CHECK_EQ(0, begin(settings));
    CHECK_EQ(-EINVAL, soft_inject(ISLE_FAULT_PCIE_REPLAY, 0, 1, 1ull << 32));
    CHECK_EQ(0, soft_inject(ISLE_FAULT_ECC_CORRECTABLE, 0, 3, 0));
    for (int i = 0; i < 5; i++)
        CHECK(takes(1));
    CHECK_EQ(0, soft_inject(ISLE_FAULT_PCIE_REPLAY, 0, 2, 5));
    CHECK(takes(1) && takes(1));
    CHECK_EQ(0, soft_inject(ISLE_FAULT_PCIE_REPLAY, 0, 1, 0));
    CHECK(takes(1));
    AccelHealthData h = health();
    CHECK(h.ecc_correctable == 3 && h.ecc_uncorrectable == 0 && h.pcie_replay_count == 11 && h.error_code == 0);
    CHECK_EQ(0, core_call(&soft, ISLE_OP_RESET_DEVICE, NULL, 0));
    CHECK_EQ(3, health().ecc_correctable);
    soft_end();
}

static const struct test tests[] = {
    TEST(states_are_entered_and_reported),
    TEST(levels_set_the_speed),
    TEST(load_heats_and_heat_throttles),
    TEST(an_injected_throttling_ends_by_itself),
    TEST(work_after_a_throttling_is_fast_though_nobody_looked),
    TEST(errors_are_counted),
};

int main(int argc, char **argv)
{
    return run_tests("power", tests, sizeof tests / sizeof tests[0], argc, argv);
}
