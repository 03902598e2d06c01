package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Memory of a context, from {@link #allocate} on. What accesses it may be interrupted by a
 * recovery, and returns a code. Used by the stream's thread.
 */
final class HeldMemory {
  private final Env env;
  private final String name;
  private final long bytes;
  private Buffer buffer;

  /**
   * @param name for messages
   * @param bytes at least 1
   */
  HeldMemory(Env env, String name, long bytes) {
    this.env = env;
    this.name = name;
    this.bytes = bytes;
  }

  /**
   * Takes it, all zeros.
   *
   * @param flags of {@link Buffer}
   * @return 0, or a negated code
   * @throws JobException ENOMEM when the device has no room
   */
  int allocate(StreamContext stream, int flags) throws InterruptedException {
    try {
      buffer = stream.context().allocate(bytes, flags);
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

  boolean isLost() {
    return buffer.memory().contents() != MemoryObject.Contents.VALID;
  }

  /** What was lost counts as there, whatever it is; returns 0 or a negated code. */
  int accept() {
    return copy(null, mapping -> mapping.flush(0, bytes));
  }

  /** Copies contents from the JVM's memory; returns 0 or a negated code. */
  int load(MemorySegment from, StepClock clock) {
    return copy(
        clock,
        mapping -> {
          MemorySegment.copy(from, 0, mapping.segment(), 0, bytes);
          mapping.flush(0, bytes);
        });
  }

  /** Copies what it holds to the JVM's memory; returns 0 or a negated code. */
  int download(MemorySegment to, StepClock clock) {
    return copy(
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

  /** Has it filled where it lies; returns 0 or a negated code. */
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

  /** Reads a part of what it holds; returns 0 or a negated code. */
  int look(long offset, long length, Consumer<MemorySegment> use) {
    return copy(
        null,
        mapping -> {
          mapping.invalidate(offset, length);
          use.accept(mapping.segment().asSlice(offset, length));
        });
  }

  private int copy(StepClock clock, Consumer<Mapping> copy) {
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

  /** Binds a range with just this access; returns the index of the binding. */
  int use(CommandWriter writer, long offset, long length, int access) {
    return writer.use(buffer, offset, length, access);
  }

  /** Gives it back; it may have gone with its device or its context. */
  void close() {
    try {
      buffer.close();
    } catch (AccelException e) {
      if (!Failures.passes(Failures.ofCall(e))) {
        throw e;
      }
    }
  }
}
