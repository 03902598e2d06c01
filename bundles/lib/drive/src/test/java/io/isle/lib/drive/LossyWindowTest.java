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

class LossyWindowTest {
  private static final Optional<LostFrame> FRAME = Optional.of(new LostFrame(32769, 2, 3));

  private final List<Loss> losses = new ArrayList<>();

  private LossyWindow window(int size, long noReply, long begun) throws InterruptedException {
    Positions positions = new Positions(0, 100, 90);
    LossyWindow window = new LossyWindow(size, positions, noReply, losses::add);
    for (int i = 0; i < begun; i++) {
      assertEquals(i, window.begin(() -> true));
      window.sent(i, 0);
    }
    return window;
  }

  @Test
  void repliesAreFoundByTheirPositions() throws Exception {
    LossyWindow window = window(4, 8, 4);
    assertEquals(0, window.replied(98, 0));
    assertEquals(1, window.replied(99, 0));
    assertEquals(2, window.replied(0, 0));
    assertEquals(-1, window.replied(0, 0), "a second time");
    assertEquals(-1, window.replied(2, 0), "not sent yet");
    assertEquals(-1, window.replied(100, 0), "no such position");
    assertEquals(-1, window.replied(-1, 0));
    assertEquals(3, window.replied(1, 0));
    assertTrue(window.isEmpty());
    assertEquals(List.of(), losses);
  }

  @Test
  void aReplyTellsThatEarlierOnesAreLost() throws Exception {
    LossyWindow window = window(4, 0, 4);
    assertEquals(2, window.replied(92, 0));
    assertEquals(
        List.of(
            new Loss(0, 90, Cause.OVERTAKEN, Optional.empty()),
            new Loss(1, 91, Cause.OVERTAKEN, Optional.empty())),
        losses);
    assertEquals(1, window.replied(91, 0), "late");
    assertEquals(-1, window.replied(91, 0));
    assertEquals(1, window.late());
    assertEquals(BitSet.valueOf(new long[] {1}), window.lost());
    assertFalse(window.isEmpty());
  }

  @Test
  void theLinkLosesTheOldest() throws Exception {
    LossyWindow window = window(2, 3, 2);
    assertTrue(window.lost(FRAME, 0));
    assertEquals(List.of(new Loss(3, 93, Cause.LINK, FRAME)), losses);
    assertTrue(
        losses
            .getFirst()
            .text()
            .endsWith("lost the reply (frame 32769 of the link, 2 of 3 chunks arrived)"));
    assertEquals(1, window.replied(94, 0));
    assertFalse(window.lost(FRAME, 0), "none is due");
    assertEquals(1, losses.size());
  }

  @Test
  void silenceCountsFromTheLastReplyOrTheOldestPacket() throws Exception {
    LossyWindow window = window(8, 0, 0);
    window.expire(100, 1_000_000);
    assertEquals(0, window.begin(() -> true));
    window.expire(100, 1_000_000);
    assertEquals(List.of(), losses, "it is still being sent");
    window.sent(0, 1_000_000);
    assertEquals(1, window.begin(() -> true));
    window.sent(1, 1_000_090);
    window.expire(100, 1_000_100);
    assertEquals(0, window.replied(90, 1_000_100));
    window.expire(100, 1_000_200);
    assertEquals(List.of(), losses);
    window.expire(100, 1_000_201);
    assertEquals(List.of(new Loss(1, 91, Cause.SILENCE, Optional.empty())), losses);
    assertTrue(window.isEmpty());
  }

  @Test
  void aReplyMayComeBeforeItsPacketCountsAsSent() throws Exception {
    LossyWindow window = window(1, 0, 0);
    assertEquals(0, window.begin(() -> true));
    assertEquals(0, window.replied(90, 5));
    window.sent(0, 6);
    window.expire(1, 1000);
    assertEquals(List.of(), losses);
    assertTrue(window.isEmpty());
  }

  @Test
  void thereAreNeverMorePacketsThanPositions() throws Exception {
    LossyWindow window = new LossyWindow(16, new Positions(4, 6, 5), 0, losses::add);
    assertEquals(0, window.begin(() -> true));
    assertEquals(1, window.begin(() -> true));
    Thread third = Thread.ofPlatform().start(() -> begin(window));
    while (third.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertEquals(0, window.replied(5, 0));
    third.join();
    window.stop();
    assertEquals(Window.NONE, window.begin(() -> true));
    assertTrue(window.isStopped());
  }

  private static void begin(LossyWindow window) {
    try {
      long ignored = window.begin(() -> true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Packets go round in order; some are lost on the way or on the last link, some come late. */
  @Property(tries = 300)
  void whatIsLostIsWhatHasNoReply(
      @ForAll Random random,
      @ForAll @IntRange(min = 1, max = 6) int size,
      @ForAll @IntRange(min = 6, max = 30) int count,
      @ForAll @IntRange(min = 0, max = 3) int noReply)
      throws InterruptedException {
    losses.clear();
    Positions positions = new Positions(0, count, 2);
    LossyWindow window = new LossyWindow(size, positions, noReply, losses::add);
    Deque<Long> way = new ArrayDeque<>();
    List<Long> kept = new ArrayList<>();
    BitSet replied = new BitSet();
    long begun = 0;
    while (begun < 100 || !window.isEmpty()) {
      long due = begun - window.lost().cardinality() - replied.cardinality();
      if (begun < 100 && due < size && random.nextBoolean()) {
        assertEquals(begun, window.begin(() -> true));
        window.sent(begun, 0);
        way.add(begun++);
      } else if (way.isEmpty()) {
        window.expire(1, 10);
      } else {
        long index = way.remove();
        switch (random.nextInt(6)) {
          case 0 -> {
            kept.add(index);
            while (!way.isEmpty() && random.nextBoolean()) {
              kept.add(way.remove());
            }
          }
          case 1 -> assertTrue(window.lost(FRAME, 0));
          default -> {
            assertEquals(index, window.replied(positions.at(noReply + index), 0));
            replied.set((int) index);
          }
        }
      }
      if (way.isEmpty()) {
        window.expire(1, 10);
      }
      assertTrue(window.lost().cardinality() + replied.cardinality() <= begun);
    }
    assertFalse(window.lost().intersects(replied));
    assertEquals(100, window.lost().cardinality() + replied.cardinality());
    assertEquals(losses.size(), window.lost().cardinality());
    for (long index : kept) {
      boolean recent = index >= 100 - Math.min(count, 6);
      if (recent && window.lost().get((int) index)) {
        assertEquals(index, window.replied(positions.at(noReply + index), 0));
      }
    }
  }
}
