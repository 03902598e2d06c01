package io.isle.apps.jobs.fault;

import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryLog;
import io.isle.api.jobs.JobRecovery;
import io.isle.apps.jobs.platform.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The recoveries of a job's devices since it began. What was seen is kept, because the platform's
 * log may be restarted meanwhile. Thread-safe.
 */
public final class Recoveries {
  /** A recovery is told by its start, too: a log that was restarted may count from 1 again. */
  public record Key(String device, long number, long startedEpochMs) {
    static Key of(Recovery recovery) {
      return new Key(recovery.device(), recovery.number(), recovery.startedEpochMs());
    }
  }

  /** Longest time from a device's going on to its entry in the log. */
  private static final long TOLD_NS = TimeUnit.SECONDS.toNanos(1);

  private static final Comparator<Recovery> BY_START =
      Comparator.comparingLong(Recovery::startedEpochMs)
          .thenComparing(Recovery::device)
          .thenComparing(Recovery::number);

  private final Supplier<Optional<RecoveryLog>> log;
  private final Set<String> groups;
  private final Set<String> devices = new HashSet<>();
  private final long sinceEpochMs;
  private final Map<Key, Recovery> seen = new HashMap<>();
  private final Map<Key, String> planned = new HashMap<>();

  /**
   * @param groups whose processes concern the job, beside whole devices
   * @param sinceEpochMs earlier ones do not count
   */
  public Recoveries(Supplier<Optional<RecoveryLog>> log, Set<String> groups, long sinceEpochMs) {
    this.log = log;
    this.groups = Set.copyOf(groups);
    this.sinceEpochMs = sinceEpochMs;
  }

  public synchronized void watch(String device) {
    devices.add(device);
  }

  private void look() {
    Optional<RecoveryLog> now = log.get();
    if (now.isEmpty()) {
      return;
    }
    for (String device : devices) {
      for (Recovery recovery : now.get().of(device)) {
        boolean ours = recovery.group().isEmpty() || groups.contains(recovery.group());
        if (ours && recovery.startedEpochMs() >= sinceEpochMs) {
          seen.put(Key.of(recovery), recovery);
        }
      }
    }
  }

  /**
   * A moment before something is done to a device.
   *
   * @param known the recoveries that were over
   */
  public record Moment(String device, Set<Key> known, long epochMs) {
    /** One before which nothing is known. */
    public static Moment begin(String device) {
      return new Moment(device, Set.of(), System.currentTimeMillis());
    }

    /** Whether {@code recovery} can be the answer to a crash or hang that came after this. */
    public boolean mayHaveCaused(Recovery recovery) {
      RecoveryCause.Kind kind = recovery.cause().kind();
      boolean asked = kind.orderly() || kind == RecoveryCause.Kind.RESET;
      return !asked && recovery.startedEpochMs() >= epochMs;
    }
  }

  public synchronized Moment now(String device) {
    look();
    return new Moment(device, Set.copyOf(seen.keySet()), System.currentTimeMillis());
  }

  /** The first wanted recovery that ended after {@code moment}; empty when none does in time. */
  public Optional<Recovery> await(Moment moment, Predicate<Recovery> wanted, long untilNs)
      throws InterruptedException {
    while (true) {
      Optional<RecoveryLog> now = log.get();
      long newest = now.map(there -> newest(there, moment.device())).orElse(0L);
      Optional<Recovery> found = first(moment, wanted);
      long left = untilNs - System.nanoTime();
      if (found.isPresent() || left <= 0) {
        return found;
      }
      if (now.isEmpty()
          || now.get().await(moment.device(), newest, Duration.ofNanos(left)).isEmpty()) {
        // The log is away or about to go: another one may come.
        TimeUnit.MILLISECONDS.sleep(Platform.LOOK_MS);
      }
    }
  }

  /**
   * Why the driver was first taken from a device, or the process of one of the groups, after that
   * moment. Waits a little, because a recovery is told when work goes on already; empty when nobody
   * knows.
   */
  public Optional<RecoveryCause> cause(Moment since) throws InterruptedException {
    return await(
            since,
            recovery -> recovery.startedEpochMs() >= since.epochMs(),
            System.nanoTime() + TOLD_NS)
        .map(Recovery::cause);
  }

  private static long newest(RecoveryLog log, String device) {
    return log.of(device).stream().mapToLong(Recovery::number).max().orElse(0);
  }

  private synchronized Optional<Recovery> first(Moment moment, Predicate<Recovery> wanted) {
    look();
    return seen.entrySet().stream()
        .filter(entry -> !moment.known().contains(entry.getKey()))
        .map(Map.Entry::getValue)
        .filter(recovery -> recovery.device().equals(moment.device()) && wanted.test(recovery))
        .min(BY_START);
  }

  /** Says that {@code recovery} was brought about by {@code fault}. */
  public synchronized void attribute(Recovery recovery, String fault) {
    planned.putIfAbsent(Key.of(recovery), fault);
  }

  /** All, by start. */
  public synchronized List<JobRecovery> list() {
    look();
    List<JobRecovery> list = new ArrayList<>();
    seen.values().stream()
        .sorted(BY_START)
        .forEach(r -> list.add(new JobRecovery(Optional.ofNullable(planned.get(Key.of(r))), r)));
    return list;
  }
}
