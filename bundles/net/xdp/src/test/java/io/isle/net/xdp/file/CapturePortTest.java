package io.isle.net.xdp.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetException;
import io.isle.lib.packet.NetSig;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.Direction;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.packet.capture.PcapWriter;
import io.isle.lib.packet.capture.PcapngWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapturePortTest extends FramePortContract {
  @TempDir private Path folder;

  private Path in() {
    return folder.resolve("in.pcap");
  }

  private Path out() {
    return folder.resolve("out.pcapng");
  }

  @Override
  protected FramePort open(List<byte[]> arriving) throws IOException {
    try (PcapWriter writer =
        new PcapWriter(Files.newOutputStream(in()), LinkType.ETHERNET, 65535)) {
      for (byte[] frame : arriving) {
        writer.write(0, MemorySegment.ofArray(frame), 0, frame.length);
      }
    }
    return CapturePort.open(in(), out(), MTU, () -> 1234);
  }

  @Override
  protected List<byte[]> sent() throws IOException {
    List<byte[]> frames = new ArrayList<>();
    try (CaptureReader reader = CaptureReader.open(Files.newInputStream(out()), "out")) {
      while (reader.next()) {
        assertEquals(1234, reader.timeNs());
        assertEquals(Direction.OUTBOUND, reader.direction());
        frames.add(reader.memory().asSlice(0, reader.length()).toArray(ValueLayout.JAVA_BYTE));
      }
    }
    return frames;
  }

  @Test
  void datagramsHaveTheirSignature() throws IOException {
    MemorySegment frame = MemorySegment.ofArray(new byte[60]);
    int length = UdpFrame.write(frame, 0, 0x0A000001, 77, 0x0A000002, 9, 5);
    byte[] datagram = frame.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    List<Long> signatures = new ArrayList<>();
    try (FramePort port = open(List.of(datagram, new byte[60]))) {
      assertEquals(2, port.poll((memory, at, size, signature) -> signatures.add(signature), 9));
    }
    assertEquals(List.of(NetSig.of(0x0A000001, 0x0A000001, 77, 0, 42), 0L), signatures);
  }

  @Test
  void framesThatDoNotFitAreCounted() throws IOException {
    MemorySegment frame = MemorySegment.ofArray(new byte[3000]);
    try (PcapngWriter writer =
        new PcapngWriter(new BufferedOutputStream(Files.newOutputStream(in())), "test", 65535)) {
      int other = writer.addInterface("ip", 101);
      int ethernet = writer.addInterface("va", LinkType.ETHERNET);
      writer.write(other, 0, frame, 0, 60);
      writer.write(ethernet, 0, frame, 0, 13);
      writer.write(ethernet, 0, frame, 0, MTU + 1);
      writer.write(ethernet, 0, frame, 0, 60);
    }
    try (CapturePort port = CapturePort.open(in(), null, MTU, () -> 0)) {
      assertEquals(1, port.poll((memory, at, size, signature) -> assertEquals(60, size), 9));
      assertEquals(3, port.skipped());
      assertTrue(port.claim(20) >= 0);
      assertEquals(0, port.publish(20, 0));
      assertEquals(0, port.flush());
    }
  }

  @Test
  void aBrokenFileEndsThePortBehindItsFrames() throws IOException {
    open(List.of(new byte[60], new byte[60])).close();
    byte[] bytes = Files.readAllBytes(in());
    Files.write(in(), Arrays.copyOf(bytes, bytes.length - 1));
    try (CapturePort port = CapturePort.open(in(), out(), MTU, () -> 0)) {
      assertEquals(1, port.poll((memory, at, size, signature) -> {}, 9));
      assertEquals(-Errno.ECLOSED, port.poll((memory, at, size, signature) -> {}, 9));
      assertEquals(-Errno.ECLOSED, port.flush());
      assertTrue(port.failure().contains("record 2 at offset 100: the file ends"), port.failure());
    }
  }

  @Test
  void filesThatCannotBeOpenedAreNamed() throws IOException {
    NetException none =
        assertThrows(
            NetException.class, () -> CapturePort.open(folder.resolve("no"), null, MTU, () -> 0));
    assertTrue(none.getMessage().contains("no"), none.getMessage());
    open(List.of()).close();
    Path nowhere = folder.resolve("nowhere").resolve("out");
    assertThrows(NetException.class, () -> CapturePort.open(in(), nowhere, MTU, () -> 0));
    assertThrows(NetException.class, () -> CapturePort.open(in(), null, 13, () -> 0));
  }

  @Test
  void framesPassWithoutAllocation() throws IOException {
    int count = 20_000;
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      frames.add(new byte[60]);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (FramePort port = open(frames)) {
      long total = 0;
      long before = 0;
      while (total < count) {
        before = total == count / 2 ? threads.getCurrentThreadAllocatedBytes() : before;
        total +=
            port.poll(
                (memory, offset, length, signature) -> {
                  MemorySegment.copy(memory, offset, port.memory(), port.claim(length), length);
                  int ignored = port.publish(length, signature);
                },
                100);
      }
      long bytes = threads.getCurrentThreadAllocatedBytes() - before;
      // a call of poll makes its handler, and readers of files have buffers
      assertTrue(bytes < 2 * (count / 2), () -> bytes + " B for " + count / 2 + " frames");
    }
  }
}
