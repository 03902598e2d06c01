package com.example.jdemo;

import static io.isle.lib.kabi.CommandEnvelope.U32;
import static io.isle.lib.kabi.CommandEnvelope.U64;

import io.isle.api.base.Errno;
import io.isle.api.driver.ProgramEntry.Argument;
import io.isle.api.driver.ProgramEntry.Kind;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import io.isle.lib.kabi.CommandOp;
import io.isle.lib.kabi.CommandOp.Arg;
import io.isle.lib.kabi.CommandOp.Dispatch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/** Runs the operations of one submission in order. The worker's thread. */
final class Execution {
  private static final int COUNTERS = 256;
  private static final long MAX_BUSY_US = 3_600_000_000L;
  private static final long NAP_NS = 50_000;

  private final Work work;
  private final IntSupplier stopped;

  /**
   * @param stopped the reason to end the work, as a negated code; 0 while the work may run
   */
  Execution(Work work, IntSupplier stopped) {
    this.work = work;
    this.stopped = stopped;
  }

  /** Returns 0, or a negated code. */
  int run() {
    int bindings = work.bindings;
    long at = work.offset + CommandEnvelope.ops(work.waits, bindings);
    for (int i = 0; i < work.ops; i++) {
      int code = stopped.getAsInt() != 0 ? stopped.getAsInt() : operation(at);
      if (code != 0) {
        return code;
      }
      at += work.commands.get(U32, at + CommandOp.LENGTH);
    }
    return stopped.getAsInt();
  }

  private int operation(long at) {
    int length = work.commands.get(U32, at + CommandOp.LENGTH);
    return switch (work.commands.get(CommandEnvelope.U16, at + CommandOp.CODE)) {
      case CommandOp.COPY -> length == CommandOp.Copy.BYTES ? copy(at) : -Errno.EINVAL;
      case CommandOp.FILL -> length == CommandOp.Fill.BYTES ? fill(at) : -Errno.EINVAL;
      case CommandOp.DISPATCH -> length >= Dispatch.BYTES ? dispatch(at, length) : -Errno.EINVAL;
      default -> -Errno.ENOTSUP;
    };
  }

  /** A binding's memory if the access is allowed, else null. */
  private MemorySegment bound(int index, int access) {
    if (index < 0 || index >= work.bindings || work.memory[index] == null) {
      return null;
    }
    long at =
        work.offset + CommandEnvelope.bindings(work.waits) + (long) index * Binding.BYTES;
    if ((work.commands.get(U32, at + Binding.ACCESS) & access) == 0) {
      return null;
    }
    return work.memory[index].bytes.asSlice(
        work.commands.get(U64, at + Binding.OFFSET), work.commands.get(U64, at + Binding.LENGTH));
  }

  private MemorySegment range(long index, int access, long offset, long bytes) {
    MemorySegment all = bound(work.commands.get(U32, index), access);
    boolean inside =
        all != null
            && offset >= 0
            && bytes >= 0
            && offset <= all.byteSize()
            && bytes <= all.byteSize() - offset;
    return inside ? all.asSlice(offset, bytes) : null;
  }

  private int copy(long at) {
    long bytes = work.commands.get(U64, at + CommandOp.Copy.COUNT);
    long to = work.commands.get(U64, at + CommandOp.Copy.DST_OFFSET);
    long from = work.commands.get(U64, at + CommandOp.Copy.SRC_OFFSET);
    MemorySegment dst = range(at + CommandOp.Copy.DST, Binding.WRITE, to, bytes);
    MemorySegment src = range(at + CommandOp.Copy.SRC, Binding.READ, from, bytes);
    if (dst == null || src == null) {
      return -Errno.EINVAL;
    }
    dst.copyFrom(src);
    return 0;
  }

  private int fill(long at) {
    long bytes = work.commands.get(U64, at + CommandOp.Fill.COUNT);
    long offset = work.commands.get(U64, at + CommandOp.Fill.OFFSET);
    MemorySegment dst = range(at + CommandOp.Fill.DST, Binding.WRITE, offset, bytes);
    return dst == null
        ? -Errno.EINVAL
        : fill(dst, work.commands.get(U32, at + CommandOp.Fill.PATTERN));
  }

  private static int fill(MemorySegment dst, int pattern) {
    for (long i = 0; i < dst.byteSize(); i++) {
      dst.set(ValueLayout.JAVA_BYTE, i, (byte) (pattern >>> (8 * (int) (i & 3))));
    }
    return 0;
  }

  private int dispatch(long at, int length) {
    int index = work.commands.get(U32, at + Dispatch.PROGRAM);
    if (index < 0
        || index >= work.bindings
        || work.programs[index] == null
        || work.commands.get(U32, at + Dispatch.ENTRY) != 0
        || work.commands.get(U32, at + Dispatch.X) == 0
        || work.commands.get(U32, at + Dispatch.Y) == 0
        || work.commands.get(U32, at + Dispatch.Z) == 0) {
      return -Errno.EINVAL;
    }
    DemoProgram program = work.programs[index];
    List<Argument> declared = program.entry.arguments();
    int count = work.commands.get(U32, at + Dispatch.ARG_COUNT);
    if (count != declared.size() || length != Dispatch.BYTES + count * Arg.BYTES) {
      return -Errno.EINVAL;
    }
    MemorySegment[] buffers = new MemorySegment[count];
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      long argument = at + Dispatch.ARGS + (long) i * Arg.BYTES;
      Argument wanted = declared.get(i);
      if (work.commands.get(U32, argument + Arg.KIND) != wanted.kind().ordinal() + 1) {
        return -Errno.EINVAL;
      }
      values[i] = work.commands.get(U64, argument + Arg.VALUE);
      if (wanted.kind() == Kind.BUFFER) {
        buffers[i] = bound(work.commands.get(U32, argument + Arg.BINDING), wanted.access());
        if (buffers[i] == null) {
          return -Errno.EINVAL;
        }
      }
    }
    return call(program, buffers, values);
  }

  private int call(DemoProgram program, MemorySegment[] buffers, long[] values) {
    return switch (program) {
      case NOOP -> 0;
      case BUSY -> busy(values[0]);
      case FILL -> fill(buffers[0], (int) values[1]);
      case COPY -> copy(buffers[0], buffers[1]);
      case HISTOGRAM -> histogram(buffers[0], buffers[1]);
    };
  }

  private int busy(long us) {
    if (us < 0 || us > MAX_BUSY_US) {
      return -Errno.EINVAL;
    }
    long end = System.nanoTime() + us * 1000;
    while (System.nanoTime() - end < 0 && stopped.getAsInt() == 0) {
      LockSupport.parkNanos(NAP_NS);
    }
    return 0;
  }

  private static int copy(MemorySegment src, MemorySegment dst) {
    if (src.byteSize() > dst.byteSize()) {
      return -Errno.EINVAL;
    }
    dst.asSlice(0, src.byteSize()).copyFrom(src);
    return 0;
  }

  private static int histogram(MemorySegment src, MemorySegment dst) {
    if (dst.byteSize() < COUNTERS * Long.BYTES) {
      return -Errno.EINVAL;
    }
    long[] counts = new long[COUNTERS];
    for (long i = 0; i < src.byteSize(); i++) {
      counts[src.get(ValueLayout.JAVA_BYTE, i) & 0xff]++;
    }
    for (int i = 0; i < COUNTERS; i++) {
      dst.set(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES, counts[i]);
    }
    return 0;
  }
}
