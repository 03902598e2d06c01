package io.isle.drivers.sim;

import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverServices;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The core as far as a driver sees it. */
final class FakeCore implements DriverServices, AutoCloseable {
  /** A completion. */
  record Done(long tag, int status, long startNs, long endNs, long busyNs, int detail) {}

  final BlockingQueue<Done> done = new LinkedBlockingQueue<>();
  final BlockingQueue<Long> starts = new LinkedBlockingQueue<>();
  final BlockingQueue<String> lost = new LinkedBlockingQueue<>();

  /** Called with each completion. */
  volatile Runnable onCompletion = () -> {};

  private final Map<Long, Arena> shared = new HashMap<>();

  @Override
  public CompletionSink completions() {
    return (tag, status, start, end, busy, detail) -> {
      onCompletion.run();
      done.add(new Done(tag, status, start, end, busy, detail));
      return 0;
    };
  }

  @Override
  public MonotonicClock clock() {
    return MonotonicClock.SYSTEM;
  }

  @Override
  public synchronized MemorySegment allocShared(long context, long size, long alignment) {
    Arena arena = Arena.ofShared();
    MemorySegment memory = arena.allocate(size, alignment);
    shared.put(memory.address(), arena);
    return memory;
  }

  @Override
  public synchronized void freeShared(MemorySegment memory) {
    shared.remove(memory.address()).close();
  }

  synchronized int sharedPieces() {
    return shared.size();
  }

  @Override
  public void started(long tag, long ns) {
    starts.add(tag);
  }

  @Override
  public void log(System.Logger.Level level, String text) {}

  @Override
  public void lost(String why) {
    lost.add(why);
  }

  @Override
  public synchronized void close() {
    shared.values().forEach(Arena::close);
    shared.clear();
  }
}
