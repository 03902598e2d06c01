package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Health;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerControl;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * Power states, performance levels and the clock that follows from them, and the counters of
 * errors. Temperature and power are made from the load and stand for no sensor. Work is as much
 * slower as the clock is lower. Thread-safe.
 */
final class SimModel implements PowerControl, Health {
  private static final int FULL_MHZ = 3000;
  private static final int BALANCED_MHZ = 2000;
  private static final int LOW_MHZ = 1000;
  private static final int D1_MHZ = 500;

  /** The number that NVIDIA's drivers give to a double bit error. */
  private static final int DOUBLE_BIT_ERROR = 48;

  private final MonotonicClock clock;
  private final int units;
  private volatile IntSupplier load = () -> 0;
  private volatile State state = State.D0_ACTIVE;
  private volatile PerformanceLevel level = PerformanceLevel.AUTO;
  private volatile boolean throttling;
  private volatile long throttleUntilNs;
  private volatile int errorCode;
  private final AtomicLong correctable = new AtomicLong();
  private final AtomicLong uncorrectable = new AtomicLong();
  private final AtomicInteger throttles = new AtomicInteger();
  private final AtomicInteger replays = new AtomicInteger();

  SimModel(MonotonicClock clock, int units) {
    this.clock = clock;
    this.units = units;
  }

  /** Where the newest load in percent comes from. */
  void follow(IntSupplier newest) {
    load = newest;
  }

  @Override
  public Set<State> states() {
    return EnumSet.of(State.D0_ACTIVE, State.D1_LOW_POWER);
  }

  @Override
  public void enter(State wanted) {
    if (!states().contains(wanted)) {
      throw new DriverException(Errno.ENOTSUP, "no power state " + wanted);
    }
    state = wanted;
  }

  State state() {
    return state;
  }

  PerformanceLevel level() {
    return level;
  }

  void level(PerformanceLevel wanted) {
    level = wanted;
  }

  @Override
  public Reading read() {
    return new Reading(
        temperature(),
        powerMilliwatts(),
        correctable.get(),
        uncorrectable.get(),
        throttles.get(),
        errorCode,
        replays.get());
  }

  void countCorrectable() {
    correctable.incrementAndGet();
  }

  void countUncorrectable() {
    uncorrectable.incrementAndGet();
    errorCode = DOUBLE_BIT_ERROR;
  }

  void countReplays(long packets) {
    replays.addAndGet(Math.clamp(packets, 1, 1 << 20));
  }

  void throttle(long ns) {
    throttleUntilNs = clock.nanoTime() + Math.min(ns, Long.MAX_VALUE / 4);
    throttling = true;
    throttles.incrementAndGet();
  }

  boolean isThrottled() {
    if (throttling && clock.nanoTime() - throttleUntilNs >= 0) {
      throttling = false;
    }
    return throttling;
  }

  /** How much longer than {@code ns} work takes at the clock of the moment. */
  long stretch(long ns) {
    int mhz = workMhz();
    return mhz >= FULL_MHZ ? 0 : ns * (FULL_MHZ - mhz) / mhz;
  }

  int clockMhz() {
    int mhz = workMhz();
    return mhz == FULL_MHZ && level == PerformanceLevel.AUTO
        ? LOW_MHZ + (FULL_MHZ - LOW_MHZ) / 100 * load.getAsInt()
        : mhz;
  }

  int temperature() {
    return 35_000 + 400 * load.getAsInt();
  }

  int powerMilliwatts() {
    return (state == State.D0_ACTIVE ? 2_000 : 500) + 80 * units * load.getAsInt();
  }

  private int workMhz() {
    if (state != State.D0_ACTIVE) {
      return D1_MHZ;
    }
    if (isThrottled()) {
      return LOW_MHZ;
    }
    return switch (level) {
      case LOW -> LOW_MHZ;
      case BALANCED -> BALANCED_MHZ;
      case HIGH, AUTO -> FULL_MHZ;
    };
  }
}
