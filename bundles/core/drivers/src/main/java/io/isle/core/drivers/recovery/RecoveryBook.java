package io.isle.core.drivers.recovery;

import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/** Keeps the newest recoveries of each device, until it is closed for new ones. Thread-safe. */
public final class RecoveryBook implements RecoveryLog, AutoCloseable {
  static final int PER_DEVICE = 256;

  private final Map<String, Deque<Recovery>> byDevice = new TreeMap<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private boolean closed;

  /** Enters a recovery, which is made with its number. */
  public synchronized Recovery enter(String device, LongFunction<Recovery> made) {
    Recovery recovery = made.apply(counts.merge(device, 1L, Long::sum));
    Deque<Recovery> known = byDevice.computeIfAbsent(device, id -> new ArrayDeque<>());
    if (known.size() == PER_DEVICE) {
      known.removeFirst();
    }
    known.addLast(recovery);
    notifyAll();
    return recovery;
  }

  @Override
  public synchronized List<Recovery> of(String device) {
    Deque<Recovery> known = byDevice.get(device);
    return known == null ? List.of() : List.copyOf(known);
  }

  @Override
  public synchronized List<Recovery> all() {
    return byDevice.values().stream()
        .flatMap(Deque::stream)
        .sorted(Comparator.comparingLong(Recovery::startedEpochMs))
        .toList();
  }

  @Override
  public synchronized Optional<Recovery> await(String device, long after, Duration limit)
      throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    Optional<Recovery> found = next(device, after);
    for (long left = limit.toNanos();
        found.isEmpty() && !closed && left > 0;
        left = deadline - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      found = next(device, after);
    }
    return found;
  }

  private Optional<Recovery> next(String device, long after) {
    return of(device).stream().filter(recovery -> recovery.number() > after).findFirst();
  }

  /** Nobody waits any longer. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
