package io.isle.fabric.ring.isle;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.lib.leap.isle.Ack;
import io.isle.lib.leap.isle.Goodbye;
import io.isle.lib.leap.isle.Heartbeat;
import io.isle.lib.leap.isle.IsleFrame;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** A neighbour that sends any frames, and any bytes, by a stream: the real one goes on. */
class StreamFuzzTest {
  static Stream<byte[]> seeds() {
    byte[] beat = new byte[Heartbeat.BYTES];
    Heartbeat.link(MemorySegment.ofArray(beat), 0, 3, 0, 1, 1, 8);
    Heartbeat.node(MemorySegment.ofArray(beat), 0, 1, 2, 9, 1, 2, false);
    byte[] ack = new byte[Ack.BYTES];
    Ack.write(MemorySegment.ofArray(ack), 0, 0, 1, 1, 8);
    byte[] bye = new byte[Goodbye.BYTES];
    new Goodbye(Goodbye.Reason.LEAVING, 3).write(MemorySegment.ofArray(bye), 0);
    byte[] any = new byte[600];
    new Random(1).nextBytes(any);
    return Stream.of(
        script(
            HostileNeighbour.step(IsleFrame.DATA, 1, new byte[End.BYTES]),
            HostileNeighbour.step(IsleFrame.DATA, 2, new byte[End.BYTES]),
            HostileNeighbour.step(IsleFrame.HEARTBEAT, 0, beat),
            HostileNeighbour.step(IsleFrame.ACK, 0, ack),
            HostileNeighbour.step(IsleFrame.GOODBYE, 0, bye)),
        script(
            HostileNeighbour.step(IsleFrame.HELLO, 0, HostileNeighbour.hello(78)),
            HostileNeighbour.step(IsleFrame.REFUSAL, 0, "no".getBytes(StandardCharsets.UTF_8))),
        any);
  }

  static byte[] script(byte[]... steps) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] step : steps) {
      all.writeBytes(step);
    }
    return all.toByteArray();
  }

  @MethodSource("seeds")
  @FuzzTest
  void theRealNeighbourGoesOn(byte[] script) {
    FakeLine line = new FakeLine(1);
    try (HostileNeighbour hostile = new HostileNeighbour(line, line::inject)) {
      hostile.follow(script);
      hostile.theRealOneGoesOn();
    }
  }
}
