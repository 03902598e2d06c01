package io.isle.core.accel.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Places of threads that wait for a tenant's points: who is woken, and by whom. */
class HostWaitersTest {
  private static final int MANY = 10_000;

  private final HostWaiters waiters = new HostWaiters(() -> 1);

  private List<HostWaiters.Place> enter(long point, int count) {
    List<HostWaiters.Place> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      places.add(waiters.enter(point));
    }
    return places;
  }

  private static long due(List<HostWaiters.Place> places) {
    return places.stream().filter(HostWaiters.Place::isDue).count();
  }

  @Test
  void aSignalWakesAFewAndThoseWakeTheOthers() {
    List<HostWaiters.Place> later = enter(2, MANY);
    List<HostWaiters.Place> first = enter(1, MANY);
    waiters.wake(1);
    assertEquals(HostWaiters.AT_ONCE, due(first));
    waiters.wake(1);
    assertEquals(HostWaiters.AT_ONCE, due(first), "those who were woken and have not left count");
    for (int i = 0; i < MANY; i++) {
      assertTrue(first.get(i).isDue());
      int next = i + HostWaiters.AT_ONCE;
      assertFalse(next < MANY && first.get(next).isDue(), "one at a time");
      waiters.leave(first.get(i));
    }
    assertEquals(0, due(later));
  }

  /** Whoever is out of time or interrupted may have been woken for the others. */
  @Test
  void whoLeavesForAnotherReasonWakesThemToo() {
    List<HostWaiters.Place> places = enter(1, 3 * HostWaiters.AT_ONCE);
    waiters.wake(1);
    waiters.leave(places.get(2 * HostWaiters.AT_ONCE));
    assertEquals(HostWaiters.AT_ONCE, due(places));
    waiters.leave(places.get(0));
    assertEquals(HostWaiters.AT_ONCE + 1, due(places));
  }

  /** Virtual threads may have to wait for a processor that others of them keep. */
  @Test
  void kindsOfThreadsDoNotDependOnEachOther() throws InterruptedException {
    List<HostWaiters.Place> virtual = new ArrayList<>();
    Thread.ofVirtual().start(() -> virtual.addAll(enter(1, MANY))).join();
    List<HostWaiters.Place> platform = enter(2, 1);
    waiters.wake(2);
    assertEquals(HostWaiters.AT_ONCE, due(virtual));
    assertEquals(1, due(platform));
  }
}
