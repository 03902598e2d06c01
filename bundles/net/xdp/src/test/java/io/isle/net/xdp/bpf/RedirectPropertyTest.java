package io.isle.net.xdp.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.FrameMatch;
import io.isle.net.xdp.judge.TestRunJudge;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The program's verdicts about random frames are those of a model in plain Java. */
class RedirectPropertyTest {
  private static final int QUEUES = 4;

  @Property(tries = 400)
  void theInterpreterDecidesAsTheModel(@ForAll long seed) {
    Frames frames = new Frames(seed);
    FrameMatch match = frames.match();
    long[] program = RedirectProgram.of(match, 7);
    for (int i = 0; i < 50; i++) {
      byte[] frame = frames.frame(match);
      int expected = FrameModel.matches(frame, match) ? Interpreter.REDIRECT : Interpreter.PASS;
      assertEquals(expected, Interpreter.run(program, frame), () -> shown(frame, match));
    }
  }

  @Property(tries = 200)
  void aMatchWithoutASocketIsCountedOnItsQueueAndPassed(@ForAll long seed, @ForAll int word) {
    Frames frames = new Frames(seed);
    FrameMatch match = frames.match();
    int queue = word & 7;
    long[] program = RedirectProgram.counting(match, 7, 8, QUEUES);
    ByteBuffer counters = ByteBuffer.allocate(8 * QUEUES).order(ByteOrder.LITTLE_ENDIAN);
    long matching = 0;
    for (int i = 0; i < 20; i++) {
      byte[] frame = frames.frame(match);
      boolean socket = i % 4 == 0;
      boolean matches = FrameModel.matches(frame, match);
      int verdict = new Interpreter(program, frame, queue, socket, counters.array()).run();
      assertEquals(matches && socket ? Interpreter.REDIRECT : Interpreter.PASS, verdict);
      matching += matches && !socket ? 1 : 0;
    }
    for (int i = 0; i < QUEUES; i++) {
      assertEquals(i == Math.min(queue, QUEUES - 1) ? matching : 0, counters.getLong(8 * i));
    }
  }

  @Test
  void randomFramesMeetEveryCase() {
    int matching = 0;
    int inGre = 0;
    for (int seed = 0; seed < 200; seed++) {
      Frames frames = new Frames(seed);
      FrameMatch match = frames.match();
      byte[] frame = frames.frame(match);
      boolean matches = FrameModel.matches(frame, match);
      matching += matches ? 1 : 0;
      inGre += matches && frame[23] == 47 ? 1 : 0;
    }
    assertTrue(matching > 50 && matching < 150 && inGre > 5, matching + " match, " + inGre);
  }

  @Test
  void theKernelDecidesAsTheModel() {
    Rights.assumeBpf();
    for (int seed = 0; seed < 60; seed++) {
      Frames frames = new Frames(seed);
      FrameMatch match = frames.match();
      try (TestRunJudge judge = TestRunJudge.load(RedirectProgram.of(match, 0))) {
        for (int i = 0; i < 100; i++) {
          byte[] frame = frames.frame(match);
          int expected = FrameModel.matches(frame, match) ? Interpreter.REDIRECT : Interpreter.PASS;
          int verdict = judge.judge(MemorySegment.ofArray(frame), 1).code();
          assertEquals(expected, verdict, () -> shown(frame, match));
        }
      }
    }
  }

  private static String shown(byte[] frame, FrameMatch match) {
    return match + " and " + HexFormat.of().formatHex(frame);
  }
}
