package io.isle.lib.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class UdpFrameTest {
  private static final int LENGTH = 52;

  private static Drop of(Consumer<MemorySegment> change) {
    return of(LENGTH, change);
  }

  private static Drop of(int length, Consumer<MemorySegment> change) {
    MemorySegment frame = MemorySegment.ofArray(new byte[100]);
    int ignored = UdpFrame.write(frame, 0, 0x0A000001, 1, 0x0A000002, 2, 10);
    Udp.checksum(frame, 34, Udp.computed(frame, 14, 34));
    change.accept(frame);
    return UdpFrame.check(frame, 0, length, true);
  }

  @Test
  void eachRuleHasItsReason() {
    assertEquals(Drop.NONE, of(frame -> {}));
    assertEquals(Drop.UNDERSIZE, of(41, frame -> {}));
    assertEquals(Drop.NOT_IPV4, of(frame -> Fields.u16(frame, 12, 0x86DD)));
    assertEquals(Drop.NOT_IPV4, of(frame -> Fields.u16(frame, 12, Ethernet.TYPE_VLAN)));
    assertEquals(Drop.NOT_IPV4, of(frame -> Fields.u8(frame, 14, 0x65)));
    assertEquals(Drop.BAD_IHL, of(frame -> Fields.u8(frame, 14, 0x44)));
    assertEquals(Drop.NOT_UDP, of(frame -> Fields.u8(frame, 23, 6)));
    assertEquals(Drop.FRAGMENT, of(frame -> Fields.u16(frame, 20, 0x2000)));
    assertEquals(Drop.FRAGMENT, of(frame -> Fields.u16(frame, 20, 1)));
    assertEquals(Drop.BAD_UDP_LENGTH, of(frame -> Fields.u16(frame, 38, 7)));
    assertEquals(Drop.BAD_UDP_LENGTH, of(frame -> Fields.u16(frame, 38, 19)));
    assertEquals(Drop.BAD_UDP_LENGTH, of(frame -> Fields.u8(frame, 14, 0x4F)));
    assertEquals(Drop.MULTICAST_SOURCE, of(frame -> Ipv4.source(frame, 14, 0xE0000001)));
    assertEquals(Drop.MULTICAST_SOURCE, of(frame -> Ipv4.source(frame, 14, 0xEFFFFFFF)));
    assertEquals(Drop.CHECKSUM, of(frame -> Fields.u8(frame, 45, 1)));
  }

  @Test
  void whatIsNoReasonPasses() {
    assertEquals(Drop.NONE, of(frame -> Fields.u16(frame, 20, 0x4000)));
    assertEquals(Drop.NONE, of(frame -> Udp.checksum(frame, 34, 0)));
    assertEquals(Drop.NONE, of(frame -> Fields.u16(frame, 16, 0)));
    assertEquals(Drop.NONE, of(60, frame -> {}));
    assertEquals(Drop.NONE, of(frame -> Ipv4.destination(frame, 14, 0xE0000001), false));
  }

  private static Drop of(Consumer<MemorySegment> change, boolean checksums) {
    MemorySegment frame = MemorySegment.ofArray(new byte[100]);
    int ignored = UdpFrame.write(frame, 0, 0x0A000001, 1, 0x0A000002, 2, 10);
    change.accept(frame);
    return UdpFrame.check(frame, 0, LENGTH, checksums);
  }

  /** The first fragment of a long datagram ends before its datagram. */
  @Test
  void theFirstReasonCounts() {
    assertEquals(
        Drop.FRAGMENT,
        of(
            frame -> {
              Fields.u16(frame, 20, 0x2000);
              Fields.u16(frame, 38, 3000);
            }));
    assertEquals(
        Drop.BAD_IHL,
        of(
            frame -> {
              Fields.u8(frame, 14, 0x41);
              Fields.u8(frame, 23, 6);
            }));
    assertEquals(
        Drop.NOT_UDP,
        of(
            frame -> {
              Fields.u8(frame, 23, 6);
              Fields.u16(frame, 20, 0x2000);
            }));
  }

  @Test
  void optionsMoveTheDatagram() {
    MemorySegment frame = MemorySegment.ofArray(new byte[100]);
    int ignored = UdpFrame.write(frame, 0, 0x0A000001, 1, 0x0A000002, 2, 10);
    Fields.u8(frame, 14, 0x46);
    Udp.write(frame, 38, 5, 6, 18);
    assertEquals(Drop.NONE, UdpFrame.check(frame, 0, 56, true));
    assertEquals(46, UdpFrame.headerBytes(frame, 0));
    assertEquals(6, Udp.destinationPort(frame, UdpFrame.udp(frame, 0)));
  }

  @Test
  void reasonsHaveTheNamesOfTheCounters() {
    assertEquals("bad_udp_length", Drop.BAD_UDP_LENGTH.text());
  }
}
