package io.isle.drivers.sim;

import static io.isle.lib.kabi.CommandEnvelope.BINDING_COUNT;
import static io.isle.lib.kabi.CommandEnvelope.HEADER_BYTES;
import static io.isle.lib.kabi.CommandEnvelope.HEADER_SIZE;
import static io.isle.lib.kabi.CommandEnvelope.MAGIC;
import static io.isle.lib.kabi.CommandEnvelope.MAGIC_VALUE;
import static io.isle.lib.kabi.CommandEnvelope.OP_COUNT;
import static io.isle.lib.kabi.CommandEnvelope.TOTAL_LENGTH;
import static io.isle.lib.kabi.CommandEnvelope.U16;
import static io.isle.lib.kabi.CommandEnvelope.U32;
import static io.isle.lib.kabi.CommandEnvelope.U64;
import static io.isle.lib.kabi.CommandEnvelope.VERSION;
import static io.isle.lib.kabi.CommandEnvelope.VERSION_VALUE;
import static io.isle.lib.kabi.CommandEnvelope.WAIT_COUNT;

import io.isle.api.base.Errno;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import io.isle.lib.kabi.CommandEnvelope.Wait;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.MemorySegment;

/**
 * Checks a command envelope as it is submitted and resolves what its bindings name. Data lane:
 * allocates nothing and throws nothing; the operations' own fields are checked when they run.
 */
final class Intake {
  private final IdTable<SimMemory> memory;
  private final int maxBytes;
  private final boolean keepsWaits;
  private final boolean launches;

  /**
   * @param keepsWaits whether submissions come whose waits are not over
   * @param launches whether bindings may leave out copies
   */
  Intake(IdTable<SimMemory> memory, int maxBytes, boolean keepsWaits, boolean launches) {
    this.memory = memory;
    this.maxBytes = maxBytes;
    this.keepsWaits = keepsWaits;
    this.launches = launches;
  }

  /** Fills {@code work}; 0 or a negated code, and then it holds nothing. */
  int take(
      SimContext context, long tag, MemorySegment commands, long offset, int length, Work work) {
    if (length > maxBytes) {
      return -Errno.EMSGSIZE;
    }
    if (length < HEADER_BYTES
        || offset < 0
        || ((commands.address() + offset) & 7) != 0
        || offset > commands.byteSize() - length
        || !header(commands, offset, length)) {
      return -Errno.EINVAL;
    }
    int waits = commands.get(U32, offset + WAIT_COUNT);
    int bindings = commands.get(U32, offset + BINDING_COUNT);
    int ops = commands.get(U32, offset + OP_COUNT);
    if (!framed(commands, offset, length, waits, bindings, ops)
        || keepsWaits && waits > Work.MAX_WAITS) {
      return -Errno.EINVAL;
    }
    work.tag = tag;
    work.commands = commands;
    work.offset = offset;
    work.waits = waits;
    work.ops = ops;
    work.cancelled = false;
    work.waiting = keepsWaits ? await(work) : 0;
    return bind(context, work, bindings);
  }

  private static boolean header(MemorySegment commands, long offset, int length) {
    return commands.get(U32, offset + MAGIC) == MAGIC_VALUE
        && commands.get(U16, offset + VERSION) == VERSION_VALUE
        && commands.get(U16, offset + HEADER_SIZE) == HEADER_BYTES
        && commands.get(U32, offset + TOTAL_LENGTH) == length
        && (length & 7) == 0;
  }

  /** The counts are the envelope's, so they may be anything. */
  private static boolean framed(
      MemorySegment commands, long offset, int length, int waits, int bindings, int ops) {
    if (waits < 0 || bindings < 0 || ops < 0 || bindings > Work.MAX_BINDINGS) {
      return false;
    }
    long at = CommandEnvelope.ops(waits, bindings);
    for (int i = 0; i < ops; i++) {
      if (at > length - CommandOp.BYTES) {
        return false;
      }
      int bytes = commands.get(U32, offset + at + CommandOp.LENGTH);
      if (bytes < CommandOp.BYTES || (bytes & 7) != 0 || bytes > length - at) {
        return false;
      }
      at += bytes;
    }
    return at <= length;
  }

  /** Takes over what it waits for; a value of 0 is nothing. */
  private static int await(Work work) {
    int waiting = 0;
    for (int i = 0; i < work.waits; i++) {
      long at = work.offset + HEADER_BYTES + (long) i * Wait.BYTES;
      work.timelines[i] = work.commands.get(U64, at + Wait.TIMELINE);
      work.values[i] = work.commands.get(U64, at + Wait.POINT);
      waiting |= work.values[i] == 0 ? 0 : 1 << i;
    }
    return waiting;
  }

  private int bind(SimContext context, Work work, int count) {
    long at = work.offset + CommandEnvelope.bindings(work.waits);
    work.bindings = 0;
    for (int i = 0; i < count; i++, at += Binding.BYTES) {
      work.bindings = i + 1;
      int code = bindOne(context, work, i, at);
      if (code != 0) {
        work.release();
        return code;
      }
    }
    return 0;
  }

  private int bindOne(SimContext context, Work work, int index, long at) {
    long object = work.commands.get(U64, at + Binding.OBJECT);
    int access = work.commands.get(U32, at + Binding.ACCESS);
    if (access == Binding.PROGRAM) {
      work.programs[index] = context.programs.get(object);
      return work.programs[index] == null ? -Errno.ESTALE : 0;
    }
    int rights = launches ? access & ~(Binding.NO_COPY_IN | Binding.NO_COPY_BACK) : access;
    if (rights == 0 || (rights & ~(Binding.READ | Binding.WRITE)) != 0) {
      return -Errno.EINVAL;
    }
    SimMemory found = memory.get(object);
    if (found == null || !found.hold()) {
      return -Errno.ESTALE;
    }
    work.memory[index] = found;
    long offset = work.commands.get(U64, at + Binding.OFFSET);
    long length = work.commands.get(U64, at + Binding.LENGTH);
    if (found.context != context) {
      return -Errno.EACCES;
    }
    long size = found.bytes.byteSize();
    return offset < 0 || length < 0 || offset > size || length > size - offset ? -Errno.EINVAL : 0;
  }
}
