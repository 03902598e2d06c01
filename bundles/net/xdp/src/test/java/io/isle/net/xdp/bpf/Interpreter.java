package io.isle.net.xdp.bpf;

import java.util.Arrays;

/**
 * Runs programs of eBPF on a frame. Memory has four places, far from each other: the context, the
 * frame, the stack and the counters. An access outside of them fails, as the verifier would.
 */
final class Interpreter {
  static final int PASS = 2;
  static final int REDIRECT = 4;

  private static final long CONTEXT = 0x1000;
  private static final long FRAME = 0x10_0000;
  private static final long STACK_END = 0x100_0000;
  private static final long COUNTERS = 0x200_0000;
  private static final int STACK_BYTES = 512;

  private final long[] program;
  private final byte[] frame;
  private final int queue;
  private final boolean socket;
  private final byte[] stack = new byte[STACK_BYTES];
  private final byte[] counters;
  private final long[] registers = new long[11];
  private int steps;

  /**
   * @param counters of the map that is looked up, 8 bytes each
   * @param socket whether the queue has a socket
   */
  Interpreter(long[] program, byte[] frame, int queue, boolean socket, byte[] counters) {
    this.program = program;
    this.frame = frame;
    this.queue = queue;
    this.socket = socket;
    this.counters = counters;
  }

  /** Without counters, on queue 0 with a socket. */
  static int run(long[] program, byte[] frame) {
    return new Interpreter(program, frame, 0, true, new byte[0]).run();
  }

  /** Executed instructions. */
  int steps() {
    return steps;
  }

  int run() {
    registers[1] = CONTEXT;
    registers[10] = STACK_END;
    int at = 0;
    while (true) {
      long one = program[at];
      int code = Instruction.code(one);
      steps++;
      if (code == (Op.JMP | Op.EXIT)) {
        return (int) registers[0];
      }
      at += step(one, code, at);
    }
  }

  /** Instructions to go on. */
  private int step(long one, int code, int at) {
    int into = Instruction.destination(one);
    long operand =
        (code & Op.X) != 0 ? registers[Instruction.source(one)] : (long) Instruction.immediate(one);
    switch (code & Op.CLASS) {
      case Op.LDX -> registers[into] = load(one);
      case Op.STX -> store(one, code);
      case Op.ALU64 -> registers[into] = arithmetic(code & Op.CODE, registers[into], operand);
      case Op.JMP -> {
        if (code == (Op.JMP | Op.CALL)) {
          call(Instruction.immediate(one));
        } else if (taken(code & Op.CODE, registers[into], operand)) {
          return 1 + Instruction.offset(one);
        }
      }
      case Op.JMP32 -> {
        if (taken(code & Op.CODE, registers[into] & 0xFFFF_FFFFL, operand & 0xFFFF_FFFFL)) {
          return 1 + Instruction.offset(one);
        }
      }
      case Op.LD -> {
        if (code != Op.LD_IMM64 || Instruction.source(one) != Op.PSEUDO_MAP_FD) {
          throw new AssertionError("instruction " + at);
        }
        registers[into] = Instruction.immediate(one);
        return 2;
      }
      default -> throw new AssertionError("instruction " + at);
    }
    return 1;
  }

  private static long arithmetic(int operation, long left, long right) {
    return switch (operation) {
      case Op.ADD -> left + right;
      case Op.AND -> left & right;
      case Op.LSH -> left << right;
      case Op.MOV -> right;
      default -> throw new AssertionError("operation " + operation);
    };
  }

  private static boolean taken(int comparison, long left, long right) {
    return switch (comparison) {
      case Op.JA -> true;
      case Op.JEQ -> left == right;
      case Op.JNE -> left != right;
      case Op.JGT -> Long.compareUnsigned(left, right) > 0;
      case Op.JLT -> Long.compareUnsigned(left, right) < 0;
      default -> throw new AssertionError("comparison " + comparison);
    };
  }

  private void call(int helper) {
    switch (helper) {
      case 1 -> {
        int index = (int) read(registers[2], 4);
        boolean known = Integer.toUnsignedLong(index) * 8 < counters.length;
        registers[0] = known ? COUNTERS + index * 8L : 0;
      }
      case 51 -> registers[0] = socket ? REDIRECT : registers[3];
      default -> throw new AssertionError("helper " + helper);
    }
    // nothing may rely on them
    Arrays.fill(registers, 1, 6, 0xDEAD_DEAD_DEADL);
  }

  private long load(long one) {
    long address = registers[Instruction.source(one)] + Instruction.offset(one);
    if (address >= CONTEXT && address < CONTEXT + 24) {
      return switch ((int) (address - CONTEXT)) {
        case 0 -> FRAME;
        case 4 -> FRAME + frame.length;
        case 16 -> queue;
        default -> throw new AssertionError("context at " + (address - CONTEXT));
      };
    }
    return read(address, bytes(one));
  }

  private void store(long one, int code) {
    long address = registers[Instruction.destination(one)] + Instruction.offset(one);
    int size = bytes(one);
    long value = registers[Instruction.source(one)];
    boolean adds = (code & Op.MODE) == Op.ATOMIC;
    byte[] place = place(address, size);
    int at = index(address);
    long sum = adds ? read(address, size) + value : value;
    for (int i = 0; i < size; i++) {
      place[at + i] = (byte) (sum >>> 8 * i);
    }
  }

  private long read(long address, int size) {
    byte[] place = place(address, size);
    int at = index(address);
    long value = 0;
    for (int i = 0; i < size; i++) {
      value |= (place[at + i] & 0xFFL) << 8 * i;
    }
    return value;
  }

  private byte[] place(long address, int size) {
    if (address >= FRAME && address + size <= FRAME + frame.length) {
      return frame;
    }
    if (address >= STACK_END - STACK_BYTES && address + size <= STACK_END) {
      return stack;
    }
    if (address >= COUNTERS && address + size <= COUNTERS + counters.length) {
      return counters;
    }
    throw new AssertionError("access of " + size + " bytes outside of memory");
  }

  private static int index(long address) {
    if (address >= COUNTERS) {
      return (int) (address - COUNTERS);
    }
    return (int)
        (address >= FRAME + STACK_END / 2 ? address - STACK_END + STACK_BYTES : address - FRAME);
  }

  private static int bytes(long one) {
    return switch (Instruction.code(one) & Op.SIZE) {
      case Op.B -> 1;
      case Op.H -> 2;
      case Op.W -> 4;
      default -> 8;
    };
  }
}
