package io.isle.core.drivers.nativecode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.driver.DevicePort;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class SpuriousWakesPropertyTest {
  private long now;

  /**
   * A process whose threads complete and ring, each in its own time, and an agent that polls and
   * sleeps in between: what it counts as in {@link io.isle.lib.shm.AgentBells}.
   */
  private final class Honest {
    final Random random;
    final SpuriousWakes spurious = new SpuriousWakes(() -> now);
    final int inFlight;
    // what threads of the process have begun: a slot to write, a bell to increment, a wake to do
    final Deque<Integer> toWrite = new ArrayDeque<>();
    final boolean[] written = new boolean[DevicePort.MAX_INFLIGHT];
    int toRing;
    int toWake;
    int submitted;
    int tickets;
    int taken;
    int bell;
    int seen;
    boolean asleep;
    long wakes;
    boolean breach;
    int empty;

    Honest(Random random, int inFlight) {
      this.random = random;
      this.inFlight = inFlight;
    }

    void step() {
      now += random.nextInt(40) == 0 ? random.nextLong(SpuriousWakes.WINDOW_NS / 4) : 1000;
      switch (random.nextInt(6)) {
        case 0 -> {
          if (submitted - taken < inFlight) {
            submitted++;
          }
        }
        case 1 -> {
          if (tickets < submitted) {
            toWrite.add(tickets++);
          }
        }
        case 2 -> {
          if (!toWrite.isEmpty()) {
            // the last comes first, so that the reader waits for the first
            written[toWrite.pollLast() % written.length] = true;
            toRing++;
          }
        }
        case 3 -> {
          if (toRing > 0) {
            toRing--;
            bell++;
            toWake++;
          }
        }
        case 4 -> {
          if (toWake > 0) {
            toWake--;
            if (asleep) {
              wakes++;
              asleep = false;
              poll();
            }
          }
        }
        default -> agent();
      }
    }

    private void agent() {
      if (asleep && bell == seen) {
        return;
      }
      if (asleep) {
        // the kernel compared the words before
        asleep = false;
        wakes++;
        poll();
        return;
      }
      seen = bell;
      if (poll() == 0) {
        asleep = true;
      }
    }

    private int poll() {
      int count = 0;
      while (taken < tickets && written[taken % written.length]) {
        written[taken++ % written.length] = false;
        count++;
      }
      empty += count == 0 ? 1 : 0;
      breach |= spurious.onPoll(wakes, count);
      return count;
    }
  }

  @Property(tries = 300)
  void aRingThatRacesWithAPollNeverCounts(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = DevicePort.MAX_INFLIGHT) int inFlight) {
    Honest process = new Honest(new Random(seed), inFlight);
    for (int i = 0; i < 30_000; i++) {
      process.step();
      assertFalse(process.breach, "after " + i + " steps");
    }
    assertTrue(process.empty > 0);
  }

  /** The worst that the scheduling of a good process can do: every ring is seen, and is late. */
  @Property(tries = 100)
  void ringsThatAreAllLateAreExplained(
      @ForAll @IntRange(min = 1, max = DevicePort.MAX_INFLIGHT) int inFlight,
      @ForAll @IntRange(min = 1, max = 200) int rounds) {
    SpuriousWakes spurious = new SpuriousWakes(() -> now);
    long wakes = 0;
    for (int round = 0; round < rounds; round++) {
      // the first in the ring is the last to be written: the others ring, and nothing can be taken
      for (int i = 1; i < inFlight; i++) {
        wakes += 2;
        assertFalse(spurious.onPoll(wakes, 0));
      }
      assertFalse(spurious.onPoll(wakes, inFlight));
      wakes += 2;
      assertFalse(spurious.onPoll(wakes, 0));
    }
  }

  @Property(tries = 100)
  void whoRingsMoreThanItsCompletionsExplainIsFound(
      @ForAll @IntRange(min = 0, max = 5000) int completions,
      @ForAll @IntRange(min = 3, max = 50) int wakesOfEach) {
    SpuriousWakes spurious = new SpuriousWakes(() -> now);
    long wakes = 0;
    boolean found = false;
    int most = 2 * SpuriousWakes.MOST + 2 * completions;
    for (int i = 0; i < most && !found; i++) {
      if (i < completions) {
        assertFalse(spurious.onPoll(wakes, 1));
      }
      for (int w = 0; w < wakesOfEach && !found; w++) {
        found = spurious.onPoll(++wakes, 0);
      }
    }
    assertTrue(found, wakes + " wakes");
    assertTrue(spurious.inWindow() > SpuriousWakes.ALLOWED);
  }

  @Example
  void spuriousWakesNowAndThenAreForgotten() {
    SpuriousWakes spurious = new SpuriousWakes(() -> now);
    long wakes = 0;
    for (int window = 0; window < 100; window++) {
      for (int i = 0; i < SpuriousWakes.ALLOWED; i++) {
        assertFalse(spurious.onPoll(++wakes, 0), "window " + window);
      }
      assertEquals(SpuriousWakes.ALLOWED, spurious.inWindow());
      now += SpuriousWakes.WINDOW_NS + 1;
    }
    for (int i = 0; i < SpuriousWakes.ALLOWED; i++) {
      assertFalse(spurious.onPoll(++wakes, 0));
    }
    assertTrue(spurious.onPoll(++wakes, 0));
  }

  @Example
  void completionsOfLongAgoExplainOnlySoMuch() {
    SpuriousWakes spurious = new SpuriousWakes(() -> now);
    for (int i = 0; i < 1_000_000; i++) {
      assertFalse(spurious.onPoll(0, 64));
    }
    assertFalse(spurious.onPoll(SpuriousWakes.MOST, 0));
    assertTrue(spurious.onPoll(SpuriousWakes.MOST + 1, 0));
  }
}
