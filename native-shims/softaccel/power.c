/*
 * Load, heat and clock. Load is measured: CPU time of the workers over wall time and units, in windows of at least 10 ms. The rest is a
 * model of that load, and stands for no sensor:
 *   temperature  goes to 35 C idle, 75 C at full load and clock, with the time constant thermal_ms
 *   clock        3000 MHz, 2000 balanced, 1000 low or throttled, 500 in D1; automatic runs at 3000 and reports 1000 to 3000 by load
 *   power        2 W (0.5 W in D1) + 8 W a unit at full load, scaled by the clock
 *   bandwidth    bytes moved against 20 GB/s
 * Work is as much slower as the clock is lower.
 */
#include "power.h"

#include <errno.h>

#include "clock.h"
#include "work.h"

#define WINDOW_NS 10000000u
#define NOMINAL_BYTES_PER_S 20000000000.0
#define AMBIENT_MC 35000.0
#define LOAD_MC 40000.0
#define COOLER_MC 5000 /* below the limit before clocks go up again */
#define BALANCED_MHZ 2000u
#define LOW_MHZ 1000u
#define D1_MHZ 500u

static bool is_throttled(struct device *d, uint64_t now)
{
    return d->hot || now < atomic_load(&d->throttle_until_ns);
}

static uint32_t clock_for(struct device *d, uint64_t now)
{
    if (atomic_load(&d->power_level) != ACCEL_POWER_D0_ACTIVE)
        return D1_MHZ;
    if (is_throttled(d, now))
        return LOW_MHZ;
    switch (atomic_load(&d->perf_level)) {
    case ACCEL_PERF_LOW:
        return LOW_MHZ;
    case ACCEL_PERF_BALANCED:
        return BALANCED_MHZ;
    default:
        return SOFT_FULL_MHZ;
    }
}

static void set_clock(struct device *d, uint64_t now)
{
    atomic_store(&d->clock_mhz, clock_for(d, now));
}

void model_init(struct device *d)
{
    pthread_mutex_init(&d->model_lock, NULL);
    uint64_t now = soft_now();
    atomic_store(&d->sample_ns, now);
    d->temperature_mc = AMBIENT_MC;
    set_clock(d, now);
}

static void measure(struct device *d, double wall_ns)
{
    uint64_t busy = 0, bytes = 0;
    for (uint32_t i = 0; i < d->settings.compute_units; i++) {
        busy += atomic_load_explicit(&d->workers[i].busy_ns, memory_order_relaxed);
        bytes += atomic_load_explicit(&d->workers[i].bytes_moved, memory_order_relaxed);
    }
    double load = 100.0 * (double)(busy - d->sample_busy_ns) / (wall_ns * d->settings.compute_units);
    double bandwidth = 100.0 * (double)(bytes - d->sample_bytes) * 1e9 / (wall_ns * NOMINAL_BYTES_PER_S);
    d->load_percent = load > 100 ? 100 : (uint32_t)(load + 0.5);
    d->bandwidth_percent = bandwidth > 100 ? 100 : (uint32_t)(bandwidth + 0.5);
    d->sample_busy_ns = busy;
    d->sample_bytes = bytes;
}

/* The way to the target in one step of the exponential: wall / (wall + time constant), which is close for short steps and never past. */
static void heat(struct device *d, double wall_ns, uint64_t now)
{
    double clock = (double)atomic_load(&d->clock_mhz) / SOFT_FULL_MHZ;
    double target = AMBIENT_MC + LOAD_MC * d->load_percent / 100.0 * clock;
    d->temperature_mc += (target - d->temperature_mc) * wall_ns / (wall_ns + d->settings.thermal_ms * 1e6);
    if (!d->hot && d->temperature_mc > d->settings.throttle_mc) {
        d->hot = true;
        atomic_fetch_add(&d->throttle_count, 1);
    } else if (d->hot && d->temperature_mc < d->settings.throttle_mc - COOLER_MC) {
        d->hot = false;
    }
    set_clock(d, now);
}

void model_step(struct device *d, uint64_t now)
{
    uint64_t last = atomic_load_explicit(&d->sample_ns, memory_order_relaxed);
    if (now < last + WINDOW_NS || pthread_mutex_trylock(&d->model_lock))
        return;
    last = atomic_load_explicit(&d->sample_ns, memory_order_relaxed);
    if (now >= last + WINDOW_NS) {
        measure(d, (double)(now - last));
        heat(d, (double)(now - last), now);
        atomic_store_explicit(&d->sample_ns, now, memory_order_relaxed);
    }
    pthread_mutex_unlock(&d->model_lock);
}

