package io.isle.core.drivers.nativecode;

import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.MemorySegment;

/** An envelope with one dispatch of a program without arguments. */
public final class Dispatch {
  private Dispatch() {}

  /** Writes it at {@code at}; returns its length. */
  public static int write(MemorySegment commands, long at, long program) {
    long ops = CommandEnvelope.ops(0, 1);
    int length = (int) ops + CommandOp.Dispatch.BYTES;
    MemorySegment envelope = commands.asSlice(at, length);
    envelope.fill((byte) 0);
    envelope.set(CommandEnvelope.U32, CommandEnvelope.MAGIC, CommandEnvelope.MAGIC_VALUE);
    envelope.set(CommandEnvelope.U16, CommandEnvelope.VERSION, CommandEnvelope.VERSION_VALUE);
    envelope.set(CommandEnvelope.U16, CommandEnvelope.HEADER_SIZE, (short) 64);
    envelope.set(CommandEnvelope.U32, CommandEnvelope.TOTAL_LENGTH, length);
    envelope.set(CommandEnvelope.U32, CommandEnvelope.BINDING_COUNT, 1);
    envelope.set(CommandEnvelope.U32, CommandEnvelope.OP_COUNT, 1);
    long binding = CommandEnvelope.bindings(0);
    envelope.set(CommandEnvelope.U64, binding + CommandEnvelope.Binding.OBJECT, program);
    envelope.set(
        CommandEnvelope.U32,
        binding + CommandEnvelope.Binding.ACCESS,
        CommandEnvelope.Binding.PROGRAM);
    envelope.set(CommandEnvelope.U16, ops + CommandOp.CODE, CommandOp.DISPATCH);
    envelope.set(CommandEnvelope.U32, ops + CommandOp.LENGTH, CommandOp.Dispatch.BYTES);
    envelope.set(CommandEnvelope.U32, ops + CommandOp.Dispatch.X, 1);
    envelope.set(CommandEnvelope.U32, ops + CommandOp.Dispatch.Y, 1);
    envelope.set(CommandEnvelope.U32, ops + CommandOp.Dispatch.Z, 1);
    return length;
  }
}
