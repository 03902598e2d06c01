package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.data.Dims;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.Located;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
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
  private Buffer buffer;
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
   * @param bytes at least 1, see {@link #bytes(Located, ElementType, List)}
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

  /**
   * Length of an array on a device.
   *
   * @param where what is at fault
   * @throws JobException EINVAL for none, which no device has; ENOMEM beyond any limit
   */
  static long bytes(Located where, ElementType type, List<Long> shape) {
    long bytes;
    try {
      bytes = Math.multiplyExact(Dims.elements(shape), type.bytes());
    } catch (ArithmeticException e) {
      throw where.failure(Errno.ENOMEM, Dims.show(shape) + ": " + e.getMessage());
    }
    if (bytes == 0) {
      throw where.failure(
          Errno.EINVAL,
          type.text()
              + " "
              + Dims.show(shape)
              + " has no elements; a buffer on a device has at least one");
    }
    return bytes;
  }

  /** Contents that lie in the JVM's memory. */
  static Contents copyOf(MemorySegment from, StepClock clock) {
    return to -> to.load(from, clock);
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
    if (owner == stream.context() && buffer != null && isLost()) {
      epoch = stream.epoch();
      fresh = false;
      return transfer(null, mapping -> mapping.flush(0, bytes));
    }
    return ensureRoom(stream);
  }

  private int ensure(StreamContext stream, Contents wanted) throws InterruptedException {
    if (owner != stream.context()) {
      // What it had went with its context.
      buffer = null;
      filled = false;
      owner = stream.context();
    }
    epoch = stream.epoch();
    if (wanted == null && buffer != null && isLost()) {
      // Lost memory cannot be read; memory that is new can.
      release();
    }
    if (buffer == null) {
      int code = allocate(stream);
      if (code != 0) {
        return code;
      }
    }
    if (wanted == null || (filled && !isLost())) {
      return 0;
    }
    int code = wanted.bring(this);
    filled = code == 0;
    return code;
  }

  private boolean isLost() {
    return buffer.memory().contents() != MemoryObject.Contents.VALID;
  }

  private int allocate(StreamContext stream) throws InterruptedException {
    try {
      buffer = owner.allocate(bytes, flags);
      fresh = true;
      copied = stream.epoch();
      return 0;
    } catch (AccelException e) {
      if (e.code() != Errno.ENOMEM) {
        return Failures.ofCall(e);
      }
      throw JobException.failed(
          Errno.ENOMEM,
          env.device()
              + ": buffer "
              + name
              + " of "
              + bytes
              + " bytes does not fit into the device's free memory ("
              + stream.freeMemory()
              + " bytes); use a device with more memory, or cut the step with 'stream'",
          e);
    }
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

  private int load(MemorySegment from, StepClock clock) {
    return transfer(
        clock,
        mapping -> {
          MemorySegment.copy(from, 0, mapping.segment(), 0, bytes);
          mapping.flush(0, bytes);
        });
  }

  /** Copies what it holds to the JVM's memory; returns 0 or a negated code. */
  int download(MemorySegment to, StepClock clock) {
    return transfer(
        clock,
        mapping -> {
          mapping.invalidate(0, bytes);
          MemorySegment.copy(mapping.segment(), 0, to, 0, bytes);
        });
  }

  /** Uses memory of a device. */
  @FunctionalInterface
  interface Use {
    void take(MemorySegment memory) throws InterruptedException;
  }

  /** Has its memory filled; returns 0 or a negated code. */
  int fill(Use use, StepClock clock) throws InterruptedException {
    return access(
        clock,
        mapping -> {
          use.take(mapping.segment().asSlice(0, bytes));
          mapping.flush(0, bytes);
        });
  }

  /** Hands over what it holds where it lies; returns 0 or a negated code. */
  int show(Use use, StepClock clock) throws InterruptedException {
    return access(
        clock,
        mapping -> {
          mapping.invalidate(0, bytes);
          use.take(mapping.segment().asSlice(0, bytes));
        });
  }

  private int transfer(StepClock clock, Consumer<Mapping> copy) {
    try {
      return access(clock, copy::accept);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An access that may wait. */
  private interface Access {
    void to(Mapping mapping) throws InterruptedException;
  }

  /**
   * @param clock told of the time that it takes; null for none
   */
  private int access(StepClock clock, Access access) throws InterruptedException {
    long begun = System.nanoTime();
    try (Mapping mapping = buffer.map()) {
      access.to(mapping);
    } catch (AccelException e) {
      return Failures.ofCall(e);
    } catch (IllegalStateException e) {
      env.ending().forgive();
      return -Errno.ENODATA;
    }
    if (clock != null) {
      clock.transferred(begun, System.nanoTime());
    }
    return 0;
  }

  /** Reads a part of what it holds; returns 0 or a negated code. */
  int look(long offset, long length, Consumer<MemorySegment> use) {
    try (Mapping mapping = buffer.map()) {
      mapping.invalidate(offset, length);
      use.accept(mapping.segment().asSlice(offset, length));
      return 0;
    } catch (AccelException e) {
      return Failures.ofCall(e);
    } catch (IllegalStateException e) {
      env.ending().forgive();
      return -Errno.ENODATA;
    }
  }

  /**
   * Binds it.
   *
   * @param access where it leaves out a copy to the device, that is made all the same after a
   *     recovery
   */
  int use(CommandWriter writer, int access) {
    int bits = copied == epoch ? access : access & ~Buffer.NO_COPY_IN;
    return writer.use(buffer, 0, buffer.size(), bits);
  }

  /** Binds a part of it with just this access. */
  int use(CommandWriter writer, long offset, long length, int access) {
    return writer.use(buffer, offset, length, access);
  }

  /**
   * Memory changes hands: each gets what another one had. Those that change have equal lengths and
   * flags, and are on the same context.
   *
   * @param from number of the one whose memory each gets
   */
  static void rearrange(List<Resident> all, IntUnaryOperator from) {
    List<Buffer> buffers = all.stream().map(resident -> resident.buffer).toList();
    List<Boolean> filled = all.stream().map(resident -> resident.filled).toList();
    for (int i = 0; i < buffers.size(); i++) {
      all.get(i).buffer = buffers.get(from.applyAsInt(i));
      all.get(i).filled = filled.get(from.applyAsInt(i));
    }
  }

  long bytes() {
    return bytes;
  }

  /** Gives the device's memory back; {@link #ensure} takes some again. */
  void release() {
    Buffer held = buffer;
    buffer = null;
    filled = false;
    changed = false;
    if (held != null) {
      try {
        held.close();
      } catch (AccelException e) {
        if (!Failures.passes(Failures.ofCall(e))) {
          throw e;
        }
        // It went with its device or its context.
      }
    }
  }
}
