package io.isle.core.accel.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.core.accel.queue.ContextState;
import io.isle.core.accel.queue.PointTimeline;
import io.isle.core.accel.queue.QueueRecord;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** A context and what its tenant knows must become of each of its submissions. */
final class SimulatedTenant {
  final QueueRecord record;
  long submitted;

  /** Points by what they are; a point is in one of these until it ends. */
  final TreeSet<Long> pending = new TreeSet<>();

  final TreeSet<Long> again = new TreeSet<>();

  /** Those of {@link #again} that outlive a crash. */
  private final TreeSet<Long> replays = new TreeSet<>();

  final TreeSet<Long> running = new TreeSet<>();

  /** Those of {@link #running} that were replays when they started. */
  private final TreeSet<Long> restarted = new TreeSet<>();

  final TreeMap<Long, Integer> ended = new TreeMap<>();

  /** Points that may start again. */
  private final TreeSet<Long> replayable = new TreeSet<>();

  /** Published but not yet seen by the agent, with an old stamp. */
  private final TreeSet<Long> late = new TreeSet<>();

  boolean held;

  /** Stamp of submissions that count; it grows when work has failed. */
  private int generation;

  private boolean lateAllowed;

  /** Whether work came back while more of it was running. */
  private boolean gathering;

  private long newestStarted;

  SimulatedTenant(QueueRecord record) {
    this.record = record;
  }

  boolean hasRoom() {
    // as a tenant sees it: the agent may not have taken a completion yet
    return submitted - record.queue().timeline.recorded() < SimulatedDataPlane.DEPTH;
  }

  /**
   * Submits as a thread does that looked at the context's state before the last interruption
   * ({@code late}) or after.
   */
  void submit(boolean replay, boolean isLate) {
    int word = record.word();
    int stamp = ContextState.stampOf(word) - (isLate ? 1 : 0);
    if (!hasRoom() || stamp < 0 || !isLate && ContextState.codeOf(word) != 0) {
      return;
    }
    long point = ++submitted;
    record.queue().describe(point, 64, 0, stamp, replay);
    record.queue().timeline.publish(point);
    pending.add(point);
    if (replay) {
      replayable.add(point);
    }
    if (stamp < generation) {
      late.add(point);
    }
  }

  /** The agent has seen everything that was published. */
  void seen() {
    if (!lateAllowed) {
      late.forEach(point -> end(point, -Errno.EINTR));
    }
    late.clear();
  }

  /** Contents were lost; everything that was published is seen. */
  void lostContents() {
    generation = ContextState.stampOf(record.word());
    lateAllowed = false;
  }

  /** The device got the submission in this slot; returns its point. */
  long dispatched(long offset) {
    assertTrue(!held, "dispatched while held");
    seen();
    TreeSet<Long> next = again.isEmpty() ? pending : again;
    long point = next.first();
    assertEquals(record.queue().offset(point), offset, "the oldest that may start, replays first");
    assertTrue(point > newestStarted, "started twice on one device");
    assertTrue(running.isEmpty() || !gathering, "started before all had come back");
    gathering = false;
    newestStarted = point;
    next.remove(point);
    if (replays.remove(point)) {
      restarted.add(point);
    }
    running.add(point);
    return point;
  }

  /** The device gave up what it was running, or had not begun. */
  void givenBack(long point, boolean begun) {
    if (begun && !replayable.contains(point)) {
      end(point, -Errno.EINTR);
      return;
    }
    running.remove(point);
    again.add(point);
    if (begun) {
      replayable.remove(point);
      replays.add(point);
    } else if (restarted.remove(point)) {
      replays.add(point);
    }
    gathering = true;
    newestStarted = 0;
  }

  /** Everything that was not late was seen before. */
  void failed(boolean keepAll) {
    generation = ContextState.stampOf(record.word());
    newestStarted = 0;
    held = false;
    for (long point : new TreeSet<>(running)) {
      running.remove(point);
      if (replayable.remove(point)) {
        again.add(point);
        replays.add(point);
      } else {
        end(point, -Errno.EINTR);
      }
    }
    lateAllowed = keepAll;
    if (!keepAll && !record.keepsPending()) {
      new TreeSet<>(pending).forEach(point -> end(point, -Errno.EINTR));
      TreeSet<Long> returned = new TreeSet<>(again);
      returned.removeAll(replays);
      returned.forEach(point -> end(point, -Errno.EINTR));
    }
  }

  void closed() {
    late.clear();
    new TreeSet<>(pending).forEach(point -> end(point, -Errno.ECLOSED));
    new TreeSet<>(again).forEach(point -> end(point, -Errno.ECLOSED));
  }

  void end(long point, int code) {
    pending.remove(point);
    again.remove(point);
    running.remove(point);
    replayable.remove(point);
    restarted.remove(point);
    assertEquals(null, ended.put(point, code), "ended twice");
  }

  long prefix() {
    long point = 0;
    while (ended.containsKey(point + 1)) {
      point++;
    }
    return point;
  }

  void check() {
    PointTimeline timeline = record.queue().timeline;
    assertEquals(prefix(), timeline.recorded());
    assertEquals(ended.size(), record.queue().log.completed());
    for (Map.Entry<Long, Integer> end : ended.headMap(prefix(), true).entrySet()) {
      if (submitted - end.getKey() < 4L * SimulatedDataPlane.DEPTH) {
        assertEquals(end.getValue(), timeline.status(end.getKey()));
      }
    }
  }
}
