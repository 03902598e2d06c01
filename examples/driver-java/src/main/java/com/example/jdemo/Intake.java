package com.example.jdemo;

import static io.isle.lib.kabi.CommandEnvelope.U16;
import static io.isle.lib.kabi.CommandEnvelope.U32;
import static io.isle.lib.kabi.CommandEnvelope.U64;

import io.isle.api.base.Errno;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.MemorySegment;

/** Checks an envelope at its submission, and holds the memory of its bindings. Data lane. */
final class Intake {
  static final int MAX_BYTES = 65_536;

  private Intake() {}

  /** Fills {@code work}. Returns 0, or a negated code; on an error the work holds no memory. */
  static int take(
      IdTable<DemoMemory> memories, Work work, MemorySegment commands, long offset, int length) {
    if (length > MAX_BYTES) {
      return -Errno.EMSGSIZE;
    }
    if (length < CommandEnvelope.HEADER_BYTES
        || (length & 7) != 0
        || offset < 0
        || offset > commands.byteSize() - length
        || ((commands.address() + offset) & 7) != 0
        || !header(commands, offset, length)) {
      return -Errno.EINVAL;
    }
    work.waits = commands.get(U32, offset + CommandEnvelope.WAIT_COUNT);
    int bindings = commands.get(U32, offset + CommandEnvelope.BINDING_COUNT);
    work.ops = commands.get(U32, offset + CommandEnvelope.OP_COUNT);
    if (work.waits < 0 || bindings < 0 || bindings > Work.MAX_BINDINGS || work.ops < 0) {
      return -Errno.EINVAL;
    }
    if (!framed(commands, offset, length, CommandEnvelope.ops(work.waits, bindings), work.ops)) {
      return -Errno.EINVAL;
    }
    work.commands = commands;
    work.offset = offset;
    work.length = length;
    return bind(memories, work, bindings);
  }

  private static boolean header(MemorySegment commands, long at, int length) {
    return commands.get(U32, at + CommandEnvelope.MAGIC) == CommandEnvelope.MAGIC_VALUE
        && commands.get(U16, at + CommandEnvelope.VERSION) == CommandEnvelope.VERSION_VALUE
        && commands.get(U16, at + CommandEnvelope.HEADER_SIZE) == CommandEnvelope.HEADER_BYTES
        && commands.get(U32, at + CommandEnvelope.TOTAL_LENGTH) == length;
  }

  private static boolean framed(MemorySegment commands, long offset, int length, long at, int ops) {
    for (int i = 0; i < ops; i++) {
      if (at > length - CommandOp.BYTES) {
        return false;
      }
      int bytes = commands.get(U32, offset + at + CommandOp.LENGTH);
      if (bytes < CommandOp.BYTES
          || (bytes & 7) != 0
          || bytes > length - at
          || commands.get(U16, offset + at + CommandOp.FLAGS) != 0) {
        return false;
      }
      at += bytes;
    }
    return at == length;
  }

  private static int bind(IdTable<DemoMemory> memories, Work work, int count) {
    long at = work.offset + CommandEnvelope.bindings(work.waits);
    for (int i = 0; i < count; i++, at += Binding.BYTES) {
      work.memory[i] = null;
      work.programs[i] = null;
      work.bindings = i + 1;
      int code = bindOne(memories, work, i, at);
      if (code != 0) {
        work.release();
        return code;
      }
    }
    work.bindings = count;
    return 0;
  }

  private static int bindOne(IdTable<DemoMemory> memories, Work work, int index, long at) {
    long object = work.commands.get(U64, at + Binding.OBJECT);
    int access = work.commands.get(U32, at + Binding.ACCESS);
    if (access == Binding.PROGRAM) {
      work.programs[index] = work.context.programs.get(object);
      return work.programs[index] == null ? -Errno.ESTALE : 0;
    }
    if (access == 0 || (access & ~(Binding.READ | Binding.WRITE)) != 0) {
      return -Errno.EINVAL;
    }
    DemoMemory found = memories.get(object);
    if (found == null) {
      return -Errno.ESTALE;
    }
    // memory of another context is never held: that context may be ending now
    if (found.context != work.context) {
      return -Errno.EACCES;
    }
    if (!found.hold()) {
      return -Errno.ESTALE;
    }
    work.memory[index] = found;
    long offset = work.commands.get(U64, at + Binding.OFFSET);
    long length = work.commands.get(U64, at + Binding.LENGTH);
    long size = found.bytes.byteSize();
    boolean inside = offset >= 0 && length >= 0 && offset <= size && length <= size - offset;
    return inside ? 0 : -Errno.EINVAL;
  }
}
