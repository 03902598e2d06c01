package io.isle.lib.net.ping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.packet.InternetChecksum;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class IcmpEchoTest {
  private static final int ID = 0xC123;
  private static final int MARK = 0x89ABCDEF;
  private static final int BYTES = 21;
  private static final int LENGTH = IcmpEcho.HEADER_BYTES + BYTES;

  private static MemorySegment request(int number) {
    MemorySegment memory = MemorySegment.ofArray(new byte[LENGTH]);
    PingPayload.write(memory, IcmpEcho.HEADER_BYTES, BYTES, MARK, number);
    IcmpEcho.write(memory, LENGTH, ID, number);
    return memory;
  }

  /** A packet with the answer, behind a header of IPv4 with 4 bytes of options. */
  private static MemorySegment answer(int number) {
    MemorySegment packet = MemorySegment.ofArray(new byte[24 + LENGTH]);
    set(packet, 0, 0x46);
    MemorySegment.copy(request(number), 0, packet, 24, LENGTH);
    set(packet, 24, 0);
    set(packet, 26, 0);
    set(packet, 27, 0);
    int checksum = InternetChecksum.of(packet, 24, LENGTH);
    set(packet, 26, checksum >>> 8);
    set(packet, 27, checksum);
    return packet;
  }

  private static void set(MemorySegment memory, int at, int value) {
    memory.set(ValueLayout.JAVA_BYTE, at, (byte) value);
  }

  private static int find(MemorySegment packet, int id) {
    return IcmpEcho.find(packet, (int) packet.byteSize(), id);
  }

  @Test
  void aRequestHasTheBytesOfTheProtocol() {
    byte[] bytes = request(0x10203).toArray(ValueLayout.JAVA_BYTE);
    assertEquals(8, bytes[0]);
    assertEquals(0, bytes[1]);
    assertEquals((byte) 0xC1, bytes[4]);
    assertEquals(0x23, bytes[5]);
    assertEquals(2, bytes[6], "the lower 16 bits of the number");
    assertEquals(3, bytes[7]);
    assertEquals(0, InternetChecksum.of(MemorySegment.ofArray(bytes), 0, LENGTH));
  }

  @Test
  void anAnswerIsFoundBehindAnyHeader() {
    MemorySegment packet = answer(7);
    assertEquals(24, find(packet, ID));
    assertTrue(IcmpEcho.isIntact(packet, 24, LENGTH, 7));
    assertFalse(IcmpEcho.isIntact(packet, 24, LENGTH, 8), "another sequence number");
    set(packet, 40, 99);
    assertFalse(IcmpEcho.isIntact(packet, 24, LENGTH, 7), "another byte");
  }

  @Test
  void whatIsNoAnswerToThisClientIsNotFound() {
    assertEquals(-1, find(answer(7), ID + 1), "the answer to another one");
    MemorySegment own = answer(7);
    set(own, 24, 8);
    assertEquals(-1, find(own, ID), "a request");
    assertEquals(-1, IcmpEcho.find(answer(7), 19, ID), "no header of IPv4");
    assertEquals(-1, IcmpEcho.find(answer(7), 31, ID), "no header of ICMP");
    MemorySegment short4 = answer(7);
    set(short4, 0, 0x44);
    assertEquals(-1, find(short4, ID), "a header of 16 bytes");
  }

  @Test
  void everyByteOfAPayloadIsChecked() {
    MemorySegment payload = request(300).asSlice(IcmpEcho.HEADER_BYTES);
    assertEquals(300, PingPayload.number(payload, 0));
    assertTrue(PingPayload.isOf(payload, 0, BYTES, MARK));
    assertFalse(PingPayload.isOf(payload, 0, BYTES, MARK + 1), "of another client");
    assertFalse(PingPayload.isOf(payload, 0, 7, MARK), "too short");
    assertTrue(PingPayload.isIntact(payload, 0, BYTES, 300));
    for (int i = PingPayload.MIN_BYTES; i < BYTES; i++) {
      MemorySegment other = MemorySegment.ofArray(payload.toArray(ValueLayout.JAVA_BYTE));
      set(other, i, other.get(ValueLayout.JAVA_BYTE, i) + 1);
      assertFalse(PingPayload.isIntact(other, 0, BYTES, 300));
    }
  }
}
