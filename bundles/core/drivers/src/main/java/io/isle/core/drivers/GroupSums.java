package io.isle.core.drivers;

import io.isle.api.base.IsleException;
import io.isle.api.driver.Health;
import io.isle.api.driver.Utilization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Load and health of a device in several processes: what its own says now, and what the others said
 * last. Each question asks the others for the next one, in the background. Thread-safe.
 */
final class GroupSums {
  private static final int MOST_PERCENT = 100;

  private final Supplier<List<HostPort>> others;
  private final Predicate<Runnable> background;
  private final Said<Utilization> loads = new Said<>();
  private final Said<Health.Reading> readings = new Said<>();

  /** What each process said last, and who is being asked. */
  private static final class Said<T> {
    final Map<HostPort, Optional<T>> last = new HashMap<>();
    boolean asking;
  }

  /**
   * @param background runs work that may block; false when it does not
   */
  GroupSums(Supplier<List<HostPort>> others, Predicate<Runnable> background) {
    this.others = others;
    this.background = background;
  }

  Utilization utilization(Utilization own, long memoryUsed, int contexts) {
    int compute = own.computePercent();
    int bandwidth = own.memoryBandwidthPercent();
    for (Utilization said : said(loads, port -> Optional.of(port.utilization()))) {
      compute += said.computePercent();
      bandwidth += said.memoryBandwidthPercent();
    }
    return new Utilization(
        Math.min(MOST_PERCENT, compute),
        Math.min(MOST_PERCENT, bandwidth),
        Math.max(memoryUsed, own.memoryUsedBytes()),
        own.memoryTotalBytes(),
        contexts,
        own.temperatureMilliCelsius(),
        own.powerMilliwatts(),
        own.clockMhz());
  }

  Health.Reading health(Health.Reading own) {
    Health.Reading sum = own;
    for (Health.Reading said : said(readings, GroupSums::read)) {
      sum =
          new Health.Reading(
              Math.max(sum.temperatureMilliCelsius(), said.temperatureMilliCelsius()),
              Math.max(sum.powerMilliwatts(), said.powerMilliwatts()),
              sum.eccCorrectable() + said.eccCorrectable(),
              sum.eccUncorrectable() + said.eccUncorrectable(),
              sum.throttleCount() + said.throttleCount(),
              sum.errorCode() == 0 ? said.errorCode() : sum.errorCode(),
              sum.pcieReplayCount() + said.pcieReplayCount());
    }
    return sum;
  }

  private static Optional<Health.Reading> read(HostPort port) {
    return port.extension(Health.class).map(Health::read);
  }

  private <T> List<T> said(Said<T> what, Function<HostPort, Optional<T>> ask) {
    List<HostPort> now = others.get();
    synchronized (what) {
      what.last.keySet().retainAll(now);
      if (!what.asking && !now.isEmpty()) {
        what.asking = background.test(() -> askAll(what, now, ask));
      }
      return what.last.values().stream().flatMap(Optional::stream).toList();
    }
  }

  private static <T> void askAll(
      Said<T> what, List<HostPort> ports, Function<HostPort, Optional<T>> ask) {
    try {
      for (HostPort port : ports) {
        Optional<T> answer = answer(port, ask);
        synchronized (what) {
          what.last.put(port, answer);
        }
      }
    } finally {
      synchronized (what) {
        what.asking = false;
      }
    }
  }

  /** One that does not answer says nothing. */
  private static <T> Optional<T> answer(HostPort port, Function<HostPort, Optional<T>> ask) {
    try {
      return ask.apply(port);
    } catch (IsleException e) {
      return Optional.empty();
    }
  }
}