void model_throttle(struct device *d, uint64_t ns)
{
    uint64_t now = soft_now();
    pthread_mutex_lock(&d->model_lock);
    atomic_store(&d->throttle_until_ns, now + (ns < UINT64_MAX / 2 ? ns : UINT64_MAX / 2));
    atomic_fetch_add(&d->throttle_count, 1);
    set_clock(d, now);
    pthread_mutex_unlock(&d->model_lock);
}

uint64_t model_stretch(struct device *d, uint64_t ns)
{
    uint32_t clock = atomic_load_explicit(&d->clock_mhz, memory_order_relaxed);
    return clock >= SOFT_FULL_MHZ ? 0 : ns * (SOFT_FULL_MHZ - clock) / clock;
}

uint32_t model_clock_mhz(const struct device *d)
{
    uint32_t clock = atomic_load(&d->clock_mhz);
    bool automatic = clock == SOFT_FULL_MHZ && atomic_load(&d->perf_level) == ACCEL_PERF_AUTO;
    return automatic ? LOW_MHZ + (SOFT_FULL_MHZ - LOW_MHZ) / 100 * d->load_percent : clock;
}

uint32_t model_power_mw(const struct device *d)
{
    uint32_t base = atomic_load(&d->power_level) == ACCEL_POWER_D0_ACTIVE ? 2000 : 500;
    return base + 8000 * d->settings.compute_units / 100 * d->load_percent / 3 * model_clock_mhz(d) / 1000;
}

/* The clock may have been held down until a moment that has passed. */
static void refresh(struct device *d)
{
    uint64_t now = soft_now();
    model_step(d, now);
    pthread_mutex_lock(&d->model_lock);
    set_clock(d, now);
    pthread_mutex_unlock(&d->model_lock);
}

IoResultCode soft_get_power_state(void *ctx, AccelPowerState *out)
{
    struct device *d = ctx;
    if (!out)
        return -EINVAL;
    refresh(d);
    pthread_mutex_lock(&d->model_lock);
    *out = (AccelPowerState){.state = atomic_load(&d->power_level),
                             .perf_level = atomic_load(&d->perf_level),
                             .temperature_mc = (uint32_t)d->temperature_mc,
                             .power_mw = model_power_mw(d),
                             .clock_mhz = model_clock_mhz(d),
                             .throttled = is_throttled(d, soft_now())};
    pthread_mutex_unlock(&d->model_lock);
    return 0;
}

static void choose(struct device *d, atomic_uint *what, uint32_t value)
{
    pthread_mutex_lock(&d->model_lock);
    atomic_store(what, value);
    set_clock(d, soft_now());
    pthread_mutex_unlock(&d->model_lock);
}

IoResultCode soft_set_performance_level(void *ctx, AccelPerfLevel level)
{
    struct device *d = ctx;
    if (level > ACCEL_PERF_HIGH)
        return -EINVAL;
    choose(d, &d->perf_level, level);
    return 0;
}

static IoResultCode set_state(void *ctx, AccelPowerLevel state)
{
    struct device *d = ctx;
    if (state != ACCEL_POWER_D0_ACTIVE && state != ACCEL_POWER_D1_LOW_POWER)
        return IO_NOT_SUPPORTED;
    choose(d, &d->power_level, state);
    return 0;
}

static IoResultCode get_health(void *ctx, AccelHealthData *out)
{
    struct device *d = ctx;
    if (!out)
        return -EINVAL;
    refresh(d);
    pthread_mutex_lock(&d->model_lock);
    *out = (AccelHealthData){.temperature_mc = (uint32_t)d->temperature_mc,
                             .power_mw = model_power_mw(d),
                             .ecc_correctable = atomic_load(&d->ecc_correctable),
                             .ecc_uncorrectable = atomic_load(&d->ecc_uncorrectable),
                             .throttle_count = atomic_load(&d->throttle_count),
                             .error_code = atomic_load(&d->error_code),
                             .pcie_replay_count = atomic_load(&d->pcie_replays)};
    pthread_mutex_unlock(&d->model_lock);
    return 0;
}

const isle_power_vtable soft_power = {.vtable_size = sizeof soft_power,
                                      .version = ISLE_KABI_VERSION,
                                      .states = 1u << ACCEL_POWER_D0_ACTIVE | 1u << ACCEL_POWER_D1_LOW_POWER,
                                      .set_state = set_state};

const isle_health_vtable soft_health = {.vtable_size = sizeof soft_health, .version = ISLE_KABI_VERSION, .get_health = get_health};
