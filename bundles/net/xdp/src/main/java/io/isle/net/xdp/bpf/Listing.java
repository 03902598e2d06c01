package io.isle.net.xdp.bpf;

import io.isle.api.net.ProgramLine;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Instructions as text, in a notation near to C; of any bytes. Pure functions. */
public final class Listing {
  private static final String[] ARITHMETIC = {
    "+=", "-=", "*=", "/=", "|=", "&=", "<<=", ">>=", "neg", "%=", "^=", "=", "s>>=", "swap"
  };
  private static final String[] COMPARISONS = {
    "goto", "==", ">", ">=", "&", "!=", "s>", "s>=", "call", "exit", "<", "<=", "s<", "s<="
  };

  private Listing() {}

  /** One line an instruction. */
  public static List<ProgramLine> of(long[] program) {
    List<ProgramLine> lines = new ArrayList<>();
    for (int i = 0; i < program.length; i++) {
      boolean wide = Instruction.isWide(program[i]) && i + 1 < program.length;
      byte[] bytes =
          ProgramFile.write(
              wide ? new long[] {program[i], program[i + 1]} : new long[] {program[i]});
      String text = wide ? wide(program[i], program[i + 1]) : text(program[i], i);
      lines.add(new ProgramLine(i, HexFormat.of().formatHex(bytes), text));
      i += wide ? 1 : 0;
    }
    return lines;
  }

  private static String wide(long one, long two) {
    int immediate = Instruction.immediate(one);
    String value =
        switch (Instruction.source(one)) {
          case 0 ->
              "0x"
                  + Long.toHexString(
                      Integer.toUnsignedLong(immediate)
                          | (long) Instruction.immediate(two) << Integer.SIZE);
          case Op.PSEUDO_MAP_FD -> "map of descriptor " + immediate;
          default -> "object of kind " + Instruction.source(one) + ": " + immediate;
        };
    return into(one) + " = " + value;
  }

  private static String text(long one, int index) {
    return switch (Instruction.code(one) & Op.CLASS) {
      case Op.LDX -> into(one) + " = " + memory(one, Instruction.source(one));
      case Op.ST -> memory(one, Instruction.destination(one)) + " = " + number(one);
      case Op.STX -> store(one);
      case Op.ALU -> arithmetic(one, " (32 bits)");
      case Op.ALU64 -> arithmetic(one, "");
      case Op.JMP -> jump(one, index, "");
      case Op.JMP32 -> jump(one, index, " (32 bits)");
      default -> unknown(one);
    };
  }

  private static String store(long one) {
    String to = memory(one, Instruction.destination(one));
    String from = "r" + Instruction.source(one);
    return switch (Instruction.code(one) & Op.MODE) {
      case Op.MEM -> to + " = " + from;
      case Op.ATOMIC ->
          Instruction.immediate(one) == Op.ADD ? "lock " + to + " += " + from : unknown(one);
      default -> unknown(one);
    };
  }

  private static String arithmetic(long one, String width) {
    int operation = (Instruction.code(one) & Op.CODE) >> 4;
    return operation < ARITHMETIC.length
        ? into(one) + " " + ARITHMETIC[operation] + " " + operand(one) + width
        : unknown(one);
  }

  private static String jump(long one, int index, String width) {
    int operation = Instruction.code(one) & Op.CODE;
    int target = index + 1 + Instruction.offset(one);
    return switch (operation) {
      case Op.JA -> "goto " + target;
      case Op.CALL ->
          Instruction.source(one) == 0
              ? "call " + ProgramFile.helper(Instruction.immediate(one))
              : "call of kind " + Instruction.source(one) + ": " + number(one);
      case Op.EXIT -> "exit";
      default ->
          operation >> 4 < COMPARISONS.length
              ? "if %s %s %s goto %d%s"
                  .formatted(into(one), COMPARISONS[operation >> 4], operand(one), target, width)
              : unknown(one);
    };
  }

  private static String operand(long one) {
    return (Instruction.code(one) & Op.X) != 0 ? "r" + Instruction.source(one) : number(one);
  }

  private static String into(long one) {
    return "r" + Instruction.destination(one);
  }

  private static String number(long one) {
    int value = Instruction.immediate(one);
    return value >= -9 && value <= 9 ? Integer.toString(value) : "0x" + Integer.toHexString(value);
  }

  private static String memory(long one, int register) {
    String size =
        switch (Instruction.code(one) & Op.SIZE) {
          case Op.B -> "u8";
          case Op.H -> "u16";
          case Op.W -> "u32";
          default -> "u64";
        };
    int offset = Instruction.offset(one);
    return "*(%s *)(r%d %s %d)".formatted(size, register, offset < 0 ? "-" : "+", Math.abs(offset));
  }

  private static String unknown(long one) {
    return "unknown instruction 0x" + Integer.toHexString(Instruction.code(one));
  }
}
