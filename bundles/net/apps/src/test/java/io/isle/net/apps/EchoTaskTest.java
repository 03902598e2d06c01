package io.isle.net.apps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.packet.Drop;
import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.InternetChecksum;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.NetSig;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EchoTaskTest {
  private final MemoryPort port = new MemoryPort();
  private final EchoTask task = new EchoTask(port);

  private MemorySegment answer() {
    byte[] bytes = port.take();
    assertTrue(bytes.length > 0, "no answer");
    return MemorySegment.ofArray(bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 17, 18, 1000, 1472})
  void aDatagramComesBackWithItsWaysTurned(int payload) {
    byte[] request = Frames.request(payload);
    port.put(request, 0);
    assertEquals(1, task.cycle(0));
    MemorySegment answer = answer();
    assertEquals(request.length, answer.byteSize());
    assertEquals(Frames.CLIENT_MAC, Ethernet.destination(answer, 0));
    assertEquals(Frames.SERVER_MAC, Ethernet.source(answer, 0));
    long ip = UdpFrame.ip(0);
    long udp = UdpFrame.udp(answer, 0);
    assertEquals(Frames.SERVER, Ipv4.source(answer, ip));
    assertEquals(Frames.CLIENT, Ipv4.destination(answer, ip));
    assertEquals(Frames.SERVER_PORT, Udp.sourcePort(answer, udp));
    assertEquals(Frames.CLIENT_PORT, Udp.destinationPort(answer, udp));
    assertEquals(Drop.NONE, UdpFrame.check(answer, 0, request.length, true));
    assertEquals(0, InternetChecksum.of(answer, ip, Ipv4.MIN_HEADER_BYTES));
    assertTrue(Udp.checksum(answer, udp) != 0);
    assertArrayEquals(
        Arrays.copyOfRange(request, UdpFrame.MIN_BYTES, request.length),
        Arrays.copyOfRange(
            (byte[]) answer.heapBase().orElseThrow(), UdpFrame.MIN_BYTES, request.length));
    assertEquals(
        NetSig.of(Frames.CLIENT, Frames.CLIENT, Frames.CLIENT_PORT, 0, 42), port.mark());
  }

  @Test
  void noChecksumStaysNone() {
    byte[] request = Frames.request(5);
    MemorySegment frame = MemorySegment.ofArray(request);
    Udp.checksum(frame, UdpFrame.udp(frame, 0), 0);
    port.put(request, 0);
    task.cycle(0);
    MemorySegment answer = answer();
    assertEquals(0, Udp.checksum(answer, UdpFrame.udp(answer, 0)));
  }

  @Test
  void aWrongChecksumStaysWrong() {
    byte[] request = Frames.request(5);
    request[request.length - 1] ^= 1;
    port.put(request, 0);
    task.cycle(0);
    assertEquals(Drop.CHECKSUM, UdpFrame.check(answer(), 0, request.length, true));
  }

  @Test
  void aChecksumThatASenderLeftToTheDeviceIsFinished() {
    byte[] request = Frames.request(9);
    MemorySegment frame = MemorySegment.ofArray(request);
    long udp = UdpFrame.udp(frame, 0);
    int sum =
        InternetChecksum.sum(frame, UdpFrame.ip(0) + 12, 8) + 17 + Udp.length(frame, udp);
    Udp.checksum(frame, udp, ~InternetChecksum.finish(sum) & 0xFFFF);
    assertEquals(Drop.CHECKSUM, UdpFrame.check(frame, 0, request.length, true));
    port.put(request, 0);
    task.cycle(0);
    assertEquals(Drop.NONE, UdpFrame.check(answer(), 0, request.length, true));
  }

  @Test
  void whatIsNoDatagramIsIgnoredAndCounted() {
    byte[] tcp = Frames.request(8);
    tcp[23] = 6;
    port.put(tcp, 0);
    port.put(new byte[14], 0);
    port.put(new byte[60], 0);
    port.put(Frames.request(8, 0xE0000001), 0);
    port.put(Frames.request(8, -1), 0);
    assertEquals(5, task.cycle(0));
    assertEquals(0, port.take().length);
    assertEquals(
        Map.of("received", 5L, "sent", 0L, "ignored", 5L, "too_long", 0L, "overruns", 0L),
        task.counters());
  }

  @Test
  void aFrameThatWasReplacedWhileItWasReadIsNotSent() {
    port.put(Frames.request(1), 0);
    port.put(Frames.request(2), 0);
    port.spoilNext();
    task.cycle(0);
    task.cycle(0);
    assertEquals(UdpFrame.MIN_BYTES + 2, port.take().length);
    assertEquals(0, port.take().length);
    assertEquals(1, task.counters().get("overruns"));
    assertEquals(1, task.counters().get("sent"));
  }

  @Test
  void noFrameIsTakenThatCouldNotBeAnswered() {
    port.room = 3;
    for (int i = 0; i < 10; i++) {
      port.put(Frames.request(i), 0);
    }
    int sent = 0;
    for (int round = 0; round < 4; round++) {
      int expected = Math.min(3, 10 - sent);
      assertEquals(expected, task.cycle(0));
      for (int i = 0; i < expected; i++) {
        assertEquals(UdpFrame.MIN_BYTES + sent++, port.take().length);
      }
    }
    assertEquals(0, task.cycle(0));
    assertEquals(10, task.counters().get("sent"));
  }

  @Test
  void theEndOfThePortIsTheEnd() {
    port.close();
    assertEquals(-Errno.ECLOSED, task.cycle(0));
    assertEquals(-Errno.ECLOSED, task.cycle(0));
  }

  @Test
  void theEndOfTheTaskLeavesThePortOpen() {
    task.close();
    assertEquals(-Errno.ECLOSED, task.cycle(0));
    assertTrue(port.claim(60) >= 0);
  }

  @Test
  void settingsOfOthersAreRefused() {
    NetException refusal =
        assertThrows(
            NetException.class, () -> new EchoApp().open(port, Map.of("rate", "1")));
    assertEquals(Errno.EINVAL, refusal.code());
    assertEquals(
        "'rate' is not a key of kind echo; the kind has no keys of its own", refusal.getMessage());
  }
}
