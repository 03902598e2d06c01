package io.isle.core.accel.sched;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Feeds a journal to a fresh core and compares its decisions with those that were made. */
public final class Replay {
  private static final int POLICIES = SchedulingPolicy.values().length;
  private static final int STATES = 1 << 18;

  /**
   * What came of it.
   *
   * @param records that were fed
   * @param decisions that were compared
   * @param missed what the journal could not take at the end
   * @param durationNs from its first time to its last
   * @param difference where it stopped; empty when all decisions were the same
   */
  public record Result(
      long records,
      long decisions,
      long missed,
      long durationNs,
      Optional<Difference> difference) {}

  /**
   * A decision that is another than was recorded.
   *
   * @param record its number, from 1
   * @param timeNs since the beginning of the journal
   * @param what context or slot to leave; -1 is none
   */
  public record Difference(long record, long timeNs, String what, long recorded, long now) {}

  private final JournalReader reader;
  private final SchedulingCore core;
  private final Map<Long, Long> state = new HashMap<>();
  private boolean begun;
  private long decisions;
  private Difference difference;

  private Replay(JournalReader reader) {
    this.reader = reader;
    core =
        new SchedulingCore(
            reader.contexts,
            reader.groups,
            reader.depth,
            reader.units,
            SchedulingPolicy.PRIORITY,
            reader.start);
    // as while it was recorded: without leases
    core.setJournal((kind, time, context, value, budget, deadline) -> {});
  }

  /**
   * Replays all of it, or up to the first difference.
   *
   * @throws JournalFormatException when it is no journal
   * @throws IOException when it cannot be read, or is cut off
   */
  public static Result run(InputStream in) throws IOException {
    Replay replay = new Replay(new JournalReader(in));
    return replay.run();
  }

  private Result run() throws IOException {
    while (difference == null && reader.next()) {
      try {
        feed();
      } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
        throw reader.broken("the recorded inputs are impossible: " + e.getMessage());
      }
    }
    if (difference == null && !begun) {
      throw reader.broken("ends before its beginning is complete");
    }
    return new Result(
        reader.records,
        decisions,
        reader.missed,
        reader.time - reader.start,
        Optional.ofNullable(difference));
  }

  private void feed() throws IOException {
    long[] n = reader.numbers;
    long time = reader.time;
    switch (reader.kind) {
      case Inputs.AT -> core.at(time);
      case Inputs.POLICY -> core.setPolicy(SchedulingPolicy.values()[index(n[0], POLICIES)]);
      case Inputs.LIMIT -> core.setLimit(index(n[0], reader.depth + 1));
      case Inputs.PARALLEL -> core.preemption().setParallel(index(n[0], Limits.MAX_DEPTH + 1));
      case Inputs.STOPS -> core.preemption().setStops(n[0] != 0);
      case Inputs.OPEN -> core.open(context(n[0]), index(n[1] >> 2), (int) n[1] & 3, n[2], n[3]);
      case Inputs.CONTEXT ->
          core.setContext(context(n[0]), index(n[1] >> 2), (int) n[1] & 3, n[2], n[3]);
      case Inputs.CLOSE -> core.close(context(n[0]));
      case Inputs.GROUP -> group(n);
      case Inputs.REMOVE -> core.removeGroup(index(n[0]));
      case Inputs.READY -> core.ready(context(n[0]));
      case Inputs.IDLE -> core.idle(context(n[0]));
      case Inputs.PAUSE -> core.pause(context(n[0]));
      case Inputs.NEXT -> compare("context", n[0], core.next(time));
      case Inputs.START -> start(slot(n[0]), context(n[1]), time, n[2]);
      case Inputs.END -> core.onEnd(slot(n[0]), n[1], time);
      case Inputs.ABANDON -> core.onAbandon(slot(n[0]));
      case Inputs.ADVISE -> advise(n[0], n[1], time);
      case Inputs.ASKED -> core.preemption().onAsked(slot(n[0]));
      case Inputs.STATE -> state(n);
      default -> begin();
    }
  }

  private void group(long[] n) {
    core.setGroup(
        Inputs.group(n[0]), Inputs.parent(n[0]), n[1], n[2], n[3], n[4], Inputs.weight(n[0]));
  }

  private void start(int slot, int c, long time, long advanceNs) {
    if (core.isTaken(slot) || !core.isOpen(c)) {
      throw new IllegalArgumentException("context " + c + " cannot start in slot " + slot);
    }
    core.onStart(slot, c, time, advanceNs);
  }

  private void advise(long slot, long reason, long time) throws IOException {
    int now = core.preemption().advise(time);
    compare("slot to leave", slot, now);
    if (difference == null && now != SchedulingCore.NONE) {
      compare("reason to leave", reason, core.preemption().reason());
    }
  }

  private void compare(String what, long recorded, long now) throws IOException {
    if (!begun) {
      throw reader.broken("a decision before the beginning is complete");
    }
    decisions++;
    if (recorded != now) {
      difference = new Difference(reader.records, reader.time - reader.start, what, recorded, now);
    }
  }

  private void state(long[] n) throws IOException {
    if (begun || n[0] < 0 || n[0] >= CoreState.FIELDS || n[1] < 0 || n[1] >= STATES) {
      throw reader.broken("field " + n[0] + " of the state has no number " + n[1]);
    }
    state.put(n[0] * STATES + n[1], n[2]);
  }

  private void begin() throws IOException {
    if (begun) {
      throw reader.broken("a second beginning");
    }
    begun = true;
    core.restore((field, index, is) -> state.getOrDefault((long) field * STATES + index, 0L));
    state.clear();
  }

  private int context(long value) {
    return index(value, reader.contexts);
  }

  private int slot(long value) {
    return index(value, reader.depth);
  }

  /** Of a group. */
  private int index(long value) {
    return index(value, reader.groups);
  }

  private static int index(long value, int end) {
    if (value < 0 || value >= end) {
      throw new IllegalArgumentException(value + " is not below " + end);
    }
    return (int) value;
  }
}
