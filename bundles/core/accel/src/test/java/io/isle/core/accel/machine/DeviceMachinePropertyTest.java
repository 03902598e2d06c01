package io.isle.core.accel.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.queue.CompletionCodes;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.queue.PointTimeline;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The machine against a model that keeps everything in plain collections. */
class DeviceMachinePropertyTest {
  private static final int CONTEXTS = 5;
  private static final int DEPTH = 8;
  private static final int MAX_IN_FLIGHT = 4;

  @Property(tries = 1000)
  void everySubmissionEndsExactlyOnceInOrderAndByPriority(
      @ForAll @Size(max = 400) List<@IntRange(min = 0, max = 1 << 20) Integer> script) {
    Model model = new Model();
    for (int step : script) {
      model.step(step % 12, step / 12);
      model.check();
    }
    model.finish();
  }

  /** A context as the model sees it. */
  private static final class Lane {
    final int priority;
    ContextQueue queue = newQueue();
    long submitted;
    long started;
    boolean closing;
    boolean waitOver;

    /** Code of each point that has ended. */
    final TreeMap<Long, Integer> ended = new TreeMap<>();

    Lane(int priority) {
      this.priority = priority;
    }

    long prefix() {
      long point = 0;
      while (ended.containsKey(point + 1)) {
        point++;
      }
      return point;
    }

    boolean ready() {
      return !closing && started < submitted && (waitOver || !queue.hasWaits(started + 1));
    }

    void end(long point, int code) {
      assertTrue(ended.put(point, code) == null, "point " + point + " ended twice");
    }

    void endPending(int code) {
      while (started < submitted) {
        end(++started, code);
      }
    }
  }

  private record Started(int lane, long point, long tag) {}

  private static final class Model {
    final DeviceMachine machine =
        new DeviceMachine(CONTEXTS, MAX_IN_FLIGHT, Schedulers.byPriority(CONTEXTS, MAX_IN_FLIGHT));
    final List<Lane> lanes = new ArrayList<>();
    final List<Started> inFlight = new ArrayList<>();
    final List<Long> oldTags = new ArrayList<>();

    Model() {
      for (int c = 0; c < CONTEXTS; c++) {
        lanes.add(new Lane(c % 3));
        machine.onOpen(c, Schedulers.spec(c % 3), 0, lanes.get(c).queue);
      }
    }

    void step(int operation, int argument) {
      Lane lane = lanes.get(argument % CONTEXTS);
      switch (operation) {
        case 0, 1, 2 -> submit(argument % CONTEXTS, 1 + argument / CONTEXTS % 3, argument % 7 == 0);
        case 3, 4, 5 -> start(argument % 5 == 0);
        case 6, 7, 8 -> complete(argument);
        case 9 -> refuseForged(argument);
        case 10 -> {
          lane.waitOver |= lane.started < lane.submitted && lane.queue.hasWaits(lane.started + 1);
          machine.onPoint(argument % CONTEXTS);
        }
        default -> {
          if (argument % 9 == 0) {
            lose();
          } else {
            close(argument % CONTEXTS);
          }
        }
      }
    }

    void submit(int c, int count, boolean waits) {
      Lane lane = lanes.get(c);
      long room = DEPTH - (lane.submitted - lane.prefix());
      for (int i = 0; i < Math.min(count, room); i++) {
        lane.submitted++;
        lane.queue.describe(lane.submitted, 64, waits ? 1 : 0, 0, false);
      }
      machine.onSubmit(c, lane.submitted);
      if (lane.closing) {
        lane.endPending(-Errno.ECLOSED);
      }
    }

