package io.isle.net.ports.pcap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortCounters;
import io.isle.api.net.port.PortOptions;
import io.isle.lib.packet.capture.PcapWriter;
import io.isle.net.ports.testing.Frames;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapPortTest {
  private static final PortOptions OPTIONS = new PortOptions(100, 8);
  private static final int RAW_IP = 101;

  @TempDir Path folder;
  private final PcapPorts ports = new PcapPorts();

  private Path file(byte[]... frames) throws IOException {
    Path file = folder.resolve("x.pcap");
    try (PcapWriter writer = new PcapWriter(Files.newOutputStream(file), RAW_IP, 1000)) {
      for (byte[] frame : frames) {
        writer.write(0, MemorySegment.ofArray(frame), 0, frame.length);
      }
    }
    return file;
  }

  private OpenPort open(Object file) {
    return ports.open(file.toString(), OPTIONS);
  }

  private NetException refused(int code, Object file) {
    NetException refused = assertThrows(NetException.class, () -> open(file));
    assertEquals(code, refused.code(), refused.getMessage());
    return refused;
  }

  @Test
  void framesOfAnyLinkComeAsTheyAreThenThePortEnds() throws IOException {
    Frames.Kept kept = new Frames.Kept();
    Path file = file(Frames.counting(1, 1), Frames.counting(100, 2), Frames.counting(60, 3));
    try (OpenPort port = open(file)) {
      assertEquals("pcap:" + file, port.address());
      assertEquals(-1, port.descriptor());
      assertEquals(2, port.poll(kept, 2));
      assertEquals(1, port.pollInPlace(kept, 2));
      assertEquals(-Errno.ECLOSED, port.poll(kept, 2));
      assertEquals("", port.failure());
      assertEquals(1, kept.valid);
      assertEquals(3, kept.frames.size());
      assertArrayEquals(Frames.counting(1, 1), kept.frames.get(0));
      assertArrayEquals(Frames.counting(100, 2), kept.frames.get(1));
      assertArrayEquals(Frames.counting(60, 3), kept.frames.get(2));
      assertEquals(new PortCounters(3, 0, 0, 0), port.counters());
    }
  }

  @Test
  void framesThatAreTooLargeOrEmptyAreCounted() throws IOException {
    Frames.Kept kept = new Frames.Kept();
    try (OpenPort port = open(file(new byte[101], new byte[0], Frames.counting(14, 1)))) {
      assertEquals(0, port.poll(kept, 2), "the limit counts frames that are looked at");
      assertEquals(1, port.poll(kept, 2));
      assertEquals(new PortCounters(1, 0, 2, 0), port.counters());
    }
  }

  @Test
  void aBrokenFileEndsThePortWithAReason() throws IOException {
    Path file = file(Frames.counting(60, 1), Frames.counting(60, 2));
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    Frames.Kept kept = new Frames.Kept();
    try (OpenPort port = open(file)) {
      assertEquals(1, port.poll(kept, 9));
      assertEquals(-Errno.ECLOSED, port.poll(kept, 9));
      assertTrue(port.failure().startsWith("pcap:" + file + ": "), port.failure());
      assertTrue(port.failure().endsWith("1 bytes too early"), port.failure());
    }
  }

  @Test
  void nothingCanBeSent() throws IOException {
    try (OpenPort port = open(file())) {
      assertEquals(0, port.mtu());
      assertEquals(-Errno.EMSGSIZE, port.claim(14));
      assertEquals(-Errno.EINVAL, port.publish(14, 0));
      assertEquals(0, port.flush());
    }
  }

  @Test
  void aFileThatCannotBeReadIsNamed() throws IOException {
    Path none = folder.resolve("none.pcap");
    assertEquals("pcap:" + none + ": no such file", refused(Errno.ENOENT, none).getMessage());
    assertTrue(refused(Errno.EIO, folder).getMessage().endsWith("no regular file"));
    refused(Errno.EINVAL, "a\0b");
    Path text = Files.writeString(folder.resolve("t"), "no capture at all");
    assertEquals(
        "pcap:" + text + ": the file begins neither as pcap nor as pcapng",
        refused(Errno.EIO, text).getMessage());
  }

  @Test
  void aClosedPortSaysSo() throws IOException {
    OpenPort port = open(file(Frames.counting(60, 1)));
    port.close();
    port.close();
    assertEquals(-Errno.ECLOSED, port.poll(new Frames.Kept(), 1));
    assertEquals(-Errno.ECLOSED, port.claim(14));
    assertEquals(-Errno.ECLOSED, port.publish(14, 0));
    assertEquals(-Errno.ECLOSED, port.flush());
    assertEquals("", port.failure());
  }

  @Test
  void portsEndWithTheirScheme() throws IOException {
    Path file = file(Frames.counting(60, 1));
    OpenPort port = open(file);
    OpenPort closed = open(file);
    closed.close();
    ports.deactivate();
    assertEquals(-Errno.ECLOSED, port.poll(new Frames.Kept(), 1));
    assertEquals("the bundle of the port has ended", port.failure());
    assertEquals("", closed.failure());
    refused(Errno.ECLOSED, file);
  }
}
