package io.isle.net.xdp.bpf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.api.base.Errno;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetException;
import io.isle.api.net.ProgramLine;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any file is refused, or a program whose maps are all the given one. */
class ProgramFuzzTest {
  private static final int MAP = 0x1234;

  static Stream<byte[]> seeds() {
    FrameMatch match = new FrameMatch(List.of(9000), OptionalInt.of(0x0A000001), true);
    return Stream.of(
        ProgramFile.write(RedirectProgram.of(match, 3)),
        ProgramFile.write(RedirectProgram.counting(match, 3, 4, 5)),
        new byte[7],
        new byte[8]);
  }

  @MethodSource("seeds")
  @FuzzTest
  void aFileIsRefusedOrHasOneMap(byte[] file) {
    try {
      long[] program = ProgramFile.read(file);
      List<ProgramLine> lines = Listing.of(program);
      assertEquals(2 * file.length, lines.stream().mapToInt(line -> line.bytes().length()).sum());
      long[] changed = ProgramFile.withMap(program, MAP);
      for (int i = 0; i < changed.length; i++) {
        if (Instruction.isWide(changed[i])) {
          boolean map = Instruction.source(changed[i]) != 0;
          assertTrue(!map || Instruction.immediate(changed[i]) == MAP && changed[i + 1] == 0);
          i++;
        }
      }
      assertArrayEquals(changed, ProgramFile.withMap(changed, MAP));
    } catch (NetException e) {
      assertEquals(Errno.EINVAL, e.code());
      assertFalse(e.getMessage().isEmpty());
    }
  }
}
