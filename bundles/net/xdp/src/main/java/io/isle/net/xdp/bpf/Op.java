package io.isle.net.xdp.bpf;

/** Operation codes of eBPF, as the kernel names their parts. */
final class Op {
  static final int CLASS = 0x07;
  static final int LD = 0x00;
  static final int LDX = 0x01;
  static final int ST = 0x02;
  static final int STX = 0x03;
  static final int ALU = 0x04;
  static final int JMP = 0x05;
  static final int JMP32 = 0x06;
  static final int ALU64 = 0x07;

  static final int SIZE = 0x18;
  static final int W = 0x00;
  static final int H = 0x08;
  static final int B = 0x10;
  static final int DW = 0x18;

  static final int MODE = 0xE0;
  static final int IMM = 0x00;
  static final int MEM = 0x60;
  static final int MEMSX = 0x80;
  static final int ATOMIC = 0xC0;

  /** Of arithmetic and jumps: the operand is a register. */
  static final int X = 0x08;

  static final int CODE = 0xF0;
  static final int ADD = 0x00;
  static final int AND = 0x50;
  static final int LSH = 0x60;
  static final int MOV = 0xB0;

  static final int JA = 0x00;
  static final int JEQ = 0x10;
  static final int JGT = 0x20;
  static final int JNE = 0x50;
  static final int JLT = 0xA0;
  static final int CALL = 0x80;
  static final int EXIT = 0x90;

  /** Loads 64 bits from two instructions. */
  static final int LD_IMM64 = LD | IMM | DW;

  /** As the source of {@link #LD_IMM64}: the number is the descriptor of a map. */
  static final int PSEUDO_MAP_FD = 1;

  private Op() {}
}
