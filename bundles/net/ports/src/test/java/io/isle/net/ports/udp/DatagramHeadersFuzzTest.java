package io.isle.net.ports.udp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.lib.packet.Drop;
import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any datagram from anywhere becomes a frame that every check passes. */
class DatagramHeadersFuzzTest {
  private static final int LEAD = 12;

  static Stream<byte[]> seeds() {
    byte[] odd = new byte[LEAD + 1473];
    Arrays.fill(odd, (byte) 0xFF);
    odd[0] = 0x7F;
    odd[6] = 0x0A;
    return Stream.of(odd, new byte[LEAD], new byte[LEAD + 18], odd.clone());
  }

  @MethodSource("seeds")
  @FuzzTest
  void theFrameIsRight(byte[] bytes) {
    if (bytes.length < LEAD || bytes.length - LEAD > 65_507) {
      return;
    }
    MemorySegment input = MemorySegment.ofArray(bytes);
    // no kernel delivers from an address of a group
    int source = Ipv4.source(input, -12) & 0x7FFF_FFFF;
    int destination = Ipv4.source(input, -6);
    int sourcePort = Udp.sourcePort(input, 4);
    int destinationPort = Udp.sourcePort(input, 10);
    byte[] payload = Arrays.copyOfRange(bytes, LEAD, bytes.length);
    // neither bytes before nor behind the frame are touched
    byte[] room = new byte[3 + DatagramHeaders.BYTES + payload.length];
    MemorySegment memory = MemorySegment.ofArray(room);
    System.arraycopy(payload, 0, room, 3 + DatagramHeaders.BYTES, payload.length);
    int length =
        DatagramHeaders.write(
            memory, 3, source, sourcePort, destination, destinationPort, payload.length);
    assertEquals(room.length - 3, length);
    assertEquals(Drop.NONE, UdpFrame.check(memory, 3, length, true));
    long ip = UdpFrame.ip(3);
    long udp = UdpFrame.udp(memory, 3);
    assertTrue(Ipv4.isSealed(memory, ip));
    assertNotEquals(0, Udp.checksum(memory, udp));
    assertEquals(source, Ipv4.source(memory, ip));
    assertEquals(destination, Ipv4.destination(memory, ip));
    assertEquals(length - Ethernet.HEADER_BYTES, Ipv4.totalLength(memory, ip));
    assertEquals(sourcePort, Udp.sourcePort(memory, udp));
    assertEquals(destinationPort, Udp.destinationPort(memory, udp));
    assertEquals(DatagramHeaders.station(source), Ethernet.source(memory, 3));
    assertEquals(DatagramHeaders.station(destination), Ethernet.destination(memory, 3));
    assertEquals(payload.length, UdpFrame.payloadBytes(memory, 3));
    assertArrayEquals(payload, Arrays.copyOfRange(room, 3 + DatagramHeaders.BYTES, room.length));
    assertArrayEquals(new byte[3], Arrays.copyOf(room, 3));
  }
}
