package io.isle.net.ports.packet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.LabSide;
import io.isle.api.net.NetException;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortCounters;
import io.isle.api.net.port.PortOptions;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketIo;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.SocketOptions;
import io.isle.lib.packet.Drop;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import io.isle.net.ports.testing.Frames;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PacketPortTest {
  private static final PortOptions OPTIONS = PortOptions.DEFAULT;

  private final PacketPorts ports = new PacketPorts();
  private final Frames.Kept kept = new Frames.Kept();
  private Cable cable;
  private OpenPort a;
  private OpenPort b;

  @BeforeEach
  void open() {
    cable = new Cable();
    a = open(cable.a);
    b = open(cable.b);
  }

  @AfterEach
  void close() {
    if (cable != null) {
      ports.deactivate();
      cable.close();
    }
  }

  private OpenPort open(LabSide side) {
    return ports.open(Cable.place(side), OPTIONS);
  }

  private NetException refused(int code, String place) {
    NetException refused = assertThrows(NetException.class, () -> ports.open(place, OPTIONS));
    assertEquals(code, refused.code(), refused.getMessage());
    return refused;
  }

  /** Of a type that no protocol of the kernel takes. */
  private static byte[] frame(int length, int mark) {
    byte[] frame = Frames.counting(length, mark);
    frame[12] = (byte) 0x88;
    frame[13] = (byte) 0xB5;
    return frame;
  }

  @Test
  void framesArriveForWhomeverTheyAre() {
    for (int length : new int[] {14, 60, 1514}) {
      Frames.send(a, frame(length, length));
      assertArrayEquals(frame(length, length), Frames.next(b));
    }
    assertEquals(new PortCounters(0, 3, 0, 0), a.counters(), "its own are not seen");
    assertEquals(new PortCounters(3, 0, 0, 0), b.counters());
    assertEquals("packet:" + Cable.place(cable.a), a.address());
  }

  @Test
  void framesComeInTheirOrderUpToTheLimit() {
    for (int i = 0; i < 40; i++) {
      Frames.send(a, frame(60, i));
    }
    Frames.until(() -> kept.frames.size() == 3 || b.poll(kept, 3 - kept.frames.size()) < 0);
    Frames.until(() -> kept.frames.size() == 40 || b.pollInPlace(kept, 100) < 0);
    for (int i = 0; i < 40; i++) {
      assertArrayEquals(frame(60, i), kept.frames.get(i));
    }
    assertEquals(37, kept.valid);
    assertEquals(0, b.poll(kept, 1));
  }

  @Test
  void checksumsThatTheKernelLeavesToADeviceAreFinished() {
    int socket = cable.socket(cable.spaceA, Cable.HOST_A, 7000);
    sendFrom(socket, 999, 0);
    byte[] bytes = Frames.next(b);
    MemorySegment frame = MemorySegment.ofArray(bytes);
    assertEquals(14 + 20 + 8 + 999, bytes.length);
    assertEquals(Drop.NONE, UdpFrame.check(frame, 0, bytes.length, true));
    assertTrue(Udp.checksum(frame, UdpFrame.udp(frame, 0)) != 0);
    cable.close(socket);
  }

  @Test
  void framesToBeCutAreCounted() {
    int socket = cable.socket(cable.spaceA, Cable.HOST_A, 7000);
    // one frame of three datagrams, as the pair of interfaces takes it
    sendFrom(socket, 1200, 400);
    sendFrom(socket, 10, 0);
    assertEquals(52, Frames.next(b).length);
    assertEquals(new PortCounters(1, 0, 1, 0), b.counters());
    cable.close(socket);
  }

  private static void sendFrom(int socket, int bytes, int segment) {
    SockAddr to = new SockAddr();
    to.ipv4(Cable.HOST_B, 7001);
    assertEquals(0, new SocketOptions().set(socket, SocketOption.UDP_SEGMENT, segment));
    MemorySegment payload = Arena.ofAuto().allocate(bytes);
    payload.fill((byte) 0x5A);
    assertEquals(bytes, new SocketIo().sendTo(socket, payload, 0, bytes, 0, to));
  }

  @Test
  void aTagOfAVirtualNetworkStaysInTheFrame() {
    byte[] tagged = frame(64, 3);
    System.arraycopy(new byte[] {(byte) 0x81, 0, 0x20, 7}, 0, tagged, 12, 4);
    Frames.send(a, tagged);
    assertArrayEquals(tagged, Frames.next(b));
    byte[] provider = tagged.clone();
    provider[12] = (byte) 0x88;
    provider[13] = (byte) 0xA8;
    Frames.send(a, provider);
    assertArrayEquals(provider, Frames.next(b));
  }

  @Test
  void framesThatAreTooLargeAreCounted() {
    try (OpenPort small = ports.open(Cable.place(cable.b), new PortOptions(64, 8))) {
      Frames.send(a, frame(65, 1));
      byte[] tagged = frame(66, 3);
      System.arraycopy(new byte[] {(byte) 0x81, 0, 0, 7}, 0, tagged, 12, 4);
      Frames.send(a, tagged);
      Frames.send(a, frame(64, 2));
      assertArrayEquals(frame(64, 2), Frames.next(small));
      assertEquals(new PortCounters(1, 0, 2, 0), small.counters());
    }
  }

  @Test
  void framesWithoutRoomAreCounted() {
    int sent = 0;
    while (b.overruns() == 0) {
      Frames.send(a, frame(1000, 1));
      sent++;
    }
    int all = sent;
    Frames.until(() -> kept.frames.size() + b.overruns() == all || b.poll(kept, 100) < 0);
    assertEquals(all, b.counters().received() + b.counters().receiveDropped());
  }

  @Test
  void aFrameThatTheInterfaceDoesNotTakeIsCounted() {
    try (OpenPort large = ports.open(Cable.place(cable.a), new PortOptions(4000, 8))) {
      Frames.send(large, frame(4000, 1));
      assertEquals(new PortCounters(0, 0, 0, 1), large.counters());
      Frames.send(large, frame(60, 1));
      assertEquals(new PortCounters(0, 1, 0, 1), large.counters());
      assertArrayEquals(frame(60, 1), Frames.next(b));
    }
  }

  @Test
  void anInterfaceThatGoesDownEndsThePortAndCanBeTriedAgain() {
    int index = cable.index(cable.spaceB, "vb");
    cable.change(cable.spaceB, links -> links.setUp(index, false));
    Frames.readable(b);
    assertEquals(-Errno.ECLOSED, b.poll(kept, 1));
    assertEquals("packet:" + Cable.place(cable.b) + ": the interface is down or gone", b.failure());
    assertEquals(-Errno.ECLOSED, b.claim(60));
    assertEquals(
        "packet:" + Cable.place(cable.b) + ": the interface is down",
        refused(SocketErrors.ENETDOWN, Cable.place(cable.b)).getMessage());
    cable.change(cable.spaceB, links -> links.setUp(index, true));
    try (OpenPort again = open(cable.b)) {
      Frames.until(
          () -> {
            // the kernel drops what is sent until both sides run
            Frames.send(a, frame(60, 1));
            return again.poll(kept, 1) == 1;
          });
    }
  }

  @Test
  void anInterfaceThatIsGoneEndsThePort() {
    int index = cable.index(cable.spaceA, "va");
    cable.change(cable.spaceA, links -> links.delete(index));
    Frames.readable(b);
    assertEquals(-Errno.ECLOSED, b.poll(kept, 1));
    assertEquals(
        "packet:" + Cable.place(cable.b) + ": no interface 'vb'",
        refused(Errno.ENODEV, Cable.place(cable.b)).getMessage());
  }

  @Test
  void aWrongAddressIsNamed() {
    for (String name : new String[] {"", "a/b", "a b", "0123456789abcdef", "x:"}) {
      assertEquals(
          "packet:" + name + ": not [NETNS:]INTERFACE with a name of 1 to 15 characters",
          refused(Errno.EINVAL, name).getMessage());
    }
    assertTrue(
        refused(Errno.ENOENT, "no-such-space:eth0")
            .getMessage()
            .startsWith("packet:no-such-space:eth0: netns: "));
    assertEquals(
        "packet:lab:none:va: no such interface of a lab; see net:lab list",
        refused(Errno.ENOENT, "lab:none:va").getMessage());
    refused(Errno.EINVAL, "/dev/null:eth0");
    refused(Errno.EINVAL, "/\0:eth0");
    assertEquals(
        "packet:no-such-if: no interface 'no-such-if'",
        refused(Errno.ENODEV, "no-such-if").getMessage());
  }

  @Test
  void wrongLengthsHaveTheirCode() {
    assertEquals(OPTIONS.mtu(), a.mtu());
    assertEquals(-Errno.EMSGSIZE, a.claim(13));
    assertEquals(-Errno.EMSGSIZE, a.claim(OPTIONS.mtu() + 1));
    assertEquals(-Errno.EINVAL, a.publish(20, 0));
    byte[] longer = frame(100, 1);
    long at = a.claim(100);
    MemorySegment.copy(MemorySegment.ofArray(longer), 0, a.memory(), at, 100);
    assertEquals(-Errno.EINVAL, a.publish(101, 0));
    assertEquals(0, a.publish(20, 0));
    assertArrayEquals(Arrays.copyOf(longer, 20), Frames.next(b));
  }
}
