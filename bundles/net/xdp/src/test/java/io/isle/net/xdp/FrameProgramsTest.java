package io.isle.net.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameJudge;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetException;
import io.isle.api.net.ProgramLine;
import io.isle.net.xdp.bpf.Rights;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class FrameProgramsTest {
  private static final FrameMatch MATCH = new FrameMatch(List.of(9000), OptionalInt.empty(), true);

  private final FrameProgramsComponent programs = new FrameProgramsComponent();

  @Test
  void theOnlyMapOfAProgramIsTheGivenOne() {
    List<String> maps =
        programs.listing(programs.program(MATCH, 77)).stream()
            .map(ProgramLine::text)
            .filter(text -> text.contains("map of descriptor"))
            .toList();
    assertEquals(List.of("r1 = map of descriptor 77"), maps);
    assertThrows(NetException.class, () -> programs.program(MATCH, -1));
    assertThrows(NetException.class, () -> programs.listing(new byte[7]));
  }

  @Test
  void aHostileProgramIsRefusedBeforeTheKernelSeesIt() {
    NetException e = assertThrows(NetException.class, () -> programs.load(new byte[9]));
    assertEquals(Errno.EINVAL, e.code());
  }

  @Test
  void aJudgeHasLimitsAndAnEnd() {
    Rights.assumeBpf();
    FrameJudge judge = programs.load(programs.program(MATCH, 5));
    assertEquals("PASS", judge.judge(MemorySegment.ofArray(new byte[14]), 1).text());
    assertEquals("PASS", judge.judge(MemorySegment.ofArray(new byte[65535]), 10_000).text());
    for (int bytes : new int[] {0, 13, 65536}) {
      NetException e =
          assertThrows(
              NetException.class, () -> judge.judge(MemorySegment.ofArray(new byte[bytes]), 1));
      assertTrue(e.getMessage().contains(bytes + " bytes is not in 14..65535"), e.getMessage());
    }
    assertThrows(
        NetException.class, () -> judge.judge(MemorySegment.ofArray(new byte[60]), 10_001));
    programs.deactivate();
    judge.close();
    NetException e =
        assertThrows(NetException.class, () -> judge.judge(MemorySegment.ofArray(new byte[60]), 1));
    assertEquals(Errno.ECLOSED, e.code());
  }
}
