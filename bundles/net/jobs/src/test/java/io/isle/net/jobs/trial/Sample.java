package io.isle.net.jobs.trial;

import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.packet.capture.PcapWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;

/** The capture of {@code examples/drops}: a frame of each outcome, by its name. */
final class Sample {
  private static final int SOURCE = 198 << 24 | 18 << 16 | 2;
  private static final int HERE = 198 << 24 | 18 << 16 | 1;
  private static final int PORT = 9000;

  private Sample() {}

  /** The frames by outcome, for port 9000, address 198.18.0.1 and checked checksums. */
  static Map<String, byte[]> frames() {
    Map<String, byte[]> frames = new LinkedHashMap<>();
    frames.put("app", datagram(SOURCE, HERE, PORT));
    frames.put("app with options", options());
    frames.put("kernel: another port", datagram(SOURCE, HERE, 53));
    frames.put("kernel: another address", datagram(SOURCE, HERE + 2, PORT));
    byte[] arp = datagram(SOURCE, HERE, PORT);
    Ethernet.write(MemorySegment.ofArray(arp), 0, Ethernet.BROADCAST, 2, Ethernet.TYPE_ARP);
    frames.put("kernel: ARP", arp);
    frames.put("fragment", changed(20, 0x20));
    frames.put("multicast_source", datagram(224 << 24 | 1, HERE, PORT));
    frames.put("bad_udp_length", changed(39, 200));
    frames.put("checksum", changed(41, 1));
    frames.put("not_ipv4", changed(14, 0x65));
    return frames;
  }

  private static byte[] datagram(int source, int destination, int port) {
    byte[] bytes = new byte[60];
    int ignored =
        UdpFrame.write(MemorySegment.ofArray(bytes), 0, source, 4000, destination, port, 18);
    return bytes;
  }

  private static byte[] changed(int at, int value) {
    byte[] bytes = datagram(SOURCE, HERE, PORT);
    bytes[at] = (byte) value;
    return bytes;
  }

  /** Four bytes of options between the headers. */
  private static byte[] options() {
    byte[] bytes = new byte[64];
    MemorySegment frame = MemorySegment.ofArray(bytes);
    Ethernet.write(frame, 0, 1, 2, Ethernet.TYPE_IPV4);
    Ipv4.write(frame, 14, 50, 0, Ipv4.PROTOCOL_UDP, SOURCE, HERE);
    frame.set(ValueLayout.JAVA_BYTE, 14, (byte) 0x46);
    Ipv4.seal(frame, 14);
    Udp.write(frame, 38, 4000, PORT, 26);
    return bytes;
  }

  /** The file: a millisecond between frames. */
  static byte[] file() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PcapWriter writer = new PcapWriter(bytes, LinkType.ETHERNET, 65_535)) {
      long timeNs = 1_700_000_000_000_000_000L;
      for (byte[] frame : frames().values()) {
        writer.write(timeNs += 1_000_000, MemorySegment.ofArray(frame), 0, frame.length);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
