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
    Call.Range range = range(commands, at, program, entry);
    if (range == null) {
      return -Errno.EINVAL;
    }
    Call call = Call.of(count, range);
    for (int i = 0; i < count; i++) {
      long arg = at + CommandOp.Dispatch.ARGS + (long) i * Arg.BYTES;
      Argument wanted = declared.get(i);
      if (commands.get(U32, arg + Arg.KIND) != wanted.kind().ordinal() + 1) {
        return -Errno.EINVAL;
      }
      call.values()[i] = commands.get(U64, arg + Arg.VALUE);
      if (wanted.kind() == Kind.BUFFER) {
        call.buffers()[i] = run.buffer(commands.get(U32, arg + Arg.BINDING), wanted.access());
        if (call.buffers()[i] == null) {
          return -Errno.EINVAL;
        }
      }
    }
    run.kernels++;
    return program.bodies().get(entry).run(run, call);
  }

  /** Null where the size does not fit the work-group size that the kernel requires. */
  private static Call.Range range(MemorySegment commands, long at, SimProgram program, int entry) {
    long[] size = new long[3];
    for (int i = 0; i < size.length; i++) {
      size[i] = commands.get(U32, at + CommandOp.Dispatch.X + 4L * i) & 0xffff_ffffL;
    }
    return program.kernels().isEmpty()
        ? new Call.Range(size, new long[3], new long[] {1, 1, 1})
        : LaunchRange.chosen(size, new long[3], new long[3], program.kernels().get(entry));
  }
}
