package io.isle.core.accel.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.core.accel.queue.CompletionCodes;
import io.isle.core.accel.queue.CompletionLog;
import io.isle.core.accel.queue.ContextQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Work that leaves the device half done, and goes on. */
class ProgressPropertyTest {
  private static final int CONTEXTS = 3;
  private static final int DEPTH = 8;
  private static final int MAX_IN_FLIGHT = 4;
  private static final long STRETCH = 1;

  /** A device that runs a context's work in order, and keeps how far the first one is. */
  private static final class Fixture {
    final DeviceMachine machine =
        new DeviceMachine(CONTEXTS, MAX_IN_FLIGHT, Schedulers.byPriority(CONTEXTS, MAX_IN_FLIGHT));
    final ContextQueue[] queues = new ContextQueue[CONTEXTS];
    final long[] submitted = new long[CONTEXTS];
    final List<List<Integer>> onDevice = new ArrayList<>();

    /** By context and point, the stretches so far. */
    final List<Map<Long, Integer>> stretches = new ArrayList<>();

    final List<Map<Long, Integer>> ended = new ArrayList<>();

    /** The point that the device has the progress of; 0 for none. */
    final long[] kept = new long[CONTEXTS];

    Fixture() {
      for (int c = 0; c < CONTEXTS; c++) {
        queues[c] = new ContextQueue(1, Schedulers.timeline(1, DEPTH), 0, 256, DEPTH);
        machine.onOpen(c, Schedulers.spec(1), 0, queues[c]);
        onDevice.add(new ArrayList<>());
        stretches.add(new HashMap<>());
        ended.add(new HashMap<>());
      }
    }

    void submit(int c, boolean replayable) {
      if (submitted[c] - machine.endings().prefix(c) < DEPTH) {
        queues[c].describe(++submitted[c], 64, 0, 0, replayable);
        machine.onSubmit(c, submitted[c]);
      }
    }

    void start() {
      int index = machine.next(0);
      if (index < 0) {
        return;
      }
      int c = machine.inFlight().context(index);
      long point = machine.inFlight().point(index);
      List<Integer> mine = onDevice.get(c);
      if (!mine.isEmpty()) {
        long last = machine.inFlight().point(mine.getLast());
        assertTrue(point > last, point + " after " + last);
      } else if (kept[c] != 0) {
        assertEquals(kept[c], point, "what is half done goes on first");
      }
      mine.add(index);
    }

    void complete(int c) {
      List<Integer> mine = onDevice.get(c);
      if (!mine.isEmpty()) {
        int index = mine.removeFirst();
        long point = machine.inFlight().point(index);
        kept[c] = 0;
        int before = stretches.get(c).merge(point, 1, Integer::sum);
        assertEquals(
            0,
            machine
                .departures()
                .onComplete(
                    machine.inFlight().tag(index),
                    0,
                    CompletionCodes.outcome(0),
                    7,
                    8,
                    STRETCH,
                    0,
                    9));
        assertEquals(before * STRETCH, queues[c].log.busyNs(point));
        end(c, point, 0);
      }
    }

    /** The first has begun and comes back half done; what is behind has not begun. */
    void preempt(int c) {
      List<Integer> mine = onDevice.get(c);
      if (!mine.isEmpty()) {
        int first = mine.removeFirst();
        long point = machine.inFlight().point(first);
        kept[c] = point;
        stretches.get(c).merge(point, 1, Integer::sum);
        machine.departures().onPreempted(first, 7, 8, STRETCH, 9);
        mine.forEach(index -> assertTrue(machine.departures().onReturn(index, false)));
        mine.clear();
      }
    }

    /** The device forgets what it kept of a context. */
    void reset(int c) {
      if (onDevice.get(c).isEmpty()) {
        machine.departures().onProgressLost(c);
        forget(c);
      }
    }

    private void forget(int c) {
      if (kept[c] != 0) {
        if (machine.endings().has(c, kept[c])) {
          end(c, kept[c], -Errno.EINTR);
        }
        stretches.get(c).remove(kept[c]);
        kept[c] = 0;
      }
    }

