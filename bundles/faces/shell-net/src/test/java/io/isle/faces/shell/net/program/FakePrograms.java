package io.isle.faces.shell.net.program;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameJudge;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.FramePrograms;
import io.isle.api.net.FrameVerdict;
import io.isle.api.net.NetException;
import io.isle.api.net.ProgramLine;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Programs of two instructions, whose verdict is the frame's first byte. */
final class FakePrograms implements FramePrograms {
  FrameMatch match;
  byte[] loaded;
  int repeat;
  int open;

  @Override
  public byte[] program(FrameMatch wanted, int map) {
    match = wanted;
    byte[] program = new byte[16];
    program[0] = (byte) map;
    return program;
  }

  @Override
  public List<ProgramLine> listing(byte[] program) {
    return List.of(new ProgramLine(0, "0" + program[0], "one"), new ProgramLine(1, "00", "two"));
  }

  @Override
  public FrameJudge load(byte[] program) {
    if (program.length % 8 != 0) {
      throw new NetException(Errno.EINVAL, "program: a wrong size");
    }
    loaded = program;
    open++;
    return new FrameJudge() {
      @Override
      public FrameVerdict judge(MemorySegment frame, int runs) {
        repeat = runs;
        return new FrameVerdict(frame.get(ValueLayout.JAVA_BYTE, 0), 42);
      }

      @Override
      public void close() {
        open--;
      }
    };
  }
}
