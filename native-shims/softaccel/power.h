/* The model of load, heat and clock. */
#ifndef ISLE_SOFT_POWER_H
#define ISLE_SOFT_POWER_H

#include "soft.h"

extern const isle_power_vtable soft_power;
extern const isle_health_vtable soft_health;
IoResultCode soft_get_power_state(void *ctx, AccelPowerState *out);
IoResultCode soft_set_performance_level(void *ctx, AccelPerfLevel level);
void model_init(struct device *d);
/* Brings load, temperature and clock up to date, at most once in 10 ms. */
void model_step(struct device *d, uint64_t now);
void model_throttle(struct device *d, uint64_t ns);
uint32_t model_clock_mhz(const struct device *d);
uint32_t model_power_mw(const struct device *d);
/* How long work that took `ns` at full clock has to be stretched. */
uint64_t model_stretch(struct device *d, uint64_t ns);

#endif
