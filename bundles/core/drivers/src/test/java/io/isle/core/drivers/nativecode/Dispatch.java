package io.isle.core.drivers.nativecode;

import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.MemorySegment;

/** Envelopes with one operation. */
public final class Dispatch {
  private static final int VENDOR_BYTES = 16;

  private Dispatch() {}

  /**
   * Writes a dispatch of a program without arguments at {@code at}; returns the envelope's length.
   */
  public static int write(MemorySegment commands, long at, long program) {
    long ops = CommandEnvelope.ops(0, 1);
    int length = (int) ops + CommandOp.Dispatch.BYTES;
    MemorySegment envelope = header(commands, at, length, 1);
    long binding = CommandEnvelope.bindings(0);
    envelope.set(CommandEnvelope.U64, binding + CommandEnvelope.Binding.OBJECT, program);
    envelope.set(
        CommandEnvelope.U32,
        binding + CommandEnvelope.Binding.ACCESS,
        CommandEnvelope.Binding.PROGRAM);
    operation(envelope, ops, CommandOp.DISPATCH, CommandOp.Dispatch.BYTES);
    envelope.set(CommandEnvelope.U32, ops + CommandOp.Dispatch.X, 1);
    envelope.set(CommandEnvelope.U32, ops + CommandOp.Dispatch.Y, 1);
    envelope.set(CommandEnvelope.U32, ops + CommandOp.Dispatch.Z, 1);
    return length;
  }

  /** Writes the driver's own operation with two words at {@code at}; returns the length. */
  static int writeVendor(MemorySegment commands, long at, int word, int second) {
    long ops = CommandEnvelope.ops(0, 0);
    int length = (int) ops + VENDOR_BYTES;
    MemorySegment envelope = header(commands, at, length, 0);
    operation(envelope, ops, CommandOp.VENDOR, VENDOR_BYTES);
    envelope.set(CommandEnvelope.U32, ops + VENDOR_BYTES - Long.BYTES, word);
    envelope.set(CommandEnvelope.U32, ops + VENDOR_BYTES - Integer.BYTES, second);
    return length;
  }

  private static MemorySegment header(MemorySegment commands, long at, int length, int bindings) {
    MemorySegment envelope = commands.asSlice(at, length);
    envelope.fill((byte) 0);
    envelope.set(CommandEnvelope.U32, CommandEnvelope.MAGIC, CommandEnvelope.MAGIC_VALUE);
    envelope.set(CommandEnvelope.U16, CommandEnvelope.VERSION, CommandEnvelope.VERSION_VALUE);
    envelope.set(CommandEnvelope.U16, CommandEnvelope.HEADER_SIZE, (short) 64);
    envelope.set(CommandEnvelope.U32, CommandEnvelope.TOTAL_LENGTH, length);
    envelope.set(CommandEnvelope.U32, CommandEnvelope.BINDING_COUNT, bindings);
    envelope.set(CommandEnvelope.U32, CommandEnvelope.OP_COUNT, 1);
    return envelope;
  }

  private static void operation(MemorySegment envelope, long at, short code, int bytes) {
    envelope.set(CommandEnvelope.U16, at + CommandOp.CODE, code);
    envelope.set(CommandEnvelope.U32, at + CommandOp.LENGTH, bytes);
  }
}
