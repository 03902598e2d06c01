package io.isle.core.accel;

import static io.isle.lib.kabi.CommandEnvelope.U16;
import static io.isle.lib.kabi.CommandEnvelope.U32;
import static io.isle.lib.kabi.CommandEnvelope.U64;

import io.isle.api.base.Errno;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import io.isle.lib.kabi.CommandEnvelope.Wait;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.MemorySegment;

/**
 * The bytes of one envelope in the command segment. Its parts follow each other without gaps: what
 * is inserted early moves what stands behind it. The first mistake is kept, and nothing is written
 * after it. One thread.
 */
final class EnvelopeSlot {
  private final MemorySegment commands;
  private final int capacity;
  private long base;
  private int waits;
  private int bindings;
  private int ops;
  private int end;
  private int dispatch;
  private int error;

  /**
   * @param capacity bytes of the longest envelope
   */
  EnvelopeSlot(MemorySegment commands, int capacity) {
    this.commands = commands;
    this.capacity = capacity;
  }

  /** Starts an empty envelope at an offset of the command segment. */
  void begin(long offset) {
    base = offset;
    waits = 0;
    bindings = 0;
    ops = 0;
    end = CommandEnvelope.HEADER_BYTES;
    error = 0;
  }

  /** The first mistake as a negated code; 0 if there was none. */
  int error() {
    return error;
  }

  int waits() {
    return waits;
  }

  void fail(int code) {
    if (error == 0) {
      error = code;
    }
  }

  /** Writes the header; returns the envelope's length. */
  int finish() {
    commands.set(U32, base + CommandEnvelope.MAGIC, CommandEnvelope.MAGIC_VALUE);
    commands.set(U16, base + CommandEnvelope.VERSION, CommandEnvelope.VERSION_VALUE);
    commands.set(U16, base + CommandEnvelope.HEADER_SIZE, (short) CommandEnvelope.HEADER_BYTES);
    commands.set(U32, base + CommandEnvelope.TOTAL_LENGTH, end);
    commands.set(U32, base + CommandEnvelope.WAIT_COUNT, waits);
    commands.set(U32, base + CommandEnvelope.BINDING_COUNT, bindings);
    commands.set(U32, base + CommandEnvelope.OP_COUNT, ops);
    for (long at = CommandEnvelope.TAG; at < CommandEnvelope.HEADER_BYTES; at += 8) {
      commands.set(U64, base + at, 0L);
    }
    return end;
  }

  boolean addWait(long timeline, long point) {
    long at = base + CommandEnvelope.bindings(waits);
    if (!insert(at, Wait.BYTES)) {
      return false;
    }
    commands.set(U64, at + Wait.TIMELINE, timeline);
    commands.set(U64, at + Wait.POINT, point);
    waits++;
    return true;
  }

  boolean addBinding(long object, long offset, long length, int access) {
    long at = base + CommandEnvelope.ops(waits, bindings);
    if (!insert(at, Binding.BYTES)) {
      return false;
    }
    commands.set(U64, at + Binding.OBJECT, object);
    commands.set(U64, at + Binding.OFFSET, offset);
    commands.set(U64, at + Binding.LENGTH, length);
    commands.set(U64, at + Binding.ACCESS, access);
    bindings++;
    return true;
  }

  void addCopy(int dst, long dstOffset, int src, long srcOffset, long bytes) {
    long at = base + end;
    if (append(CommandOp.COPY, CommandOp.Copy.BYTES)) {
      commands.set(U32, at + CommandOp.Copy.DST, dst);
      commands.set(U32, at + CommandOp.Copy.SRC, src);
      commands.set(U64, at + CommandOp.Copy.DST_OFFSET, dstOffset);
      commands.set(U64, at + CommandOp.Copy.SRC_OFFSET, srcOffset);
      commands.set(U64, at + CommandOp.Copy.COUNT, bytes);
    }
  }

  void addFill(int dst, long offset, long bytes, int pattern) {
    long at = base + end;
    if (append(CommandOp.FILL, CommandOp.Fill.BYTES)) {
      commands.set(U32, at + CommandOp.Fill.DST, dst);
      commands.set(U32, at + CommandOp.Fill.PATTERN, pattern);
      commands.set(U64, at + CommandOp.Fill.OFFSET, offset);
      commands.set(U64, at + CommandOp.Fill.COUNT, bytes);
    }
  }

  void addVendor(MemorySegment operation, int length) {
    long at = base + end;
    if (append(CommandOp.VENDOR, CommandOp.BYTES + length)) {
      MemorySegment.copy(operation, 0, commands, at + CommandOp.BYTES, length);
    }
  }

  boolean addDispatch(int program, int entry, int x, int y, int z) {
    dispatch = end;
    if (!append(CommandOp.DISPATCH, CommandOp.Dispatch.BYTES)) {
      return false;
    }
    long at = base + dispatch;
    commands.set(U32, at + CommandOp.Dispatch.PROGRAM, program);
    commands.set(U32, at + CommandOp.Dispatch.ENTRY, entry);
    commands.set(U32, at + CommandOp.Dispatch.X, x);
    commands.set(U32, at + CommandOp.Dispatch.Y, y);
    commands.set(U32, at + CommandOp.Dispatch.Z, z);
    commands.set(U32, at + CommandOp.Dispatch.ARG_COUNT, 0);
    return true;
  }

  /** Argument {@code index} of the newest dispatch, which is the last operation. */
  void addArgument(int index, int kind, int binding, long value) {
    long at = base + end;
    if (insert(at, CommandOp.Arg.BYTES)) {
      commands.set(U32, at + CommandOp.Arg.KIND, kind);
      commands.set(U32, at + CommandOp.Arg.BINDING, binding);
      commands.set(U64, at + CommandOp.Arg.VALUE, value);
      commands.set(U32, base + dispatch + CommandOp.Dispatch.ARG_COUNT, index + 1);
      commands.set(U32, base + dispatch + CommandOp.LENGTH, end - dispatch);
    }
  }

  private boolean append(short code, int length) {
    long at = base + end;
    if (!insert(at, length)) {
      return false;
    }
    commands.set(U16, at + CommandOp.CODE, code);
    commands.set(U16, at + CommandOp.FLAGS, (short) 0);
    commands.set(U32, at + CommandOp.LENGTH, length);
    ops++;
    return true;
  }

  /** Makes room at an offset of the segment; false after any mistake. */
  private boolean insert(long at, int length) {
    if (error != 0) {
      return false;
    }
    if (length > capacity - end) {
      error = -Errno.EMSGSIZE;
      return false;
    }
    long behind = base + end - at;
    if (behind > 0) {
      MemorySegment.copy(commands, at, commands, at + length, behind);
      dispatch += length;
    }
    end += length;
    return true;
  }
}
