package io.isle.net.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.lib.packet.UdpFrame;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.Direction;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.packet.capture.PcapngWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class CaptureCheckTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PcapngWriter file = new PcapngWriter(bytes, "isle", 65535);

  CaptureCheckTest() throws IOException {
    file.addInterface("n", LinkType.ETHERNET);
  }

  private void frame(long number, Direction direction, String comment) throws IOException {
    MemorySegment frame = MemorySegment.ofArray(new byte[UdpFrame.MIN_BYTES + Long.BYTES]);
    frame.set(
        ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN),
        UdpFrame.MIN_BYTES,
        number);
    int length = (int) frame.byteSize();
    file.write(0, 1, frame, 0, length, length, new PcapngWriter.Facts(direction, 0, 0, comment));
  }

  private CaptureCheck check(long datagrams) throws IOException {
    file.close();
    try (CaptureReader reader =
        CaptureReader.open(new ByteArrayInputStream(bytes.toByteArray()), "x")) {
      return CaptureCheck.read(reader, datagrams);
    }
  }

  @Test
  void eachNumberIsThereOnceInEachDirection() throws IOException {
    for (int i = 0; i < 3; i++) {
      frame(i, Direction.INBOUND, "");
      frame(i, Direction.OUTBOUND, "");
    }
    CaptureCheck check = check(3);
    assertEquals(new CaptureCheck(6, 0, 0, 0), check);
    assertEquals("captured 6 frames, each once in each direction", check.text());
  }

  @Test
  void otherFramesAreToldApart() throws IOException {
    frame(0, Direction.INBOUND, "");
    frame(0, Direction.INBOUND, "");
    frame(0, Direction.OUTBOUND, "no_route");
    frame(7, Direction.OUTBOUND, "");
    frame(1, Direction.UNKNOWN, "");
    MemorySegment small = MemorySegment.ofArray(new byte[14]);
    file.write(0, 1, small, 0, 14, 14, new PcapngWriter.Facts(Direction.INBOUND, 0, 0, ""));
    CaptureCheck check = check(2);
    assertEquals(new CaptureCheck(6, 3, 1, 4), check);
    assertEquals("captured 6 frames: 3 missing, 1 again, 4 others", check.text());
  }
}
