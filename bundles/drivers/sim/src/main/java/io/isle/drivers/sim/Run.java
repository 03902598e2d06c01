package io.isle.drivers.sim;

import static io.isle.lib.kabi.CommandEnvelope.U16;
import static io.isle.lib.kabi.CommandEnvelope.U32;
import static io.isle.lib.kabi.CommandEnvelope.U64;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.driver.DeviceInfo.Preemption;
import io.isle.api.driver.PreemptReason;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/** One submission while it runs. Used by one unit; made anew for each submission. */
final class Run {
  /** Code of work that left the engine because it was told to; not for the core. */
  static final int LEFT = Integer.MIN_VALUE;

  /** How long a unit sleeps at most before it looks whether its work was cancelled. */
  private static final long NAP_NS = 1_000_000;

  final SimContext context;
  final Work work;
  final long startNs;
  long bytesRead;
  long bytesWritten;
  long kernels;
  long pageFaults;

  private final MonotonicClock clock;
  private final long position;
  private final Preemption granularity;

  Run(SimContext context, Work work, long position, MonotonicClock clock, Preemption granularity) {
    this.context = context;
    this.work = work;
    this.position = position;
    this.clock = clock;
    this.startNs = clock.nanoTime();
    this.granularity = granularity;
  }

  /** Runs all operations; 0 or why it stopped, a negated code. */
  int operations() {
    long at = work.offset + CommandEnvelope.ops(work.waits, work.bindings);
    for (int i = 0; i < work.ops; i++) {
      int code = i > 0 && told(Preemption.DRAW_DISPATCH) ? LEFT : stopped();
      if (code == 0) {
        code = operation(at);
      }
      if (code != 0) {
        return code;
      }
      at += commands().get(U32, at + CommandOp.LENGTH);
    }
    return stopped();
  }

  /** 0, or the code with which the work must end now. */
  int stopped() {
    if (position < context.cancelBefore) {
      return context.cancelCode;
    }
    return told(Preemption.INSTRUCTION) ? LEFT : 0;
  }

  /** Whether it has been told to leave the engine, on a device that can do so this finely. */
  private boolean told(Preemption least) {
    return context.leave == position + 1 && granularity.compareTo(least) >= 0;
  }

  /** The work is done: 0, or the code if it had been told to leave before, its time being up. */
  int boundary() {
    if (!told(Preemption.COMMAND_BUFFER)
        || context.leaveReason != PreemptReason.EXECUTION_TIMEOUT) {
      return 0;
    }
    return granularity == Preemption.COMMAND_BUFFER ? -Errno.ETIMEDOUT : LEFT;
  }

  void onEngine(boolean on) {
    context.onEngineSinceNs = startNs;
    context.onEngine = on ? position + 1 : 0;
  }

  /** Lets device time pass, but not beyond a cancellation or a preemption that reaches it. */
  int pass(long ns) {
    long until = clock.nanoTime() + ns;
    int code = stopped();
    for (long left = ns; left > 0 && code == 0; left = until - clock.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, NAP_NS));
      code = stopped();
    }
    return code;
  }

  /** Hangs until the work is cancelled; a preemption is not heard. */
  int hang() {
    while (position >= context.cancelBefore) {
      LockSupport.parkNanos(NAP_NS);
    }
    return context.cancelCode;
  }

  /**
   * Brings what is bound to the device's copies, or what may have been written back, but for
   * bindings that leave it out.
   */
  void copy(boolean before) {
    for (int i = 0; i < work.bindings; i++) {
      SimMemory memory = work.memory[i];
      if (memory == null || memory.copy == null) {
        continue;
      }
      long at = work.offset + CommandEnvelope.bindings(work.waits) + (long) i * Binding.BYTES;
      int access = commands().get(U32, at + Binding.ACCESS);
      long offset = commands().get(U64, at + Binding.OFFSET);
      long length = commands().get(U64, at + Binding.LENGTH);
      if (before && (access & Binding.NO_COPY_IN) == 0) {
        MemorySegment.copy(memory.bytes, offset, memory.copy, offset, length);
      }
      if (!before && (access & (Binding.WRITE | Binding.NO_COPY_BACK)) == Binding.WRITE) {
        MemorySegment.copy(memory.copy, offset, memory.bytes, offset, length);
      }
    }
  }

  MemorySegment commands() {
    return work.commands;
  }

  /** The bytes that binding {@code index} names, or null if it does not give that access. */
  MemorySegment buffer(int index, int access) {
    if (index < 0 || index >= work.bindings || work.memory[index] == null) {
      return null;
    }
    long at = work.offset + CommandEnvelope.bindings(work.waits) + (long) index * Binding.BYTES;
    long size = work.memory[index].bytes.byteSize();
    long offset = commands().get(U64, at + Binding.OFFSET);
    long length = commands().get(U64, at + Binding.LENGTH);
    if ((commands().get(U32, at + Binding.ACCESS) & access) == 0
        || offset < 0
        || length < 0
        || offset > size
        || length > size - offset) {
      return null;
    }
    return work.memory[index].worked().asSlice(offset, length);
  }

  private MemorySegment range(int index, int access, long offset, long bytes) {
    MemorySegment all = buffer(index, access);
    boolean fits =
        all != null
            && offset >= 0
            && bytes >= 0
            && offset <= all.byteSize()
            && bytes <= all.byteSize() - offset;
    return fits ? all.asSlice(offset, bytes) : null;
  }

  private int operation(long at) {
    if (commands().get(U16, at + CommandOp.FLAGS) != 0) {
      return -Errno.EINVAL;
    }
    int length = commands().get(U32, at + CommandOp.LENGTH);
    return switch (commands().get(U16, at + CommandOp.CODE)) {
      case CommandOp.COPY -> length == CommandOp.Copy.BYTES ? copy(at) : -Errno.EINVAL;
      case CommandOp.FILL -> length == CommandOp.Fill.BYTES ? fill(at) : -Errno.EINVAL;
      case CommandOp.DISPATCH ->
          length >= CommandOp.Dispatch.BYTES ? Dispatch.run(this, at, length) : -Errno.EINVAL;
      case CommandOp.LAUNCH -> Launch.run(this, at, length);
      default -> -Errno.ENOTSUP;
    };
  }

  private int copy(long at) {
    long bytes = commands().get(U64, at + CommandOp.Copy.COUNT);
    MemorySegment dst =
        range(
            commands().get(U32, at + CommandOp.Copy.DST),
            Binding.WRITE,
            commands().get(U64, at + CommandOp.Copy.DST_OFFSET),
            bytes);
    MemorySegment src =
        range(
            commands().get(U32, at + CommandOp.Copy.SRC),
            Binding.READ,
            commands().get(U64, at + CommandOp.Copy.SRC_OFFSET),
            bytes);
    return dst == null || src == null ? -Errno.EINVAL : Kernels.copy(this, src, dst);
  }

  private int fill(long at) {
    MemorySegment dst =
        range(
            commands().get(U32, at + CommandOp.Fill.DST),
            Binding.WRITE,
            commands().get(U64, at + CommandOp.Fill.OFFSET),
            commands().get(U64, at + CommandOp.Fill.COUNT));
    return dst == null
        ? -Errno.EINVAL
        : Kernels.fill(this, dst, commands().get(U32, at + CommandOp.Fill.PATTERN));
  }
}