    void start(boolean reject) {
      int best = lanes.stream().filter(Lane::ready).mapToInt(l -> l.priority).max().orElse(-1);
      int index = machine.next(0);
      assertEquals(best >= 0 && inFlight.size() < MAX_IN_FLIGHT, index >= 0);
      if (index < 0) {
        return;
      }
      int c = machine.inFlight().context(index);
      Lane lane = lanes.get(c);
      assertEquals(best, lane.priority, "strict priority");
      assertEquals(lane.started + 1, machine.inFlight().point(index), "in order");
      if (reject) {
        oldTags.add(machine.inFlight().tag(index));
        machine.departures().onRejected(index);
        lane.waitOver = true;
        return;
      }
      lane.started++;
      lane.waitOver = false;
      inFlight.add(new Started(c, lane.started, machine.inFlight().tag(index)));
    }

    void complete(int argument) {
      if (inFlight.isEmpty()) {
        return;
      }
      Started one = inFlight.remove(argument % inFlight.size());
      int code = argument % 3 == 0 ? -Errno.EIO : 0;
      assertEquals(
          0,
          machine
              .departures()
              .onComplete(one.tag(), code, CompletionCodes.outcome(code), 1, 2, 1, argument, 3));
      lanes.get(one.lane()).end(one.point(), code);
      assertEquals(
          -Errno.ESTALE,
          machine.departures().onComplete(one.tag(), 0, CompletionCodes.outcome(0), 1, 2, 1, 0, 3));
      oldTags.add(one.tag());
    }

    void refuseForged(int argument) {
      long forged =
          oldTags.isEmpty() || argument % 2 == 0
              ? ((long) (argument % 64) << 32) + argument % 9 - 2
              : oldTags.get(argument % oldTags.size());
      if (inFlight.stream().noneMatch(one -> one.tag() == forged)) {
        assertEquals(
            -Errno.ESTALE,
            machine.departures().onComplete(forged, 0, CompletionCodes.outcome(0), 1, 2, 1, 0, 3));
      }
    }

    void close(int c) {
      Lane lane = lanes.get(c);
      lane.closing = true;
      lane.endPending(-Errno.ECLOSED);
      machine.onClose(c, -Errno.ECLOSED);
      if (machine.inFlight().running(c) == 0) {
        check();
        reopen(c);
      }
    }

    void lose() {
      for (int c = 0; c < CONTEXTS; c++) {
        lanes.get(c).closing = true;
        lanes.get(c).endPending(-Errno.EINTR);
        machine.onClose(c, -Errno.EINTR);
      }
      for (Started one : inFlight) {
        machine.departures().onAbandon((int) one.tag(), -Errno.EINTR, one.point() % 2 == 0);
        lanes.get(one.lane()).end(one.point(), -Errno.EINTR);
      }
      check();
      for (int c = 0; c < CONTEXTS; c++) {
        reopen(c);
      }
      for (Started one : inFlight) {
        int late =
            machine
                .departures()
                .onComplete(one.tag(), 0, CompletionCodes.outcome(0), 1, 2, 1, 0, 3);
        assertEquals(one.point() % 2 == 0 ? 0 : -Errno.ESTALE, late);
      }
      inFlight.clear();
    }

    void reopen(int c) {
      machine.onForget(c);
      lanes.set(c, new Lane(lanes.get(c).priority));
      machine.onOpen(c, Schedulers.spec(lanes.get(c).priority), 0, lanes.get(c).queue);
    }

    void check() {
      for (int c = 0; c < CONTEXTS; c++) {
        Lane lane = lanes.get(c);
        assertEquals(lane.prefix(), machine.endings().prefix(c));
        assertEquals(lane.ended.size(), lane.queue.log.completed());
        lane.ended
            .tailMap(lane.submitted - 4 * DEPTH + 1)
            .forEach((point, code) -> assertEquals(code, lane.queue.log.code(point)));
      }
    }

    void finish() {
      lose();
      assertEquals(0, machine.inFlight().size());
    }
  }

  private static ContextQueue newQueue() {
    return new ContextQueue(1, new PointTimeline(1, null, FenceOwner.NOBODY, DEPTH), 0, 256, DEPTH);
  }
}
