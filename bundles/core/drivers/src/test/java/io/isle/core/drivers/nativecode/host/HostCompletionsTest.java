package io.isle.core.drivers.nativecode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Late completions of what the core gave up, and those of what a host never had. */
class HostCompletionsTest {
  private static final int INDICES = 8;

  /** A host, and the core's table: the tag in flight by index, of a new generation at each use. */
  private static final class Model {
    long now = 1;
    final HostCompletions told = new HostCompletions(INDICES, () -> now);
    final Map<Integer, Long> inFlight = new HashMap<>();
    final int[] generation = new int[INDICES];
    int given;
    int accepted;

    Model() {
      told.to((tag, status, start, end, busy, detail) -> complete(tag));
    }

    private int complete(long tag) {
      if (!inFlight.remove((int) tag, tag)) {
        return -Errno.ESTALE;
      }
      accepted++;
      return 0;
    }

    long submit(int index) {
      long tag = (long) ++generation[index] << 32 | index;
      inFlight.put(index, tag);
      told.given(tag);
      given++;
      return tag;
    }

    /** The context is closed: the host's word of its work comes later. */
    void giveUp(int index) {
      Object ignored = inFlight.remove(index);
    }

    void completed(long tag) {
      told.completed(tag, CompletionSink.SUCCESS, 0, 0, 0, 0);
    }

    void invent() {
      completed(1L << 40);
    }

    UnknownCompletions unknown() {
      return told.unknown();
    }
  }

  @Property(tries = 300)
  void submittingAndClosingInLoopsIsNeverABreach(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int late) {
    Model core = new Model();
    Random random = new Random(seed);
    Deque<Long> owed = new ArrayDeque<>();
    for (int i = 0; i < 3 * UnknownCompletions.MOST; i++) {
      int index = random.nextInt(INDICES);
      if (!core.inFlight.containsKey(index)) {
        owed.add(core.submit(index));
      }
      if (random.nextInt(3) > 0) {
        core.giveUp(index);
      }
      while (owed.size() > late || random.nextInt(4) == 0 && !owed.isEmpty()) {
        core.completed(owed.remove());
      }
    }
    assertEquals(!owed.isEmpty(), core.told.owes());
    owed.forEach(core::completed);
    assertFalse(core.told.owes());
    assertEquals(0, core.unknown().count());
    assertTrue(core.accepted > 0 && core.accepted < core.given, core.accepted + "");
  }

  @Property(tries = 300)
  void eachTagIsExcusedOnce(@ForAll long seed) {
    Model core = new Model();
    Random random = new Random(seed);
    List<Long> ended = new ArrayList<>();
    int invented = 0;
    for (int i = 0; i < 500; i++) {
      int index = random.nextInt(INDICES);
      if (!core.inFlight.containsKey(index)) {
        long tag = core.submit(index);
        if (random.nextBoolean()) {
          core.giveUp(index);
        }
        core.completed(tag);
        ended.add(tag);
      }
      core.completed(ended.get(random.nextInt(ended.size())));
      core.completed(random.nextLong() | 1L << 62);
      invented += 2;
    }
    assertEquals(invented, core.unknown().count());
  }

  @Test
  void aStatusThatCannotBeIsABreachOfWorkThatTheHostHas() {
    Model core = new Model();
    core.told.to((tag, status, start, end, busy, detail) -> -Errno.EINVAL);
    core.completed(core.submit(0));
    assertEquals(1, core.unknown().count());
  }

  @Test
  void onlyThoseOfAWindowCount() {
    Model core = new Model();
    for (int window = 0; window < 5; window++) {
      for (int i = 0; i < UnknownCompletions.MOST; i++) {
        core.invent();
      }
      assertFalse(core.unknown().tooMany());
      core.now += UnknownCompletions.WINDOW_NS;
    }
    for (int i = 0; i <= UnknownCompletions.MOST; i++) {
      core.invent();
    }
    assertTrue(core.unknown().tooMany());
    core.now += UnknownCompletions.WINDOW_NS;
    core.invent();
    assertTrue(core.unknown().tooMany(), "what was too much stays so");
  }

  @Test
  void generationsThatBeginAgainAreNoBreach() {
    Model core = new Model();
    core.generation[3] = Integer.MAX_VALUE - 2;
    for (int i = 0; i < 3; i++) {
      long tag = core.submit(3);
      core.giveUp(3);
      core.completed(tag);
      core.generation[3] = core.generation[3] == Integer.MAX_VALUE ? 0 : core.generation[3];
    }
    assertEquals(0, core.unknown().count());
  }
}
