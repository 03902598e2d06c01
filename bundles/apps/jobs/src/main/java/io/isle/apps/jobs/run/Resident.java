package io.isle.apps.jobs.run;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.jobs.JobException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * A buffer that stays on the device for a step, or from one step to the next. What a crash takes is
 * brought back: from the JVM's memory, or by computing it again. Used by the stream's thread.
 */
final class Resident {
  private static final int NONE = -1;

  private final Env env;
  private final String name;
  private final long bytes;
  private final int flags;

  /** What it holds before the program; null for what only the program writes. */
  private final Contents contents;

  /** How it is brought back once the program has written it; null for what is read only. */
  private Contents again;

  private Context owner;

  /** Null while there is none. */
  private HeldMemory memory;

  private boolean filled;

  /** Whether no submission has had the memory, which is all zeros then. */
  private boolean fresh;

  /** Epoch of the stream when the memory was asked for last. */
  private int epoch;

  /** Epoch in which a device's own copy of the memory is as earlier work left it. */
  private int copied = NONE;

  /** Whether a kernel may have changed contents that nobody wants changed. */
  private boolean changed;

  /** Brings what a buffer holds. */
  @FunctionalInterface
  interface Contents {
    /** Fills it; returns 0 or a negated code after which it may be tried again. */
    int bring(Resident to) throws InterruptedException;
  }

  /**
   * @param bytes at least 1, see {@link ArrayBytes}
   * @param flags of {@link Buffer}
   * @param contents null for what only the program writes
   */
  Resident(Env env, String name, long bytes, int flags, Contents contents) {
    this.env = env;
    this.name = name;
    this.bytes = bytes;
    this.flags = flags;
    this.contents = contents;
  }

  /** Contents that lie in the JVM's memory. */
  static Contents copyOf(MemorySegment from, StepClock clock) {
    return to -> to.memory.load(from, clock);
  }

  /** From now on a step's results are brought back like this. */
  void remake(Contents how) {
    again = how;
  }

  /**
   * There is memory on the stream's context with the contents: a step's results, once there are
   * some, else what it holds before.
   *
   * @return 0, or a negated code
   * @throws JobException ENOMEM when the device has no room
   */
  int ensure(StreamContext stream) throws InterruptedException {
    return ensure(stream, again != null ? again : contents);
  }

  /** As {@link #ensure}, with what it holds before the program. */
  int ensureInput(StreamContext stream) throws InterruptedException {
    return ensure(stream, contents);
  }

  /** As {@link #ensure}, with other contents. */
  int ensureFrom(StreamContext stream, Contents other) throws InterruptedException {
    return ensure(stream, other);
  }

  /** There is memory on the stream's context, with whatever contents. */
  int ensureRoom(StreamContext stream) throws InterruptedException {
    return ensure(stream, null);
  }

  /**
   * As {@link #ensureRoom}, of memory that other work may have at the moment: it is kept, and what
   * a crash took counts as there.
   */
  int ensureUsable(StreamContext stream) throws InterruptedException {
    if (owner == stream.context() && isLost()) {
      epoch = stream.epoch();
      fresh = false;
      return memory.accept();
    }
    return ensureRoom(stream);
  }

  private int ensure(StreamContext stream, Contents wanted) throws InterruptedException {
    if (owner != stream.context()) {
      // What it had went with its context.
      memory = null;
      filled = false;
      owner = stream.context();
    }
    epoch = stream.epoch();
    if (wanted == null && isLost()) {
      // Lost memory cannot be read; memory that is new can.
      release();
    }
    if (memory == null) {
      HeldMemory taken = new HeldMemory(env, name, bytes);
      int code = taken.allocate(stream, flags);
      if (code != 0) {
        return code;
      }
      memory = taken;
      fresh = true;
      copied = stream.epoch();
    }
    if (wanted == null || (filled && !isLost())) {
      return 0;
    }
    int code = wanted.bring(this);
    filled = code == 0;
    return code;
  }

  private boolean isLost() {
    return memory != null && memory.isLost();
  }

  /** The next {@link #ensure} brings the contents again: the program changes them. */
  void spoil() {
    filled = false;
  }

  /** Work was submitted that may read and write it: from now on it is not {@link #isFresh}. */
  void submitted() {
    fresh = false;
    copied = epoch;
  }

  /** Work did not end well: the next one is given all of it anew. */
  void failed() {
    copied = NONE;
  }

  /** Whether the memory is as it was allocated: all zeros. */
  boolean isFresh() {
    return fresh && !isLost();
  }

  /** A kernel may have written it, although it is only an input. */
  void change() {
    changed = true;
    filled = false;
  }

  /** Whether it must be put back, or was, since {@link #change}. */
  boolean isChanged() {
    return changed;
  }

  /** It was put back, or is not needed any more. */
  void putBack() {
    changed = false;
  }

  /** Somebody else filled it. */
  void markFilled() {
    filled = true;
  }

  /** What it holds on the device, after one of the {@code ensure}. */
  HeldMemory memory() {
    return memory;
  }

  /**
   * Binds it.
   *
   * @param access where it leaves out a copy to the device, that is made all the same after a
   *     recovery
   */
  int use(CommandWriter writer, int access) {
    int bits = copied == epoch ? access : access & ~Buffer.NO_COPY_IN;
    return memory.use(writer, 0, bytes, bits);
  }

  /** Binds a part of it with just this access. */
  int use(CommandWriter writer, long offset, long length, int access) {
    return memory.use(writer, offset, length, access);
  }

  /**
   * Memory changes hands: each gets what another one had. Those that change have equal lengths and
   * flags, and are on the same context.
   *
   * @param from number of the one whose memory each gets
   */
  static void rearrange(List<Resident> all, IntUnaryOperator from) {
    List<HeldMemory> memories = all.stream().map(resident -> resident.memory).toList();
    List<Boolean> filled = all.stream().map(resident -> resident.filled).toList();
    for (int i = 0; i < memories.size(); i++) {
      all.get(i).memory = memories.get(from.applyAsInt(i));
      all.get(i).filled = filled.get(from.applyAsInt(i));
    }
  }

  long bytes() {
    return bytes;
  }

  /** Gives the device's memory back; {@link #ensure} takes some again. */
  void release() {
    HeldMemory held = memory;
    memory = null;
    filled = false;
    changed = false;
    if (held != null) {
      held.close();
    }
  }
}
