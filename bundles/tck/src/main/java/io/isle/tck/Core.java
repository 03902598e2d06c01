package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverServices;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** The core as far as a driver sees it; keeps every completion that it is told. Thread-safe. */
final class Core implements DriverServices, CompletionSink, AutoCloseable {
  private final Map<Long, List<Ended>> told = new HashMap<>();
  private final Map<Long, Arena> shared = new HashMap<>();
  private final Map<Long, Long> starts = new HashMap<>();
  private final List<String> lost = new ArrayList<>();

  @Override
  public synchronized int complete(
      long tag, int status, long startNs, long endNs, long busyNs, int detail) {
    List<Ended> known = told.get(tag);
    if (known == null) {
      return -Errno.ESTALE;
    }
    known.add(new Ended(tag, status, startNs, endNs, busyNs, detail));
    notifyAll();
    return known.size() == 1 ? 0 : -Errno.ESTALE;
  }

  /** The tag is in flight from now on: its completion may come at once. */
  synchronized void expect(long tag) {
    told.put(tag, new ArrayList<>());
  }

  /** All completions of a tag so far; more than one is the driver's mistake. */
  synchronized List<Ended> told(long tag) {
    return List.copyOf(told.getOrDefault(tag, List.of()));
  }

  synchronized List<String> lostReasons() {
    return List.copyOf(lost);
  }

  /** Waits for news, at most a millisecond: some drivers must be polled. */
  synchronized void pause() throws InterruptedException {
    wait(1);
  }

  @Override
  public CompletionSink completions() {
    return this;
  }

  @Override
  public MonotonicClock clock() {
    return MonotonicClock.SYSTEM;
  }

  @Override
  public synchronized MemorySegment allocShared(long context, long size, long alignment) {
    if (size < 1 || alignment < 1 || Long.bitCount(alignment) != 1) {
      throw new DriverException(Errno.EINVAL, "size " + size + ", alignment " + alignment);
    }
    Arena arena = Arena.ofShared();
    MemorySegment memory = arena.allocate(size, alignment);
    shared.put(memory.address(), arena);
    return memory;
  }

  @Override
  public synchronized void freeShared(MemorySegment memory) {
    Arena arena = shared.remove(memory.address());
    if (arena == null) {
      throw new DriverException(Errno.ENOENT, "no such shared memory");
    }
    arena.close();
  }

  @Override
  public synchronized void started(long tag, long ns) {
    starts.put(tag, ns);
  }

  /** When the work of a tag began, if the driver told. */
  synchronized OptionalLong started(long tag) {
    Long ns = starts.get(tag);
    return ns == null ? OptionalLong.empty() : OptionalLong.of(ns);
  }

  @Override
  public void log(System.Logger.Level level, String text) {}

  @Override
  public synchronized void lost(String why) {
    lost.add(why);
    notifyAll();
  }

  @Override
  public synchronized void close() {
    shared.values().forEach(Arena::close);
    shared.clear();
  }
}
