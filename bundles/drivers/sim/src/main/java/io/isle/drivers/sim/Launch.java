package io.isle.drivers.sim;

import static io.isle.lib.kabi.CommandEnvelope.U32;
import static io.isle.lib.kabi.CommandEnvelope.U64;

import io.isle.api.base.Errno;
import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.Kernel;
import io.isle.lib.kabi.CommandOp;
import io.isle.lib.kabi.CommandOp.Arg;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Runs a LAUNCH operation: checks every field of it, then calls the kernel. */
final class Launch {
  /** Most work items of a work-group. */
  static final int MAX_GROUP = 1024;

  /** Most bytes of local memory of a work-group. */
  static final int MAX_LOCAL_BYTES = 1 << 15;

  private static final int WRITE = 2;

  private final Run run;
  private final MemorySegment commands;
  private final long at;
  private final int length;

  private Launch(Run run, long at, int length) {
    this.run = run;
    this.commands = run.commands();
    this.at = at;
    this.length = length;
  }

  static int run(Run run, long at, int length) {
    return length < CommandOp.Launch.BYTES ? -Errno.EINVAL : new Launch(run, at, length).run();
  }

  private int run() {
    int index = word(CommandOp.Launch.PROGRAM);
    if (index < 0 || index >= run.work.bindings || run.work.programs[index] == null) {
      return -Errno.EINVAL;
    }
    SimProgram program = run.work.programs[index];
    if (program.kernels().isEmpty()) {
      return -Errno.ENOTSUP;
    }
    int entry = word(CommandOp.Launch.ENTRY);
    if (entry < 0
        || entry >= program.kernels().size()
        || !program.kernels().get(entry).isUsable()
        || !isFramed()) {
      return -Errno.EINVAL;
    }
    Kernel kernel = program.kernels().get(entry);
    Call.Range range = LaunchRange.of(commands, at, kernel);
    Call call = range == null ? null : arguments(kernel, range);
    if (call == null) {
      return -Errno.EINVAL;
    }
    run.kernels++;
    return program.bodies().get(entry).run(run, call);
  }

  private int word(long field) {
    return commands.get(U32, at + field);
  }

  private boolean isFramed() {
    int count = word(CommandOp.Launch.ARG_COUNT);
    int tail = word(CommandOp.Launch.TAIL_BYTES);
    return word(CommandOp.Launch.TAIL_BYTES + 4) == 0
        && word(CommandOp.Launch.LOCAL + 12) == 0
        && count >= 0
        && count <= CommandOp.Launch.MAX_ARGS
        && tail >= 0
        && tail <= CommandOp.Launch.MAX_TAIL
        && length == CommandOp.Launch.BYTES + count * Arg.BYTES + ((tail + 7) & -8);
  }

  /** Null when they are not those of the kernel. */
  private Call arguments(Kernel kernel, Call.Range range) {
    int count = word(CommandOp.Launch.ARG_COUNT);
    if (count != kernel.arguments().size()) {
      return null;
    }
    Call call = Call.of(count, range);
    long local = kernel.localBytes();
    for (int i = 0; i < count; i++) {
      if (!argument(call, i, kernel.arguments().get(i))) {
        return null;
      }
      if (kernel.arguments().get(i).kind().orElseThrow() == ArgumentKind.LOCAL) {
        long more = call.values()[i];
        if (more < 1 || more > MAX_LOCAL_BYTES - local) {
          return null;
        }
        local += more;
      }
    }
    return call;
  }

  private boolean argument(Call call, int i, Kernel.Argument wanted) {
    long arg = at + CommandOp.Launch.ARGS + (long) i * Arg.BYTES;
    ArgumentKind kind = wanted.kind().orElseThrow();
    int given = commands.get(U32, arg + Arg.KIND);
    int binding = commands.get(U32, arg + Arg.BINDING);
    long value = commands.get(U64, arg + Arg.VALUE);
    if (given == Arg.BYTES_OF_TAIL) {
      return kind != ArgumentKind.BUFFER
          && kind != ArgumentKind.LOCAL
          && bytes(call, i, wanted, binding, value);
    }
    if (given != kind.code()) {
      return false;
    }
    call.values()[i] = value;
    if (kind != ArgumentKind.BUFFER) {
      return binding == 0;
    }
    // what it may both read and write it may be given for writing
    int access = (wanted.access() & WRITE) != 0 ? WRITE : wanted.access();
    call.buffers()[i] = run.buffer(binding, access);
    return value == 0 && call.buffers()[i] != null;
  }

  /** A value by its bytes in the tail; of a number they are its bits. */
  private boolean bytes(Call call, int i, Kernel.Argument wanted, int from, long count) {
    int tail = word(CommandOp.Launch.TAIL_BYTES);
    if (count != wanted.bytes() || from < 0 || count > tail || from > tail - count) {
      return false;
    }
    long begin =
        at + CommandOp.Launch.ARGS + (long) word(CommandOp.Launch.ARG_COUNT) * Arg.BYTES + from;
    call.bytes()[i] = commands.asSlice(begin, count);
    for (long k = 0; k < Math.min(count, Long.BYTES); k++) {
      call.values()[i] |= (commands.get(ValueLayout.JAVA_BYTE, begin + k) & 0xffL) << (8 * k);
    }
    return true;
  }
}
