package io.isle.apps.chaos.platform;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Time that passes when somebody lets it pass, and what happens at times. */
public final class SimulatedPace implements Pace {
  private final TreeMap<Long, Runnable> events = new TreeMap<>();
  private long nowMs;

  /** {@code event} happens that long from now. */
  public synchronized void after(long ms, Runnable event) {
    events.put(nowMs + ms, event);
  }

  public synchronized long nowMs() {
    return nowMs;
  }

  @Override
  public synchronized long nanoTime() {
    return TimeUnit.MILLISECONDS.toNanos(nowMs);
  }

  @Override
  public synchronized void pass(long ms) {
    nowMs += ms;
    Map.Entry<Long, Runnable> first = events.firstEntry();
    while (first != null && first.getKey() <= nowMs) {
      events.remove(first.getKey());
      first.getValue().run();
      first = events.firstEntry();
    }
  }
}
