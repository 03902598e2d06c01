package io.isle.tck;

import io.isle.lib.kabi.CommandOp;
import io.isle.lib.kabi.CommandOp.Arg;
import java.lang.foreign.MemorySegment;

/** What a dispatch may not say. */
final class DispatchCase {
  private DispatchCase() {}

  static void arguments(Rig rig) {
    long context = rig.context();
    long program = rig.program(context, "fill");
    Rig.Memory memory = rig.memory(context, ProgramCases.SIZE);
    rig.success(context, ProgramCases.fillOf(program, memory), "a good dispatch");
    memory.cpu().fill((byte) 0);
    bad(
        rig,
        context,
        ProgramCases.fillOf(program, memory).opWord(CommandOp.Dispatch.X, 0),
        "0 work items");
    bad(
        rig,
        context,
        ProgramCases.fillOf(program, memory).opWord(CommandOp.Dispatch.ENTRY, 7),
        "entry 7");
    bad(
        rig,
        context,
        ProgramCases.fillOf(program, memory).opWord(CommandOp.Dispatch.PROGRAM, 1),
        "memory in place of a program");
    bad(
        rig,
        context,
        ProgramCases.fillOf(program, memory).opWord(CommandOp.Dispatch.PROGRAM, 99),
        "binding 99 as program");
    bad(
        rig,
        context,
        ProgramCases.fillOf(program, memory).opWord(CommandOp.Dispatch.ARG_COUNT, 1),
        "1 argument for 2");
    bad(
        rig,
        context,
        ProgramCases.fillOf(program, memory).opWord(CommandOp.Dispatch.ARG_COUNT, -1),
        "2^32-1 arguments");
    bad(
        rig,
        context,
        ProgramCases.fillOf(program, memory).opWord(CommandOp.Dispatch.ARGS + Arg.KIND, Arg.U32),
        "a number for a buffer");
    bad(
        rig,
        context,
        ProgramCases.fillOf(program, memory).opWord(CommandOp.Dispatch.ARGS + Arg.BINDING, 99),
        "binding 99 as buffer");
    bad(rig, context, new Envelope().program(program).dispatch(0), "no arguments");
    Check.equal(
        -1L,
        memory
            .cpu()
            .asSlice(0, ProgramCases.SIZE)
            .mismatch(MemorySegment.ofArray(new byte[ProgramCases.SIZE])),
        "the first byte that a bad dispatch wrote");
  }

  private static void bad(Rig rig, long context, Envelope envelope, String what) {
    rig.fails(context, envelope, "a dispatch with " + what);
  }
}
