package io.isle.net.xdp.bpf;

/** The fields of an instruction: 8 bytes, here as a little-endian long. Pure functions. */
final class Instruction {
  static final int BYTES = 8;

  private Instruction() {}

  static long of(int code, int destination, int source, int offset, int immediate) {
    return (code & 0xFFL)
        | (destination & 0xFL) << 8
        | (source & 0xFL) << 12
        | (offset & 0xFFFFL) << 16
        | (long) immediate << 32;
  }

  static int code(long instruction) {
    return (int) instruction & 0xFF;
  }

  static int destination(long instruction) {
    return (int) (instruction >>> 8) & 0xF;
  }

  static int source(long instruction) {
    return (int) (instruction >>> 12) & 0xF;
  }

  /** Signed: of memory in bytes, of jumps in instructions behind the next. */
  static int offset(long instruction) {
    return (short) (instruction >>> 16);
  }

  static int immediate(long instruction) {
    return (int) (instruction >>> 32);
  }

  /** Whether the next 8 bytes belong to this instruction. */
  static boolean isWide(long instruction) {
    return code(instruction) == Op.LD_IMM64;
  }

  /** Whether an instruction goes elsewhere than to the next, apart from calls and exits. */
  static boolean isJump(long instruction) {
    int code = code(instruction);
    int kind = code & Op.CLASS;
    int operation = code & Op.CODE;
    return (kind == Op.JMP || kind == Op.JMP32) && operation != Op.CALL && operation != Op.EXIT;
  }
}
