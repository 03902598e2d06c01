package io.isle.drivers.sim;

import static io.isle.lib.kabi.CommandEnvelope.U32;
import static io.isle.lib.kabi.CommandEnvelope.U64;

import io.isle.api.base.Errno;
import io.isle.api.driver.ProgramEntry.Argument;
import io.isle.api.driver.ProgramEntry.Kind;
import io.isle.lib.kabi.CommandOp;
import io.isle.lib.kabi.CommandOp.Arg;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Runs a DISPATCH operation: checks its arguments against the program, then calls the kernel. */
final class Dispatch {
  private Dispatch() {}

  static int run(Run run, long at, int length) {
    MemorySegment commands = run.commands();
    int index = commands.get(U32, at + CommandOp.Dispatch.PROGRAM);
    boolean known = index >= 0 && index < run.work.bindings && run.work.programs[index] != null;
    if (!known
        || commands.get(U32, at + CommandOp.Dispatch.X) == 0
        || commands.get(U32, at + CommandOp.Dispatch.Y) == 0
        || commands.get(U32, at + CommandOp.Dispatch.Z) == 0) {
      return -Errno.EINVAL;
    }
    SimProgram program = run.work.programs[index];
    int entry = commands.get(U32, at + CommandOp.Dispatch.ENTRY);
    if (entry < 0 || entry >= program.entries().size()) {
      return -Errno.EINVAL;
    }
    List<Argument> declared = program.entries().get(entry).arguments();
    int count = commands.get(U32, at + CommandOp.Dispatch.ARG_COUNT);
    if (count != declared.size() || length != CommandOp.Dispatch.BYTES + count * Arg.BYTES) {
      return -Errno.EINVAL;
    }
    MemorySegment[] buffers = new MemorySegment[count];
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      long arg = at + CommandOp.Dispatch.ARGS + (long) i * Arg.BYTES;
      Argument wanted = declared.get(i);
      if (commands.get(U32, arg + Arg.KIND) != wanted.kind().ordinal() + 1) {
        return -Errno.EINVAL;
      }
      values[i] = commands.get(U64, arg + Arg.VALUE);
      if (wanted.kind() == Kind.BUFFER) {
        buffers[i] = run.buffer(commands.get(U32, arg + Arg.BINDING), wanted.access());
        if (buffers[i] == null) {
          return -Errno.EINVAL;
        }
      }
    }
    run.kernels++;
    return call(run, program.bodies().get(entry), buffers, values);
  }

  private static int call(Run run, Builtin program, MemorySegment[] buffers, long[] values) {
    return switch (program) {
      case NOOP -> 0;
      case FILL -> Kernels.fill(run, buffers[0], (int) values[1]);
      case COPY ->
          buffers[0].byteSize() <= buffers[1].byteSize()
              ? Kernels.copy(run, buffers[0], buffers[1].asSlice(0, buffers[0].byteSize()))
              : -Errno.EINVAL;
      case SHA256 -> Kernels.sha256(run, buffers[0], buffers[1], values[2]);
      case HISTOGRAM -> Kernels.histogram(run, buffers[0], buffers[1]);
      case BUSY -> Kernels.busy(run, values[0]);
    };
  }
}
