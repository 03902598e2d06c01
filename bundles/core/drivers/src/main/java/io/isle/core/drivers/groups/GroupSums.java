package io.isle.core.drivers.groups;

import io.isle.api.base.IsleException;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.Health;
import io.isle.api.driver.Utilization;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Load and health of a device in several processes: what its own says now, and what the others said
 * last. Each question asks the others for the next one, in the background. Of temperature, power
 * and clocks its own says all; counts of errors add up, to the largest number at the most.
 * Thread-safe.
 */
public final class GroupSums {
  private static final int MOST_PERCENT = 100;

  private final Supplier<List<GroupHost>> others;
  private final Predicate<Runnable> background;
  private final Said<Utilization> loads = new Said<>();
  private final Said<Health.Reading> readings = new Said<>();
  private Health.Reading past = new Health.Reading(0, 0, 0, 0, 0, 0, 0);

  /** What each process said last, and who is being asked. */
  private static final class Said<T> {
    final Map<GroupHost, Optional<T>> last = new HashMap<>();
    final List<T> gone = new ArrayList<>();
    boolean asking;

    /** Forgets the processes that are not there any more. */
    void keep(List<GroupHost> there) {
      for (Iterator<Map.Entry<GroupHost, Optional<T>>> all = last.entrySet().iterator();
          all.hasNext(); ) {
        Map.Entry<GroupHost, Optional<T>> one = all.next();
        if (!there.contains(one.getKey())) {
          one.getValue().ifPresent(gone::add);
          all.remove();
        }
      }
    }

    /** What those that were forgotten said last; once. */
    synchronized List<T> takeGone() {
      List<T> all = List.copyOf(gone);
      gone.clear();
      return all;
    }
  }

  /**
   * @param background runs work that may block; false when it does not
   */
  public GroupSums(Supplier<List<GroupHost>> others, Predicate<Runnable> background) {
    this.others = others;
    this.background = background;
  }

  Utilization utilization(Utilization own, long memoryUsed, int contexts) {
    var ignored = loads.takeGone();
    int compute = own.computePercent();
    int bandwidth = own.memoryBandwidthPercent();
    for (Utilization said : said(loads, process -> Optional.of(process.utilization()))) {
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

  /** Counters keep what processes that have ended had counted, for they only grow. */
  synchronized Health.Reading health(Health.Reading own) {
    List<Health.Reading> now = said(readings, GroupSums::read);
    for (Health.Reading ended : readings.takeGone()) {
      past =
          plus(
              past,
              new Health.Reading(
                  0,
                  0,
                  ended.eccCorrectable(),
                  ended.eccUncorrectable(),
                  ended.throttleCount(),
                  0,
                  ended.pcieReplayCount()));
    }
    Health.Reading sum = plus(own, past);
    for (Health.Reading said : now) {
      sum = plus(sum, said);
    }
    return sum;
  }

  private static Health.Reading plus(Health.Reading one, Health.Reading other) {
    return new Health.Reading(
        one.temperatureMilliCelsius(),
        one.powerMilliwatts(),
        sum(one.eccCorrectable(), other.eccCorrectable(), Long.MAX_VALUE),
        sum(one.eccUncorrectable(), other.eccUncorrectable(), Long.MAX_VALUE),
        (int) sum(one.throttleCount(), other.throttleCount(), Integer.MAX_VALUE),
        one.errorCode() == 0 ? other.errorCode() : one.errorCode(),
        (int) sum(one.pcieReplayCount(), other.pcieReplayCount(), Integer.MAX_VALUE));
  }

  /** Of numbers of 0 or more. */
  private static long sum(long one, long other, long most) {
    return one > most - other ? most : one + other;
  }

  private static Optional<Health.Reading> read(AccelDevice process) {
    return process.extension(Health.class).map(Health::read);
  }

  private <T> List<T> said(Said<T> what, Function<AccelDevice, Optional<T>> ask) {
    List<GroupHost> now = others.get();
    synchronized (what) {
      what.keep(now);
      if (!what.asking && !now.isEmpty()) {
        what.asking = background.test(() -> askAll(what, now, ask));
      }
      return what.last.values().stream().flatMap(Optional::stream).toList();
    }
  }

  private static <T> void askAll(
      Said<T> what, List<GroupHost> hosts, Function<AccelDevice, Optional<T>> ask) {
    try {
      for (GroupHost host : hosts) {
        Optional<T> answer = answer(host, ask);
        synchronized (what) {
          if (answer.isPresent()) {
            what.last.put(host, answer);
          }
        }
      }
    } finally {
      synchronized (what) {
        what.asking = false;
      }
    }
  }

  /** One that does not answer says nothing new. */
  private static <T> Optional<T> answer(GroupHost host, Function<AccelDevice, Optional<T>> ask) {
    try {
      return host.lane.call("read the device's report", () -> ask.apply(host.port));
    } catch (IsleException e) {
      return Optional.empty();
    }
  }
}
