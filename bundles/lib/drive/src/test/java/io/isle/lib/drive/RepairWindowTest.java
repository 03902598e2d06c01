package io.isle.lib.drive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.drive.Loss.Cause;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RepairWindowTest {
  private final List<Loss> losses = new ArrayList<>();

  private RepairWindow window(int size, int begun) throws InterruptedException {
    RepairWindow window = new RepairWindow(size, new Positions(0, 100, 0), 0, losses::add);
    for (int i = 0; i < begun; i++) {
      assertEquals(i, window.begin(() -> true));
      window.sent(i, i);
    }
    return window;
  }

  @Test
  void anOvertakenPacketIsSentAgainAndHoldsTheWindow() throws Exception {
    RepairWindow window = window(3, 3);
    assertEquals(1, window.replied(1, 10));
    window.taken(1);
    assertEquals(List.of(new Loss(0, 0, Cause.OVERTAKEN, Optional.empty())), losses);
    assertEquals(0, window.begin(() -> true), "before a new one");
    window.sent(0, 11);
    assertEquals(2, window.replied(2, 12));
    window.taken(2);
    assertEquals(1, losses.size(), "the packet was sent later");
    assertFalse(window.isEmpty());
    assertEquals(0, window.replied(0, 20));
    window.taken(0);
    assertTrue(window.isEmpty());
    assertEquals(1, window.resent());
    assertEquals(3, window.begin(() -> true));
  }

  @Test
  void aSecondReplyIsNotTaken() throws Exception {
    RepairWindow window = window(2, 2);
    window.expire(5, 100);
    assertEquals(2, losses.size());
    assertEquals(0, window.begin(() -> true));
    assertEquals(0, window.replied(0, 101), "the reply of the first time");
    window.taken(0);
    window.sent(0, 102);
    assertEquals(Window.NONE, window.replied(0, 103), "the reply of the second time");
    assertEquals(1, window.replied(1, 104), "late");
    window.taken(1);
    assertEquals(1, window.late());
    assertEquals(Window.NONE, window.begin(() -> false));
  }

  @Test
  void theLongestGapCountsWhileRepliesAreDue() throws Exception {
    RepairWindow window = window(4, 2);
    assertEquals(0, window.replied(0, 30));
    window.taken(0);
    assertEquals(1, window.replied(1, 1030));
    window.taken(1);
    assertEquals(1000, window.gapNs());
    assertEquals(2, window.begin(() -> true));
    window.sent(2, 9000);
    assertEquals(2, window.replied(2, 9100));
    window.taken(2);
    assertEquals(1000, window.gapNs(), "no reply was due between both");
  }

  /** Packets go round in the order of sending; any of them may be lost, the last ones too. */
  @Property(tries = 500)
  void eachPacketGetsItsReplyOnce(
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 9) int size,
      @ForAll @IntRange(min = 18, max = 40) int count)
      throws InterruptedException {
    RepairWindow window = new RepairWindow(size, new Positions(0, count, 3), 0, any -> {});
    Positions positions = new Positions(0, count, 3);
    Deque<Long> way = new ArrayDeque<>();
    BitSet replied = new BitSet();
    long begun = 0;
    long now = 0;
    while (replied.cardinality() < 100) {
      now++;
      boolean more = begun < 100;
      boolean room = more && begun - replied.nextClearBit(0) < size;
      boolean repair = window.resent() < 2000 && way.isEmpty() && !room;
      if (repair) {
        window.expire(1, now += 10);
      }
      if (room || repair) {
        long index = window.begin(() -> room);
        assertTrue(index >= 0 && index <= begun && !replied.get((int) index));
        begun += index == begun ? 1 : 0;
        if (random.nextInt(5) > 0) {
          way.add(index);
        }
        window.sent(index, now);
      } else {
        long index = way.remove();
        long answered = window.replied(positions.at(index), now);
        assertEquals(replied.get((int) index) ? Window.NONE : index, answered);
        if (answered >= 0) {
          replied.set((int) index);
          window.taken(index);
        }
      }
      assertTrue(begun - replied.nextClearBit(0) <= size, "kept packets");
    }
    assertTrue(window.isEmpty());
    assertEquals(Window.NONE, window.begin(() -> false));
  }
}
