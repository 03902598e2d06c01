package io.isle.net.xdp.bpf;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePrograms;
import io.isle.api.net.NetException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.TreeMap;

/** Programs as bytes, from hostile files too. */
public final class ProgramFile {
  private static final int FUNCTION = 1;

  /** Helpers that act on the frame, the verdict and the time alone, and end soon. */
  private static final Map<Integer, String> HELPERS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(1, "map_lookup_elem"),
              Map.entry(5, "ktime_get_ns"),
              Map.entry(7, "get_prandom_u32"),
              Map.entry(8, "get_smp_processor_id"),
              Map.entry(23, "redirect"),
              Map.entry(28, "csum_diff"),
              Map.entry(44, "xdp_adjust_head"),
              Map.entry(51, "redirect_map"),
              Map.entry(54, "xdp_adjust_meta"),
              Map.entry(65, "xdp_adjust_tail")));

  private ProgramFile() {}

  /**
   * The instructions of a program.
   *
   * @throws NetException EINVAL for a wrong size
   */
  public static long[] read(byte[] program) {
    int most = FramePrograms.MAX_INSTRUCTIONS * Instruction.BYTES;
    if (program.length == 0 || program.length > most || program.length % Instruction.BYTES != 0) {
      throw wrong(program.length + " bytes are no program; 8 to " + most + " are, a multiple of 8");
    }
    long[] instructions = new long[program.length / Instruction.BYTES];
    ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(instructions);
    return instructions;
  }

  /** The bytes of a program. */
  public static byte[] write(long[] instructions) {
    ByteBuffer bytes =
        ByteBuffer.allocate(instructions.length * Instruction.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(instructions);
    return bytes.array();
  }

  /**
   * Sets every map of a program on one XSKMAP.
   *
   * @param map descriptor of the XSKMAP
   * @return a changed copy
   * @throws NetException EINVAL for another kind of reference or another helper
   */
  public static long[] withMap(long[] program, int map) {
    long[] changed = program.clone();
    for (int i = 0; i < changed.length; i++) {
      long one = changed[i];
      if (Instruction.isWide(one)) {
        if (i + 1 == changed.length) {
          throw wrong("instruction " + i + " has 16 bytes, of which the program ends after 8");
        }
        int source = Instruction.source(one);
        if (source == Op.PSEUDO_MAP_FD) {
          changed[i] = Instruction.of(Op.LD_IMM64, Instruction.destination(one), source, 0, map);
          changed[i + 1] = 0;
        } else if (source != 0) {
          throw wrong(
              "instruction %d refers to an object of kind %d; an XSKMAP by its descriptor (kind 1)"
                      .formatted(i, source)
                  + " is possible");
        }
        i++;
      } else {
        checkCall(one, i);
      }
    }
    return changed;
  }

  private static void checkCall(long one, int index) {
    int code = Instruction.code(one);
    if (code != (Op.JMP | Op.CALL) || Instruction.source(one) == FUNCTION) {
      return;
    }
    int helper = Instruction.immediate(one);
    if (Instruction.source(one) != 0 || !HELPERS.containsKey(helper)) {
      throw wrong(
          "instruction %d calls %s %d; possible are the helpers %s"
              .formatted(
                  index,
                  Instruction.source(one) == 0 ? "helper" : "a function of the kernel,",
                  helper,
                  HELPERS));
    }
  }

  /** Name of a helper, or its number. */
  static String helper(int number) {
    return HELPERS.getOrDefault(number, "helper " + Integer.toUnsignedString(number));
  }

  private static NetException wrong(String text) {
    return new NetException(Errno.EINVAL, "program: " + text);
  }
}
