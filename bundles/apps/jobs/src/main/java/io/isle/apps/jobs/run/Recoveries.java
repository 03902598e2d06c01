package io.isle.apps.jobs.run;

import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryLog;
import io.isle.api.jobs.JobRecovery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The recoveries of a job's devices since it began. What was seen is kept, because the platform's
 * log may be restarted meanwhile. Thread-safe.
 */
final class Recoveries {
  /** A recovery is told by its start, too: a log that was restarted may count from 1 again. */
  private record Key(String device, long number, long startedEpochMs) {
    static Key of(Recovery recovery) {
      return new Key(recovery.device(), recovery.number(), recovery.startedEpochMs());
    }
  }

  private final Supplier<Optional<RecoveryLog>> log;
  private final Set<String> devices = new HashSet<>();
  private final long sinceEpochMs;
  private final Map<Key, Recovery> seen = new HashMap<>();
  private final Map<Key, String> planned = new HashMap<>();

  /**
   * @param sinceEpochMs earlier ones do not count
   */
  Recoveries(Supplier<Optional<RecoveryLog>> log, long sinceEpochMs) {
    this.log = log;
    this.sinceEpochMs = sinceEpochMs;
  }

  synchronized void watch(String device) {
    devices.add(device);
  }

  private void look() {
    Optional<RecoveryLog> now = log.get();
    if (now.isEmpty()) {
      return;
    }
    for (String device : devices) {
      for (Recovery recovery : now.get().of(device)) {
        if (recovery.startedEpochMs() >= sinceEpochMs) {
          seen.put(Key.of(recovery), recovery);
        }
      }
    }
  }

  /** Completed recoveries of a device so far. */
  synchronized int count(String device) {
    look();
    return (int) seen.values().stream().filter(r -> r.device().equals(device)).count();
  }

  /** Says that the newest recovery of a device was brought about by {@code fault}. */
  synchronized void attribute(String device, String fault) {
    seen.values().stream()
        .filter(r -> r.device().equals(device))
        .max(Comparator.comparingLong(Recovery::startedEpochMs).thenComparing(Recovery::number))
        .ifPresent(recovery -> planned.putIfAbsent(Key.of(recovery), fault));
  }

  /** All, by start. */
  synchronized List<JobRecovery> list() {
    look();
    List<JobRecovery> list = new ArrayList<>();
    seen.values().stream()
        .sorted(
            Comparator.comparingLong(Recovery::startedEpochMs)
                .thenComparing(Recovery::device)
                .thenComparing(Recovery::number))
        .forEach(r -> list.add(new JobRecovery(Optional.ofNullable(planned.get(Key.of(r))), r)));
    return list;
  }
}
