package io.isle.net.xdp.bpf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.Sockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Maps, programs and links of the kernel; skipped where the process has no rights. */
class KernelProgramTest {
  private static final FrameMatch MATCH = new FrameMatch(List.of(9000), OptionalInt.empty(), false);

  private final Sockets sockets = new Sockets();

  @BeforeEach
  void mayUseBpf() {
    Rights.assumeBpf();
  }

  /** A frame to port 9000. */
  private static MemorySegment frame(Arena arena) {
    byte[] bytes = new byte[60];
    bytes[12] = 8;
    bytes[14] = 0x45;
    bytes[23] = 17;
    bytes[36] = 9000 >>> 8;
    bytes[37] = (byte) 9000;
    return arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
  }

  @Test
  void aMatchIsCountedUntilTheQueueHasASocket() {
    int socket = sockets.socket(44, 3);
    try (Arena arena = Arena.ofConfined();
        XskMap map = new XskMap(2);
        MissCounters misses = new MissCounters(2);
        XdpProgram program =
            XdpProgram.load(
                RedirectProgram.counting(
                    MATCH, map.descriptor(), misses.descriptor(), misses.entries()))) {
      MemorySegment frame = frame(arena);
      assertEquals("PASS", program.judge(frame, 5).text());
      assertEquals(5, misses.count(0));
      assertEquals(0, misses.count(1));
      map.put(0, socket);
      assertEquals("REDIRECT", program.judge(frame, 1).text());
      assertEquals(5, misses.count(0));
      map.remove(0);
      map.remove(0);
      assertEquals("PASS", program.judge(frame, 1).text());
      assertEquals(6, misses.count(0));
    } finally {
      assertEquals(0, sockets.close(socket));
    }
  }

  @Test
  void theLargestMatchFitsIntoAProgram() {
    List<Integer> ports = IntStream.rangeClosed(65520, 65535).boxed().toList();
    FrameMatch match = new FrameMatch(ports, OptionalInt.of(-1), true);
    try (XskMap map = new XskMap(1);
        MissCounters misses = new MissCounters(64);
        XdpProgram program =
            XdpProgram.load(
                RedirectProgram.counting(match, map.descriptor(), misses.descriptor(), 64))) {
      assertTrue(program.descriptor() > 0);
    }
  }

  @Test
  void aRefusedProgramHasTheLogOfTheVerifier() {
    long[] wild =
        new Assembler()
            .load(Op.W, Register.R2, Register.R1, 0)
            .load(Op.B, Register.R0, Register.R2, 100)
            .exit()
            .assemble();
    NetException e = assertThrows(NetException.class, () -> XdpProgram.load(wild));
    assertEquals(Errno.EACCES, e.code());
    assertTrue(e.getMessage().contains("verifier says:"), e.getMessage());
    assertTrue(e.getMessage().contains("invalid access to packet"), e.getMessage());
  }

  @Test
  void wrongObjectsAreNamed() {
    try (XskMap map = new XskMap(1)) {
      int udp = sockets.socket(Sockets.AF_INET, Sockets.SOCK_DGRAM);
      NetException other = assertThrows(NetException.class, () -> map.put(0, udp));
      assertTrue(other.getMessage().contains("socket of queue 0"), other.getMessage());
      assertEquals(0, sockets.close(udp));
      assertThrows(NetException.class, () -> map.put(5, udp));
    }
    try (XdpProgram program =
        XdpProgram.load(new Assembler().move(Register.R0, 2).exit().assemble())) {
      NetException none =
          assertThrows(
              NetException.class,
              () -> XdpLink.attach(program, Integer.MAX_VALUE, XdpLink.Mode.SKB));
      assertTrue(none.getMessage().contains("interface 2147483647"), none.getMessage());
    }
  }
}