    void fail() {
      for (int c = 0; c < CONTEXTS; c++) {
        for (int index : onDevice.get(c)) {
          long point = machine.inFlight().point(index);
          stretches.get(c).remove(point);
          if (!machine.departures().onReplay(index, false)) {
            machine.departures().onAbandon(index, -Errno.EINTR, false);
            end(c, point, -Errno.EINTR);
          }
          kept[c] = kept[c] == point ? 0 : kept[c];
        }
        onDevice.get(c).clear();
        machine.onFail(c, 0, true, true);
        forget(c);
      }
    }

    void end(int c, long point, int code) {
      assertFalse(ended.get(c).containsKey(point), "point " + point + " ended twice");
      ended.get(c).put(point, code);
    }
  }

  @Property(tries = 500)
  void everySubmissionEndsOnceAndGoesOnInOrder(
      @ForAll @Size(max = 300) List<@IntRange(min = 0, max = 4095) Integer> script) {
    Fixture fixture = new Fixture();
    for (int step : script) {
      int c = step / 16 % CONTEXTS;
      switch (step % 16) {
        case 0, 1, 2, 3 -> fixture.submit(c, step / 64 % 3 == 0);
        case 4, 5, 6, 7 -> fixture.start();
        case 8, 9, 10 -> fixture.complete(c);
        case 11, 12, 13 -> fixture.preempt(c);
        case 14 -> fixture.reset(c);
        default -> {
          if (step / 64 % 4 == 0) {
            fixture.fail();
          }
        }
      }
    }
    for (int round = 0; round < 4 * CONTEXTS * DEPTH; round++) {
      fixture.start();
      fixture.complete(round % CONTEXTS);
    }
    for (int c = 0; c < CONTEXTS; c++) {
      assertEquals(fixture.submitted[c], fixture.machine.endings().prefix(c));
      assertEquals(fixture.submitted[c], fixture.ended.get(c).size());
      for (Map.Entry<Long, Integer> one : fixture.ended.get(c).entrySet()) {
        if (fixture.submitted[c] - one.getKey() < 4 * DEPTH) {
          assertEquals(one.getValue(), fixture.queues[c].log.code(one.getKey()));
        }
      }
    }
    assertEquals(0, fixture.machine.inFlight().size());
  }

  @Test
  void timesAreThoseOfAllStretches() {
    Fixture fixture = new Fixture();
    fixture.submit(0, false);
    fixture.start();
    int first = fixture.onDevice.get(0).getFirst();
    assertEquals(0, fixture.machine.departures().ranNs(first));
    fixture.machine.departures().onPreempted(first, 100, 130, 25, 140);
    fixture.onDevice.get(0).clear();
    fixture.start();
    int second = fixture.onDevice.get(0).getFirst();
    assertEquals(30, fixture.machine.departures().ranNs(second));
    assertEquals(
        0,
        fixture
            .machine
            .departures()
            .onComplete(
                fixture.machine.inFlight().tag(second),
                0,
                CompletionCodes.outcome(0),
                200,
                210,
                9,
                0,
                220));
    CompletionLog log = fixture.queues[0].log;
    assertEquals(100, log.startNs(1));
    assertEquals(210, log.endNs(1));
    assertEquals(34, log.busyNs(1));
    assertEquals(34, log.busyNs());
  }

  @Test
  void whatAClosedContextHasHalfDoneEnds() {
    Fixture fixture = new Fixture();
    fixture.submit(0, false);
    fixture.start();
    fixture.machine.onClose(0, -Errno.ECLOSED);
    fixture.machine.departures().onPreempted(fixture.onDevice.get(0).getFirst(), 1, 2, 1, 3);
    assertEquals(1, fixture.machine.endings().prefix(0));
    assertEquals(-Errno.ECLOSED, fixture.queues[0].log.code(1));
  }
}
