package io.isle.net.ports.udp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortCounters;
import io.isle.api.net.port.PortOptions;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.packet.Drop;
import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import io.isle.net.ports.testing.Frames;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class UdpPortTest {
  private static final int LOCALHOST = 0x7F000001;
  private static final PortOptions OPTIONS = new PortOptions(1000, 64);

  private final UdpPorts ports = new UdpPorts();
  private OpenPort port;
  private DatagramSocket peer;
  private int number;

  @BeforeEach
  void open() throws IOException {
    port = ports.open("127.0.0.1:0", OPTIONS);
    number = Integer.parseInt(port.address().substring("udp:127.0.0.1:".length()));
    peer = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    peer.setSoTimeout(20_000);
  }

  @AfterEach
  void close() {
    port.close();
    peer.close();
  }

  private void sendToPort(byte[] payload) throws IOException {
    peer.send(
        new DatagramPacket(payload, payload.length, InetAddress.getLoopbackAddress(), number));
  }

  private byte[] receive() throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
    peer.receive(packet);
    assertEquals(number, packet.getPort());
    return Arrays.copyOf(packet.getData(), packet.getLength());
  }

  /** A frame to the peer. */
  private byte[] frame(byte[] payload) {
    byte[] frame = new byte[DatagramHeaders.BYTES + payload.length];
    System.arraycopy(payload, 0, frame, DatagramHeaders.BYTES, payload.length);
    int ignored =
        DatagramHeaders.write(
            MemorySegment.ofArray(frame),
            0,
            0x0A000001,
            7,
            LOCALHOST,
            peer.getLocalPort(),
            payload.length);
    return frame;
  }

  @Test
  void aDatagramArrivesWithHeaders() throws IOException {
    byte[] payload = Frames.counting(77, 5);
    sendToPort(payload);
    byte[] frame = Frames.next(port);
    MemorySegment memory = MemorySegment.ofArray(frame);
    assertEquals(Drop.NONE, UdpFrame.check(memory, 0, frame.length, true));
    long ip = UdpFrame.ip(0);
    long udp = UdpFrame.udp(memory, 0);
    assertEquals(LOCALHOST, Ipv4.source(memory, ip));
    assertEquals(LOCALHOST, Ipv4.destination(memory, ip));
    assertEquals(peer.getLocalPort(), Udp.sourcePort(memory, udp));
    assertEquals(number, Udp.destinationPort(memory, udp));
    assertEquals(0x02007F000001L, Ethernet.source(memory, 0));
    assertArrayEquals(payload, Arrays.copyOfRange(frame, 42, frame.length));
    assertEquals(new PortCounters(1, 0, 0, 0), port.counters());
  }

  @Test
  void anEmptyDatagramIsAFrameToo() throws IOException {
    sendToPort(new byte[0]);
    assertEquals(42, Frames.next(port).length);
  }

  @Test
  void datagramsComeInTheirOrderUpToTheLimit() throws IOException {
    for (int i = 0; i < 40; i++) {
      sendToPort(new byte[] {(byte) i});
    }
    Frames.Kept kept = new Frames.Kept();
    // loopback delivers before the send returns
    assertEquals(3, port.poll(kept, 3));
    assertEquals(20, port.pollInPlace(kept, 20));
    assertEquals(17, port.poll(kept, 100));
    assertEquals(0, port.poll(kept, 100));
    assertEquals(20, kept.valid);
    for (int i = 0; i < 40; i++) {
      assertEquals(i, kept.frames.get(i)[42]);
    }
  }

  @Test
  void aDatagramThatIsTooLargeIsCounted() throws IOException {
    sendToPort(new byte[959]);
    sendToPort(new byte[958]);
    assertEquals(1000, Frames.next(port).length);
    assertEquals(new PortCounters(1, 0, 1, 0), port.counters());
  }

  @Test
  void datagramsWithoutRoomAreCounted() throws IOException {
    // the room is a wish: far more than the machine can have granted
    int sent = 0;
    while (port.overruns() == 0) {
      sendToPort(new byte[900]);
      sent++;
    }
    Frames.Kept kept = new Frames.Kept();
    assertEquals(sent - 1, port.poll(kept, sent));
    assertEquals(new PortCounters(sent - 1L, 0, 1, 0), port.counters());
    port.close();
    assertEquals(1, port.overruns(), "after the end");
  }

  @Test
  void aFrameLeavesAsADatagramFromThePort() throws IOException {
    Frames.send(port, frame(new byte[] {1, 2, 3}));
    assertArrayEquals(new byte[] {1, 2, 3}, receive());
    Frames.send(port, frame(Frames.counting(958, 1)));
    assertArrayEquals(Frames.counting(958, 1), receive());
    assertEquals(new PortCounters(0, 2, 0, 0), port.counters());
  }

  @Test
  void aFrameIsAsLongAsUdpSays() throws IOException {
    byte[] padded = Arrays.copyOf(frame(new byte[] {1, 2, 3}), 60);
    Frames.send(port, padded);
    assertArrayEquals(new byte[] {1, 2, 3}, receive());
  }

  @Test
  void framesThatAreNoDatagramsAreCounted() throws IOException {
    byte[] good = frame(new byte[] {9});
    byte[] arp = good.clone();
    arp[13] = 6;
    byte[] icmp = good.clone();
    icmp[14 + 9] = 1;
    byte[] fragment = good.clone();
    fragment[14 + 6] = 0x20;
    byte[] tooLong = good.clone();
    tooLong[14 + 20 + 5] = 40;
    byte[] nowhere = good.clone();
    nowhere[36] = 0;
    nowhere[37] = 0;
    for (byte[] bad : new byte[][] {arp, icmp, fragment, tooLong, nowhere, new byte[14]}) {
      Frames.send(port, bad);
    }
    Frames.send(port, good);
    assertArrayEquals(new byte[] {9}, receive());
    assertEquals(new PortCounters(0, 1, 0, 6), port.counters());
  }

  @Test
  void wrongLengthsHaveTheirCode() {
    assertEquals(1000, port.mtu());
    assertEquals(-Errno.EMSGSIZE, port.claim(13));
    assertEquals(-Errno.EMSGSIZE, port.claim(1001));
    assertEquals(-Errno.EINVAL, port.publish(20, 0));
    assertEquals(0, port.claim(20));
    assertEquals(-Errno.EINVAL, port.publish(21, 0));
    assertEquals(-Errno.EINVAL, port.publish(13, 0));
    assertEquals(0, port.publish(20, 0));
    assertEquals(-Errno.EINVAL, port.publish(20, 0));
  }

  @Test
  void aHandlerMayCloseThePort() throws IOException {
    sendToPort(new byte[1]);
    sendToPort(new byte[1]);
    int polled =
        port.poll(
            (memory, offset, length, signature) -> {
              port.close();
              assertEquals(-Errno.ECLOSED, port.claim(14));
            },
            1);
    assertEquals(1, polled);
    assertEquals(-Errno.ECLOSED, port.poll(new Frames.Kept(), 1));
    // its address is free again
    ports.open("127.0.0.1:" + number, OPTIONS).close();
  }

  @Test
  void aTakenAddressIsNamedAndCanBeTriedAgain() {
    NetException taken =
        assertThrows(NetException.class, () -> ports.open("127.0.0.1:" + number, OPTIONS));
    assertEquals(SocketErrors.EADDRINUSE, taken.code());
    assertEquals("udp:127.0.0.1:" + number + ": bind: Address already in use", taken.getMessage());
    port.close();
    ports.open("127.0.0.1:" + number, OPTIONS).close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x | udp:x: not ADDRESS:PORT with a port from 0 to 65535",
        "127.0.0.1 | udp:127.0.0.1: not ADDRESS:PORT with a port from 0 to 65535",
        "127.0.0.1: | udp:127.0.0.1:: not ADDRESS:PORT with a port from 0 to 65535",
        "127.0.0.1:65536 | udp:127.0.0.1:65536: port 65536 is not within 0 to 65535",
        "localhost:1 | udp:localhost:1: 'localhost' is not an IPv4 address A.B.C.D",
        "[::1]:1 | udp:[::1]:1: '[::1]' is not an IPv4 address A.B.C.D",
        "0.0.0.0:1 | udp:0.0.0.0:1: frames need the address of one interface",
        "224.0.0.1:1 | udp:224.0.0.1:1: frames need the address of one interface"
      })
  void anAddressThatIsWrongIsNamed(String address, String message) {
    NetException wrong = assertThrows(NetException.class, () -> ports.open(address, OPTIONS));
    assertEquals(Errno.EINVAL, wrong.code());
    assertEquals(message, wrong.getMessage());
  }

  @Test
  void anAddressOfAnotherMachineIsRefusedByTheKernel() {
    NetException other = assertThrows(NetException.class, () -> ports.open("192.0.2.1:9", OPTIONS));
    assertEquals(SocketErrors.EADDRNOTAVAIL, other.code());
    assertTrue(other.getMessage().startsWith("udp:192.0.2.1:9: bind: "), other.getMessage());
  }
}
