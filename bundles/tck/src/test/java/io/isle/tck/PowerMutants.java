package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.Health.Reading;
import io.isle.api.driver.PowerState;

/** Mutants of {@link PowerCases}. */
final class PowerMutants {
  private static final String ENTER = "PowerControl.enter";
  private static final String READ = "Health.read";

  private PowerMutants() {}

  static void add(Mutants to) {
    to.<PowerState>result(
        "power/states", "AccelDevice.power", state -> power(state, 0, state.clockMhz()));
    to.swallow("power/unknown-state", ENTER, Errno.ENOTSUP);
    to.<PowerState>result(
        "power/level-clock",
        "AccelDevice.power",
        state -> power(state, state.level(), 10_000 - state.clockMhz()));
    to.<Reading>result(
        "health/correctable-errors",
        READ,
        real -> reading(0, real.eccUncorrectable(), real.throttleCount(), real.pcieReplayCount()));
    to.<Reading>result(
        "health/uncorrectable-errors",
        READ,
        real -> reading(real.eccCorrectable(), 0, real.throttleCount(), real.pcieReplayCount()));
    to.<Reading>result(
        "health/link-replays",
        READ,
        real -> reading(real.eccCorrectable(), real.eccUncorrectable(), real.throttleCount(), 1));
    to.<Reading>result(
        "health/throttling",
        READ,
        real -> reading(real.eccCorrectable(), real.eccUncorrectable(), 5, real.pcieReplayCount()));
  }

  private static PowerState power(PowerState real, int level, int clock) {
    return new PowerState(level, real.performanceLevel(), 0, 0, 0, clock, real.throttled());
  }

  private static Reading reading(long correctable, long uncorrectable, int throttles, int replays) {
    return new Reading(0, 0, correctable, uncorrectable, throttles, 1, replays);
  }
}
