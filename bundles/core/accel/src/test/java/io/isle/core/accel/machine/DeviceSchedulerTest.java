package io.isle.core.accel.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.device.Priority;
import io.isle.core.accel.sched.SchedulingCore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Devices with one process and with several. */
class DeviceSchedulerTest {
  private static final int CONTEXTS = 8;

  private final InFlightTable inFlight = new InFlightTable(CONTEXTS, 36);
  private final DeviceScheduler scheduler = Schedulers.byPriority(CONTEXTS, 36);
  private final HostGroups groups = new HostGroups(CONTEXTS, scheduler, inFlight, 4);
  private final Deque<Integer> slots = new ArrayDeque<>();

  @BeforeEach
  void slots() {
    for (int i = 0; i < 36; i++) {
      slots.add(i);
    }
  }

  private void ready(int c, int priority) {
    scheduler.open(c, Schedulers.spec(priority));
    scheduler.ready(c);
  }

  private int start() {
    int c = scheduler.next(0);
    if (c >= 0) {
      scheduler.started(slots.remove(), c, 0, SchedulingCore.AVERAGE);
    }
    return c;
  }

  private boolean hasReady() {
    return scheduler.next(0) != SchedulingCore.NONE;
  }

  @Test
  void workThatDoesNotEndTakesNoMoreThanItsGroupsShare() {
    groups.set(1, "a");
    groups.set(2, "b");
    ready(1, 3);
    assertEquals(1, start());
    assertEquals(1, start());
    assertEquals(-1, start());
    assertFalse(hasReady());
    ready(0, 0);
    ready(2, 0);
    List<Integer> others = new ArrayList<>();
    for (int c = start(); c >= 0; c = start()) {
      others.add(c);
    }
    others.sort(null);
    assertEquals(List.of(0, 0, 2, 2), others);
    scheduler.ended(0, 1, 0, 0, 0);
    assertTrue(hasReady());
    assertEquals(1, start());
    scheduler.abandoned(1, 1);
    assertEquals(1, start());
    assertFalse(hasReady());
  }

  @Test
  void anAgentIsPromptWhereSomethingIsPromised() {
    assertFalse(groups.isShallow());
    scheduler.open(0, new SchedulingSpec("default", Priority.NORMAL, 100_000, 1_000_000));
    groups.settle();
    assertTrue(groups.isShallow());
    scheduler.close(0);
    groups.settle();
    assertFalse(groups.isShallow());
  }

  @Test
  void aDeviceWithOneProcessIsSharedByNumberAlone() {
    ready(0, 0);
    ready(1, 0);
    for (int i = 0; i < 20; i++) {
      assertEquals(i % 2, start());
    }
    assertEquals(0, inFlight.size());
    inFlightHolds(4);
    groups.set(1, "a");
    inFlightHolds(36);
    groups.set(1, null);
    inFlightHolds(4);
    groups.limit(9);
    inFlightHolds(9);
  }

  private void inFlightHolds(int count) {
    List<Integer> taken = new ArrayList<>();
    while (!inFlight.isFull()) {
      taken.add(inFlight.add(0, 1, false));
    }
    assertEquals(count, taken.size());
    taken.forEach(inFlight::remove);
  }

  @Test
  void noWorkTookLongerThanItWasThere() {
    ready(0, 0);
    scheduler.started(0, 0, 100, SchedulingCore.AVERAGE);
    assertEquals(50, scheduler.ended(0, 0, Long.MAX_VALUE, 0, 150));
    scheduler.started(0, 0, 200, SchedulingCore.AVERAGE);
    assertEquals(30, scheduler.ended(0, 0, 30, 0, 250));
    scheduler.started(0, 0, 300, SchedulingCore.AVERAGE);
    assertEquals(20, scheduler.ended(0, 0, 0, Long.MAX_VALUE, 320));
    scheduler.started(0, 0, 400, SchedulingCore.AVERAGE);
    assertEquals(10, scheduler.ended(0, 0, 10, 0, 350), "a clock that went back says nothing");
  }

  @Test
  void whatWasCutHadTheDeviceSinceTheOneBefore() {
    ready(0, 0);
    scheduler.started(0, 0, 100, SchedulingCore.AVERAGE);
    scheduler.started(1, 0, 110, SchedulingCore.AVERAGE);
    assertEquals(100, scheduler.ended(0, 0, 100, 0, 300));
    assertEquals(700, scheduler.cut(1, 0, 1_000));
    assertEquals(800, scheduler.core().readings().givenNs(0));
  }

  @Test
  void aHigherPriorityGoesFirstWhateverItsProcess() {
    groups.set(1, "a");
    groups.set(2, "b");
    ready(0, 1);
    ready(1, 0);
    ready(2, 2);
    assertEquals(2, start());
    scheduler.idle(2);
    assertEquals(0, start());
    scheduler.idle(0);
    assertEquals(1, start());
  }

  @Test
  void aContextThatMovesIsServedWhereItIs() {
    ready(1, 2);
    groups.set(1, "a");
    assertEquals(1, start());
    scheduler.abandoned(0, 1);
    groups.set(1, "b");
    groups.set(2, "a");
    scheduler.idle(1);
    assertFalse(hasReady());
    ready(2, 0);
    assertEquals(2, start());
  }

  @Test
  void whatRunsIsContendedWhenAnotherContextIsThere() {
    ready(0, 0);
    assertFalse(scheduler.isContended());
    assertEquals(0, start());
    scheduler.idle(0);
    assertFalse(scheduler.isContended());
    ready(1, 0);
    assertTrue(scheduler.isContended());
    scheduler.ended(0, 0, 0, 0, 0);
    assertFalse(scheduler.isContended());
    scheduler.close(1);
    scheduler.ready(0);
    assertFalse(scheduler.isContended());
  }

  /** More groups than there are places, in any order: each is served, and nothing is left. */
  @Property(tries = 300)
  void everyReadyContextWithRoomIsServed(
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 1023) Integer> steps) {
    DeviceScheduler many = Schedulers.byPriority(64, 36);
    HostGroups all = new HostGroups(64, many, new InFlightTable(64, 36), 4);
    boolean[] ready = new boolean[64];
    for (int c = 0; c < 64; c++) {
      many.open(c, Schedulers.spec(1));
    }
    for (int step : steps) {
      int c = step & 63;
      switch (step >> 6 & 3) {
        case 0 -> all.set(c, "g" + (step >> 4 & 31));
        case 1 -> all.set(c, null);
        case 2 -> {
          many.ready(c);
          ready[c] = true;
        }
        default -> {
          many.idle(c);
          ready[c] = false;
        }
      }
    }
    int left = 0;
    for (boolean one : ready) {
      left += one ? 1 : 0;
    }
    while (left > 0) {
      int c = many.next(0);
      assertTrue(c >= 0 && ready[c], "context " + c);
      ready[c] = false;
      many.idle(c);
      left--;
    }
    assertEquals(-1, many.next(0));
  }
}
