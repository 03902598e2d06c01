package io.isle.lib.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {
  /** From 192.168.0.1:1087 to 192.168.0.199:9999 with "hello"; checksums by another program. */
  private static final String HELLO =
      "0242ac110002"
          + "0242ac110003"
          + "0800"
          + "45000021"
          + "1c464000"
          + "40119c6d"
          + "c0a80001"
          + "c0a800c7"
          + "043f270f"
          + "000d0e9b"
          + "68656c6c6f";

  private static MemorySegment frame() {
    return MemorySegment.ofArray(HexFormat.of().parseHex(HELLO));
  }

  @Test
  void fieldsAreThoseOfTheBytes() {
    MemorySegment frame = frame();
    assertEquals(0x0242AC110002L, Ethernet.destination(frame, 0));
    assertEquals(0x0242AC110003L, Ethernet.source(frame, 0));
    assertEquals(Ethernet.TYPE_IPV4, Ethernet.type(frame, 0));
    assertEquals(4, Ipv4.version(frame, 14));
    assertEquals(20, Ipv4.headerBytes(frame, 14));
    assertEquals(33, Ipv4.totalLength(frame, 14));
    assertEquals(0x1C46, Ipv4.identification(frame, 14));
    assertFalse(Ipv4.isFragment(frame, 14));
    assertEquals(64, Ipv4.timeToLive(frame, 14));
    assertEquals(Ipv4.PROTOCOL_UDP, Ipv4.protocol(frame, 14));
    assertEquals("192.168.0.1", Ipv4.text(Ipv4.source(frame, 14)));
    assertEquals("192.168.0.199", Ipv4.text(Ipv4.destination(frame, 14)));
    assertEquals(1087, Udp.sourcePort(frame, 34));
    assertEquals(9999, Udp.destinationPort(frame, 34));
    assertEquals(13, Udp.length(frame, 34));
    assertEquals(5, UdpFrame.payloadBytes(frame, 0));
    assertEquals(42, UdpFrame.headerBytes(frame, 0));
  }

  /** The sum of both addresses, the protocol and the length. */
  @Test
  void aChecksumThatADeviceShallFinishIsKnown() {
    MemorySegment frame = frame();
    assertFalse(Udp.isUnfinished(frame, 14, 34));
    Udp.checksum(frame, 34, 0x8237);
    assertTrue(Udp.isUnfinished(frame, 14, 34));
    assertFalse(Udp.isIntact(frame, 14, 34));
  }

  @Test
  void checksumsAreThoseOfTheBytes() {
    MemorySegment frame = frame();
    assertTrue(Ipv4.isSealed(frame, 14));
    assertEquals(Udp.checksum(frame, 34), Udp.computed(frame, 14, 34));
    assertTrue(Udp.isIntact(frame, 14, 34));
    Fields.u8(frame, 46, 'p');
    assertFalse(Udp.isIntact(frame, 14, 34));
    Udp.checksum(frame, 34, 0);
    assertTrue(Udp.isIntact(frame, 14, 34));
  }

  @Test
  void aWrittenFrameIsRead() {
    MemorySegment frame = MemorySegment.ofArray(new byte[60]);
    int length = UdpFrame.write(frame, 2, 0x0A000001, 7, 0x0A000002, 9, 5);
    assertEquals(47, length);
    assertEquals(Drop.NONE, UdpFrame.check(frame, 2, length, true));
    assertTrue(Ipv4.isSealed(frame, 16));
    assertEquals(9, Udp.destinationPort(frame, UdpFrame.udp(frame, 2)));
    assertEquals(5, UdpFrame.payloadBytes(frame, 2));
  }

  @Test
  void aTunnelsHeaderIsWritten() {
    MemorySegment memory = MemorySegment.ofArray(new byte[] {9, 9, 9, 9});
    Gre.write(memory, 0, Ethernet.TYPE_IPV4);
    assertEquals(0, Gre.flags(memory, 0));
    assertEquals(Ethernet.TYPE_IPV4, Gre.protocol(memory, 0));
  }

  /** By words as RFC 1071 says, against the sum of ints. */
  @Property(tries = 300)
  void theSumIsThatOfTheWords(
      @ForAll @Size(max = 200) byte[] bytes, @ForAll @IntRange(max = 7) int at) {
    int length = Math.max(0, bytes.length - at);
    int expected = 0;
    for (int i = 0; i < length; i++) {
      int value = bytes[Math.min(bytes.length - 1, at + i)] & 0xFF;
      expected += i % 2 == 0 ? value << 8 : value;
      expected = (expected & 0xFFFF) + (expected >>> 16);
    }
    MemorySegment memory = MemorySegment.ofArray(bytes);
    assertEquals(
        ~expected & 0xFFFF, InternetChecksum.of(memory, Math.min(at, bytes.length), length));
  }

  /** A header never sums up to zero, so both zeros are told apart. */
  @Property(tries = 300)
  void aChangeKeepsAChecksumRight(@ForAll @Size(20) byte[] bytes, @ForAll int address) {
    MemorySegment header = MemorySegment.ofArray(bytes);
    Fields.u8(header, 0, 0x45);
    Ipv4.seal(header, 0);
    int before = Ipv4.source(header, 0);
    int changed = InternetChecksum.changed32(Ipv4.checksum(header, 0), before, address);
    Ipv4.source(header, 0, address);
    Fields.u16(header, Ipv4.CHECKSUM, changed);
    assertTrue(Ipv4.isSealed(header, 0));
    Ipv4.seal(header, 0);
    assertEquals(Ipv4.checksum(header, 0), changed);
  }

  @Test
  void addressesAreRead() {
    assertEquals(0xC0A80001, Ipv4.parse("192.168.0.1"));
    assertEquals(-1, Ipv4.parse("255.255.255.255"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1..2.3", "::1", "a.b.c.d"})
  void otherTextsAreNoAddresses(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Ipv4.parse(text)).getMessage();
    assertTrue(message.contains("'" + text + "'"), message);
  }

  @Test
  void theSignatureHasItsFields() {
    // from 192.168.0.1:1087, protocol 6, a header of 46 bytes
    long signature = NetSig.of(0xC0A80001, 0xC0A80001, 1087, 6, 46);
    assertEquals(0x0100A8C0, (int) signature);
    assertEquals(0xC0A80001, NetSig.address(signature));
    assertEquals(6, NetSig.protocol(signature));
    assertEquals(46, NetSig.headerBytes(signature));
    assertEquals(1, (int) (signature >>> 40) & 0xF);
    long input = 0x0100A8C0L | 1087L << 32;
    assertEquals(NetSig.mix(input) & 0xFFFFF, NetSig.hash(signature));
    assertEquals(signature, NetSig.of(0xC0A80001, 0xC0A80001, 1087, 6, 46));
  }

  /** Values of MurmurHash3's finaliser that others publish. */
  @Test
  void theHashIsThatOfMurmur() {
    assertEquals(0, NetSig.mix(0));
    assertEquals(0xB456BCFC34C2CB2CL, NetSig.mix(1));
    assertEquals(0x3ABF2A20650683E7L, NetSig.mix(2));
  }

  @Test
  void aReceivedFrameIsSignedBySourceAndPort() {
    long signature = UdpFrame.received(frame(), 0, 3);
    assertEquals(NetSig.of(0xC0A80001, 0xC0A80001, 1087, 3, 42), signature);
  }
}
