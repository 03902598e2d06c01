package io.isle.core.accel.submit;

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
  private int newest;
  private int error;
  private boolean unmapped;

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

  /** Whether the segment is gone, which is told as ENODEV. */
  boolean isUnmapped() {
    return unmapped;
  }

  int waits() {
    return waits;
  }

  void fail(int code) {
    if (error == 0) {
      error = code;
    }
  }

  /** Writes the header; returns the envelope's length, or the first mistake. */
  int finish() {
    u32(base + CommandEnvelope.MAGIC, CommandEnvelope.MAGIC_VALUE);
    u16(base + CommandEnvelope.VERSION, CommandEnvelope.VERSION_VALUE);
    u16(base + CommandEnvelope.HEADER_SIZE, (short) CommandEnvelope.HEADER_BYTES);
    u32(base + CommandEnvelope.TOTAL_LENGTH, end);
    u32(base + CommandEnvelope.WAIT_COUNT, waits);
    u32(base + CommandEnvelope.BINDING_COUNT, bindings);
    u32(base + CommandEnvelope.OP_COUNT, ops);
    for (long at = CommandEnvelope.TAG; at < CommandEnvelope.HEADER_BYTES; at += 8) {
      u64(base + at, 0L);
    }
    return error == 0 ? end : error;
  }

  boolean addWait(long timeline, long point) {
    long at = base + CommandEnvelope.bindings(waits);
    if (!insert(at, Wait.BYTES)) {
      return false;
    }
    u64(at + Wait.TIMELINE, timeline);
    u64(at + Wait.POINT, point);
    waits++;
    return true;
  }

  boolean addBinding(long object, long offset, long length, int access) {
    long at = base + CommandEnvelope.ops(waits, bindings);
    if (!insert(at, Binding.BYTES)) {
      return false;
    }
    u64(at + Binding.OBJECT, object);
    u64(at + Binding.OFFSET, offset);
    u64(at + Binding.LENGTH, length);
    u64(at + Binding.ACCESS, access);
    bindings++;
    return true;
  }

  void addCopy(int dst, long dstOffset, int src, long srcOffset, long bytes) {
    long at = base + end;
    if (append(CommandOp.COPY, CommandOp.Copy.BYTES)) {
      u32(at + CommandOp.Copy.DST, dst);
      u32(at + CommandOp.Copy.SRC, src);
      u64(at + CommandOp.Copy.DST_OFFSET, dstOffset);
      u64(at + CommandOp.Copy.SRC_OFFSET, srcOffset);
      u64(at + CommandOp.Copy.COUNT, bytes);
    }
  }

  void addFill(int dst, long offset, long bytes, int pattern) {
    long at = base + end;
    if (append(CommandOp.FILL, CommandOp.Fill.BYTES)) {
      u32(at + CommandOp.Fill.DST, dst);
      u32(at + CommandOp.Fill.PATTERN, pattern);
      u64(at + CommandOp.Fill.OFFSET, offset);
      u64(at + CommandOp.Fill.COUNT, bytes);
    }
  }

  void addVendor(MemorySegment operation, int length) {
    long at = base + end;
    if (append(CommandOp.VENDOR, CommandOp.BYTES + length)) {
      copy(operation, 0, at + CommandOp.BYTES, length);
    }
  }

  /**
   * Begin of the newest operation, an offset of the segment; it moves with what is inserted before.
   */
  long newest() {
    return base + newest;
  }

  /** Behind the last byte, an offset of the segment. */
  long end() {
    return base + end;
  }

  /** How many there are so far. */
  int operations() {
    return ops;
  }

  /** Adds an operation; false after any mistake. */
  boolean append(short code, int length) {
    long at = base + end;
    newest = end;
    if (!insert(at, length)) {
      return false;
    }
    // code, flags and length in one
    u64(at + CommandOp.CODE, pair(code & 0xffff, length));
    ops++;
    return true;
  }

  /** Makes room at an offset of the segment; false after any mistake. */
  boolean insert(long at, int length) {
    if (error != 0) {
      return false;
    }
    if (length > capacity - end) {
      error = -Errno.EMSGSIZE;
      return false;
    }
    long behind = base + end - at;
    if (behind > 0) {
      copy(commands, at, at + length, behind);
      newest += at <= base + newest ? length : 0;
    }
    end += length;
    return true;
  }

  /** Two words that stand side by side. */
  static long pair(int first, int second) {
    return first & 0xffffffffL | (long) second << 32;
  }

  void u16(long at, short value) {
    try {
      commands.set(U16, at, value);
    } catch (IllegalStateException e) {
      unmapped();
    }
  }

  void u32(long at, int value) {
    try {
      commands.set(U32, at, value);
    } catch (IllegalStateException e) {
      unmapped();
    }
  }

  void u64(long at, long value) {
    try {
      commands.set(U64, at, value);
    } catch (IllegalStateException e) {
      unmapped();
    }
  }

  void copy(MemorySegment from, long offset, long at, long bytes) {
    try {
      MemorySegment.copy(from, offset, commands, at, bytes);
    } catch (IllegalStateException e) {
      if (commands.scope().isAlive()) {
        throw e;
      }
      unmapped();
    }
  }

  /** The device went for good while the tenant wrote. */
  private void unmapped() {
    unmapped = true;
    fail(-Errno.ENODEV);
  }
}
