package io.isle.net.xdp.bpf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetException;
import io.isle.api.net.ProgramLine;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AssemblerTest {
  private static String refusal(org.junit.jupiter.api.function.Executable call) {
    return assertThrows(NetException.class, call).getMessage();
  }

  /** The bytes as the kernel's own assemblers write them. */
  @Test
  void instructionsHaveTheBytesOfTheKernel() {
    long[] program =
        new Assembler()
            .load(Op.W, Register.R2, Register.R1, 16)
            .loadMap(Register.R1, 5)
            .move(Register.R3, 2)
            .call(51)
            .exit()
            .assemble();
    assertEquals(
        "6112100000000000"
            + "1811000005000000"
            + "0000000000000000"
            + "b703000002000000"
            + "8500000033000000"
            + "9500000000000000",
        HexFormat.of().formatHex(ProgramFile.write(program)));
  }

  @Test
  void jumpsGoForthAndBack() {
    long[] program =
        new Assembler()
            .label("begin")
            .jumpIf(Op.JEQ, Register.R1, 0, "end")
            .jump("begin")
            .label("end")
            .exit()
            .assemble();
    assertEquals(1, Instruction.offset(program[0]));
    assertEquals(-2, Instruction.offset(program[1]));
  }

  @Test
  void mistakesAreNamed() {
    String unknown = refusal(() -> new Assembler().jump("nowhere").assemble());
    assertTrue(unknown.contains("instruction 0") && unknown.contains("nowhere"), unknown);
    String twice = refusal(() -> new Assembler().label("a").label("a"));
    assertTrue(twice.contains("label a"), twice);
    Assembler full = new Assembler();
    for (int i = 0; i < 512; i++) {
      full.exit();
    }
    assertEquals(512, full.assemble().length);
    String long513 = refusal(full::exit);
    assertTrue(long513.contains("more than 512"), long513);
    Assembler large = new Assembler(40_000).jump("end");
    for (int i = 0; i < 32_768; i++) {
      large.exit();
    }
    String jump = refusal(large.label("end")::assemble);
    assertTrue(jump.contains("jumps 32768 instructions to end; 32767 are possible"), jump);
    String far = refusal(() -> new Assembler().load(Op.W, Register.R1, Register.R2, 40000));
    assertTrue(far.contains("offset 40000"), far);
  }

  @Test
  void aProgramOfAFileIsCheckedBeforeTheKernelSeesIt() {
    assertTrue(refusal(() -> ProgramFile.read(new byte[0])).contains("0 bytes"));
    assertTrue(refusal(() -> ProgramFile.read(new byte[12])).contains("multiple of 8"));
    assertTrue(refusal(() -> ProgramFile.read(new byte[8 * 513])).contains("4104 bytes"));
    long[] halfWide = {Instruction.of(Op.LD_IMM64, 1, 1, 0, 3)};
    assertTrue(refusal(() -> ProgramFile.withMap(halfWide, 9)).contains("instruction 0"));
    long[] byIndex = {Instruction.of(Op.LD_IMM64, 1, 5, 0, 3), 0};
    assertTrue(refusal(() -> ProgramFile.withMap(byIndex, 9)).contains("kind 5"));
    long[] loop = new Assembler().exit().call(181).exit().assemble();
    String helper = refusal(() -> ProgramFile.withMap(loop, 9));
    assertTrue(helper.contains("instruction 1 calls helper 181"), helper);
    long[] function = {Instruction.of(Op.JMP | Op.CALL, 0, 2, 0, 77)};
    assertTrue(refusal(() -> ProgramFile.withMap(function, 9)).contains("function of the kernel"));
  }

  @Test
  void mapsOfAFileBecomeOurs() {
    FrameMatch match = new FrameMatch(List.of(1), OptionalInt.of(1), true);
    assertArrayEquals(
        RedirectProgram.of(match, 9), ProgramFile.withMap(RedirectProgram.of(match, 3), 9));
    assertArrayEquals(
        RedirectProgram.of(match, 3),
        ProgramFile.read(ProgramFile.write(RedirectProgram.of(match, 3))));
  }

  @Test
  void theListingNamesEveryInstruction() {
    FrameMatch match = new FrameMatch(List.of(9000), OptionalInt.of(0x0A000001), true);
    List<ProgramLine> lines = Listing.of(RedirectProgram.of(match, 3));
    List<String> texts = lines.stream().map(ProgramLine::text).toList();
    assertEquals("r2 = *(u32 *)(r1 + 0)", texts.getFirst());
    assertTrue(texts.contains("r1 = map of descriptor 3"), () -> String.join("\n", texts));
    assertTrue(texts.contains("call redirect_map"), () -> String.join("\n", texts));
    assertTrue(texts.stream().noneMatch(text -> text.contains("unknown")), texts::toString);
    assertEquals("exit", texts.getLast());
    List<String> counting =
        Listing.of(RedirectProgram.counting(match, 3, 4, 5)).stream()
            .map(ProgramLine::text)
            .toList();
    assertTrue(counting.contains("lock *(u64 *)(r0 + 0) += r1"), counting::toString);
    assertTrue(counting.contains("*(u32 *)(r10 - 4) = r6"), counting::toString);
    assertTrue(counting.stream().noneMatch(text -> text.contains("unknown")), counting::toString);
    assertEquals(32, lines.get(lines.size() - 4).bytes().length());
  }

  @Test
  void anyBytesHaveAListing() {
    Random random = new Random(5);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[8 * (1 + random.nextInt(20))];
      random.nextBytes(bytes);
      List<ProgramLine> lines = Listing.of(ProgramFile.read(bytes));
      int length = lines.stream().mapToInt(line -> line.bytes().length()).sum();
      assertEquals(2 * bytes.length, length);
    }
  }
}
