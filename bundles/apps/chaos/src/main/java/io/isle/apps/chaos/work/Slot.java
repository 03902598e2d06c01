package io.isle.apps.chaos.work;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import io.isle.api.accel.Program;
import io.isle.api.base.Errno;
import io.isle.apps.chaos.check.LedgerEvent;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** An input and a result buffer, with one submission at a time. Used by its tenant's thread. */
final class Slot {
  private final Buffer in;
  private final Buffer out;
  private final byte[] content;
  private boolean written;
  private Task task;

  /** The submission under way; 0 for none. */
  long point;

  /** When it was submitted, {@code System.nanoTime}. */
  long sinceNs;

  Slot(Context context, boolean retained, Random random) {
    in = context.allocate(Task.INPUT, retained ? Buffer.RETAINED : 0);
    out = context.allocate(Task.LENGTH, 0);
    content = new byte[Task.INPUT];
    random.nextBytes(content);
  }

  /** Writes the input if it is not there, and the next task. */
  void prepare(CommandWriter writer, Task next, boolean replayable, Program sha256, Program busy) {
    task = next;
    int read = writer.use(in, task.offset(), Task.LENGTH, Buffer.READ);
    int write = writer.use(out, 0, Task.LENGTH, Buffer.WRITE);
    if (replayable) {
      writer.replayable();
    }
    if (task.busyUs() > 0) {
      writer.dispatch(busy, 0, 1, 1, 1).argU64(task.busyUs());
    }
    switch (task.kind()) {
      case SHA256 -> writer.dispatch(sha256, 0, 1, 1, 1).arg(read).arg(write).argU64(Task.BLOCK);
      case COPY -> writer.copy(write, 0, read, 0, Task.LENGTH);
      case FILL -> writer.fill(write, 0, Task.LENGTH, task.pattern());
    }
  }

  /** The input's contents are lost. */
  void forget() {
    written = false;
  }

  /** Writes the input unless it is there. */
  void write() {
    if (written) {
      return;
    }
    try (Mapping mapping = in.map()) {
      MemorySegment.copy(content, 0, mapping.segment(), ValueLayout.JAVA_BYTE, 0, content.length);
      mapping.flush(0, content.length);
    } catch (IllegalStateException e) {
      forgetInterrupt();
      throw new AccelException(Errno.EINTR, "the device was closed, and its memory is gone", e);
    }
    written = true;
  }

  /**
   * Reads the result and compares it, unless a crash took it meanwhile: contents that are valid
   * after the reading were valid during it.
   */
  void check(int context, Recorder recorder) {
    byte[] bytes = new byte[task.resultBytes()];
    try (Mapping mapping = out.map()) {
      mapping.invalidate(0, Task.LENGTH);
      MemorySegment.copy(mapping.segment(), ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
    } catch (AccelException e) {
      if (!DeviceUser.passes(e)) {
        throw e;
      }
      return;
    } catch (IllegalStateException e) {
      // the mapping's memory went away with the device
      forgetInterrupt();
      return;
    }
    if (out.memory().contents() == MemoryObject.Contents.VALID) {
      recorder.record(
          new LedgerEvent.Result(context, point, task.expected(content), Task.fingerprint(bytes)));
    }
  }

  /** The JDK interrupts a thread under whose copying memory is unmapped; to stop is told apart. */
  static void forgetInterrupt() {
    boolean ignored = Thread.interrupted();
  }

  @Override
  public String toString() {
    return task == null ? "no task" : task + " at point " + point;
  }

  /** Whether a code means that a context is gone for good. */
  static boolean ends(int code) {
    return code == Errno.ENODEV || code == Errno.ECLOSED || code == Errno.EREVOKED;
  }
}
