package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.FaultInjection.Fault;
import io.isle.api.driver.Health;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerControl;
import io.isle.api.driver.PowerControl.State;
import java.util.Arrays;
import java.util.List;

/** Power states, clocks and health, of drivers that offer them. */
final class PowerCases {
  private static final long LONG_NS = 60_000_000_000L;

  private PowerCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("power/states", PowerCases::states),
        Case.of("power/unknown-state", PowerCases::unknown),
        Case.of("power/level-clock", PowerCases::clock),
        Case.withFaults("health/correctable-errors", PowerCases::correctable),
        Case.withFaults("health/uncorrectable-errors", PowerCases::uncorrectable),
        Case.withFaults("health/link-replays", PowerCases::replays),
        Case.withFaults("health/throttling", PowerCases::throttling));
  }

  private static PowerControl control(Rig rig) {
    return rig.device()
        .extension(PowerControl.class)
        .orElseThrow(() -> new Check.Skipped("no power states"));
  }

  private static void states(Rig rig) {
    PowerControl power = control(rig);
    Check.that(power.states().contains(State.D0_ACTIVE), "D0_ACTIVE is not among the power states");
    long context = rig.context();
    for (State state : power.states()) {
      if (state != State.D3_OFF) {
        power.enter(state);
        Check.equal(state.code(), rig.device().power().level(), "the level after " + state);
        rig.success(context, rig.noop(context), "work in " + state);
      }
    }
  }

  private static void unknown(Rig rig) {
    PowerControl power = control(rig);
    State missing =
        Arrays.stream(State.values())
            .filter(state -> !power.states().contains(state))
            .findFirst()
            .orElseThrow(() -> new Check.Skipped("no state is missing"));
    Check.refused("a power state that the device lacks", () -> power.enter(missing), Errno.ENOTSUP);
  }

  private static int clock(Rig rig, PerformanceLevel level) {
    try {
      rig.device().setPerformanceLevel(level);
    } catch (DriverException e) {
      Check.equal(Errno.ENOTSUP, e.code(), "the code of setPerformanceLevel");
      throw new Check.Skipped("no performance levels");
    }
    return rig.device().power().clockMhz();
  }

  private static void clock(Rig rig) {
    int low = clock(rig, PerformanceLevel.LOW);
    int high = clock(rig, PerformanceLevel.HIGH);
    Check.that(low <= high, "the clock is " + low + " MHz at LOW and " + high + " at HIGH");
  }

  private static Health health(Rig rig) {
    return rig.device()
        .extension(Health.class)
        .orElseThrow(() -> new Check.Skipped("no health data"));
  }

  /** Plans a fault for the next submission, which is to end well. */
  private static void meet(Rig rig, Fault fault, long value) {
    long context = rig.context();
    rig.faults().inject(fault, 0, 1, value);
    rig.success(context, rig.noop(context), "work that meets " + fault);
  }

  private static void correctable(Rig rig) {
    Health health = health(rig);
    long before = health.read().eccCorrectable();
    meet(rig, Fault.ECC_CORRECTABLE, 0);
    Check.equal(1L, health.read().eccCorrectable() - before, "the growth of ecc_correctable");
  }

  private static void uncorrectable(Rig rig) {
    Health health = health(rig);
    long before = health.read().eccUncorrectable();
    long context = rig.context();
    rig.faults().inject(Fault.ECC_UNCORRECTABLE, 0, 1, 0);
    var ignored = rig.await(rig.submit(context, rig.noop(context)));
    Check.equal(1L, health.read().eccUncorrectable() - before, "the growth of ecc_uncorrectable");
    Check.that(health.read().errorCode() != 0, "the device has no error code");
  }

  private static void replays(Rig rig) {
    Health health = health(rig);
    int before = health.read().pcieReplayCount();
    meet(rig, Fault.PCIE_REPLAY, 7);
    Check.equal(7, health.read().pcieReplayCount() - before, "the growth of pcie_replay_count");
  }

  private static void throttling(Rig rig) {
    Health health = health(rig);
    int before = health.read().throttleCount();
    meet(rig, Fault.THROTTLE, LONG_NS);
    Check.equal(1, health.read().throttleCount() - before, "the growth of throttle_count");
    Check.that(rig.device().power().throttled(), "clocks are not held down");
  }
}
