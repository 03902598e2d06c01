package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ProcessSharesTest {
  private static final int CONTEXTS = 8;

  private final InFlightTable inFlight = new InFlightTable(CONTEXTS, 36);
  private final ProcessShares shares = HostGroups.shares(CONTEXTS);
  private final HostGroups groups = new HostGroups(CONTEXTS, shares, inFlight, 4);

  private int start() {
    int c = shares.next(0);
    if (c >= 0) {
      shares.started(c);
    }
    return c;
  }

  @Test
  void workThatDoesNotEndTakesNoMoreThanItsGroupsShare() {
    groups.set(1, "a");
    groups.set(2, "b");
    shares.ready(1, 3);
    assertEquals(1, start());
    assertEquals(1, start());
    assertEquals(-1, start());
    assertFalse(shares.hasReady());
    shares.ready(0, 0);
    shares.ready(2, 0);
    List<Integer> others = new ArrayList<>();
    for (int c = start(); c >= 0; c = start()) {
      others.add(c);
    }
    others.sort(null);
    assertEquals(List.of(0, 0, 2, 2), others);
    shares.left(1);
    assertTrue(shares.hasReady());
    assertEquals(1, start());
  }

  @Test
  void aDeviceWithOneProcessIsSharedByNumberAlone() {
    shares.ready(0, 0);
    shares.ready(1, 0);
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
  void aHigherPriorityGoesFirstWhateverItsProcess() {
    groups.set(1, "a");
    groups.set(2, "b");
    shares.ready(0, 1);
    shares.ready(1, 0);
    shares.ready(2, 2);
    assertEquals(2, start());
    shares.idle(2, 2);
    assertEquals(0, start());
    shares.idle(0, 1);
    assertEquals(1, start());
  }

  @Test
  void aContextThatMovesIsServedWhereItIs() {
    shares.ready(1, 2);
    groups.set(1, "a");
    assertEquals(1, start());
    shares.left(1);
    groups.set(1, "b");
    groups.set(2, "a");
    shares.idle(1, 2);
    assertFalse(shares.hasReady());
    shares.ready(2, 0);
    assertEquals(2, start());
  }

  /** More groups than there are places, in any order: each is served, and nothing is left. */
  @Property(tries = 300)
  void everyReadyContextWithRoomIsServed(
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 1023) Integer> steps) {
    ProcessShares many = HostGroups.shares(64);
    HostGroups all = new HostGroups(64, many, new InFlightTable(64, 36), 4);
    boolean[] ready = new boolean[64];
    for (int step : steps) {
      int c = step & 63;
      switch (step >> 6 & 3) {
        case 0 -> all.set(c, "g" + (step >> 4 & 31));
        case 1 -> all.set(c, null);
        case 2 -> {
          many.ready(c, 1);
          ready[c] = true;
        }
        default -> {
          many.idle(c, 1);
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
      many.idle(c, 1);
      left--;
    }
    assertFalse(many.hasReady());
  }
}
