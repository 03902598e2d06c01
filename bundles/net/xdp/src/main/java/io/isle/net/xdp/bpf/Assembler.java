package io.isle.net.xdp.bpf;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePrograms;
import io.isle.api.net.NetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes programs of eBPF, instruction by instruction. Jumps name labels, which stand anywhere in
 * the program. One thread at a time.
 */
final class Assembler {
  private static final String NO_LABEL = "";

  private final int most;
  private final List<Long> code = new ArrayList<>();
  private final List<String> targets = new ArrayList<>();
  private final Map<String, Integer> labels = new HashMap<>();

  /** A program of at most {@link FramePrograms#MAX_INSTRUCTIONS}. */
  Assembler() {
    this(FramePrograms.MAX_INSTRUCTIONS);
  }

  /**
   * @param most largest number of instructions
   */
  Assembler(int most) {
    this.most = most;
  }

  /** Names the place of the next instruction. */
  Assembler label(String name) {
    if (labels.put(name, code.size()) != null) {
      throw wrong("label " + name + " stands at two places");
    }
    return this;
  }

  /** Loads a number of memory: {@link Op#B}, {@link Op#H}, {@link Op#W} or {@link Op#DW}. */
  Assembler load(int size, Register into, Register from, int offset) {
    return add(Op.LDX | Op.MEM | size, into, from, offset, 0);
  }

  /** Stores a number into memory; sizes as for {@link #load}. */
  Assembler store(int size, Register into, int offset, Register from) {
    return add(Op.STX | Op.MEM | size, into, from, offset, 0);
  }

  /** Adds a register to 64 bits of memory, as one step for all processors. */
  Assembler atomicAdd(Register into, int offset, Register from) {
    return add(Op.STX | Op.ATOMIC | Op.DW, into, from, offset, Op.ADD);
  }

  Assembler move(Register into, Register from) {
    return add(Op.ALU64 | Op.MOV | Op.X, into, from, 0, 0);
  }

  Assembler move(Register into, int value) {
    return add(Op.ALU64 | Op.MOV, into, Register.R0, 0, value);
  }

  Assembler add(Register to, Register from) {
    return add(Op.ALU64 | Op.ADD | Op.X, to, from, 0, 0);
  }

  Assembler add(Register to, int value) {
    return add(Op.ALU64 | Op.ADD, to, Register.R0, 0, value);
  }

  Assembler and(Register to, int mask) {
    return add(Op.ALU64 | Op.AND, to, Register.R0, 0, mask);
  }

  Assembler shiftLeft(Register to, int bits) {
    return add(Op.ALU64 | Op.LSH, to, Register.R0, 0, bits);
  }

  /** Loads a map by its descriptor in the process that loads the program. */
  Assembler loadMap(Register into, int descriptor) {
    Assembler ignored = add(Op.LD_IMM64, into.ordinal(), Op.PSEUDO_MAP_FD, 0, descriptor, NO_LABEL);
    return add(0, 0, 0, 0, 0, NO_LABEL);
  }

  /**
   * Jumps on a comparison of 64 unsigned bits: {@link Op#JEQ}, {@link Op#JNE}, {@link Op#JGT} or
   * {@link Op#JLT}.
   */
  Assembler jumpIf(int comparison, Register left, Register right, String label) {
    return add(Op.JMP | comparison | Op.X, left.ordinal(), right.ordinal(), 0, 0, label);
  }

  /** As above; the number is extended with its sign. */
  Assembler jumpIf(int comparison, Register left, int right, String label) {
    return add(Op.JMP | comparison, left.ordinal(), 0, 0, right, label);
  }

  /** As above, of the lower 32 bits. */
  Assembler jumpIf32(int comparison, Register left, int right, String label) {
    return add(Op.JMP32 | comparison, left.ordinal(), 0, 0, right, label);
  }

  Assembler jump(String label) {
    return add(Op.JMP | Op.JA, 0, 0, 0, 0, label);
  }

  /** Calls a helper of the kernel by its number. */
  Assembler call(int helper) {
    return add(Op.JMP | Op.CALL, Register.R0, Register.R0, 0, helper);
  }

  Assembler exit() {
    return add(Op.JMP | Op.EXIT, Register.R0, Register.R0, 0, 0);
  }

  /**
   * The program with its jumps.
   *
   * @throws NetException EINVAL for an unknown label or a jump that is too far
   */
  long[] assemble() {
    long[] program = new long[code.size()];
    for (int i = 0; i < program.length; i++) {
      program[i] = code.get(i);
      String target = targets.get(i);
      if (!target.equals(NO_LABEL)) {
        program[i] |= (distance(i, target) & 0xFFFFL) << 16;
      }
    }
    return program;
  }

  private int distance(int from, String label) {
    Integer to = labels.get(label);
    if (to == null) {
      throw wrong("instruction " + from + " jumps to the unknown label " + label);
    }
    int distance = to - from - 1;
    if (distance != (short) distance) {
      throw wrong(
          "instruction %d jumps %d instructions to %s; %d are possible"
              .formatted(from, distance, label, (int) Short.MAX_VALUE));
    }
    return distance;
  }

  private Assembler add(int op, Register destination, Register source, int offset, int immediate) {
    return add(op, destination.ordinal(), source.ordinal(), offset, immediate, NO_LABEL);
  }

  private Assembler add(
      int op, int destination, int source, int offset, int immediate, String target) {
    if (offset != (short) offset) {
      throw wrong("offset " + offset + " is not in -32768..32767");
    }
    if (code.size() == most) {
      throw wrong("the program has more than " + most + " instructions");
    }
    code.add(Instruction.of(op, destination, source, offset, immediate));
    targets.add(target);
    return this;
  }

  private static NetException wrong(String text) {
    return new NetException(Errno.EINVAL, "program: " + text);
  }
}
