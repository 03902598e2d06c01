package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {
  private static SockAddr host(String text) {
    SockAddr address = new SockAddr();
    assertTrue(IpText.parse(text, 0, 1234, address), text);
    return address;
  }

  private static String refusal(String text) {
    return assertThrows(IllegalArgumentException.class, () -> Cidr.parse(text)).getMessage();
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.0.1, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "10.0.0.0/8, ::ffff:10.9.9.9, true",
    "0.0.0.0/0, 255.1.1.1, true",
    "0.0.0.0/0, ::1, false",
    "::/0, ::1, true",
    "::/0, ffff::, true",
    "::/0, 127.0.0.1, false",
    "::/0, ::ffff:127.0.0.1, false",
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, 127.0.0.2, false",
    "fe80::/10, febf::1, true",
    "fe80::/10, fec0::1, false",
    "2001:db8::/64, 2001:db8::ffff:0:0:1, true",
    "2001:db8::/64, 2001:db8:0:1::, false",
    "2001:db8::8000:0:0:0/65, 2001:db8::8000:0:0:1, true",
    "2001:db8::8000:0:0:0/65, 2001:db8::7000:0:0:1, false",
    "::ffff:10.0.0.0/104, 10.1.2.3, true",
    "::ffff:0:0/96, 1.2.3.4, true",
    "::1/128, ::1, true"
  })
  void aRangeCoversAddresses(String range, String address, boolean covered) {
    assertEquals(covered, Cidr.parse(range).contains(host(address)));
  }

  @Test
  void noRangeCoversAUnixNameOrNothing() {
    SockAddr address = new SockAddr();
    assertFalse(Cidr.parse("::/0").contains(address));
    assertFalse(Cidr.parse("0.0.0.0/0").contains(address));
    address.unix("name");
    assertFalse(Cidr.parse("::/0").contains(address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/8",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/8/8",
        "10.0.0.0/ 8",
        "10/8",
        "::/129",
        "host/8",
        "[::1]/128",
        "fe80::1%1/64",
        "10.0.0.1/8",
        "fe80::1/10",
        "::ffff:0:0/80"
      })
  void whatIsNoRangeIsRefused(String text) {
    assertFalse(refusal(text).isBlank());
  }

  @Test
  void aRefusalNamesTheRange() {
    assertEquals(
        "'10.1.2.3/8' sets bits behind its prefix; the range is 10.0.0.0/8", refusal("10.1.2.3/8"));
    assertEquals(
        "'fe80::1/10' sets bits behind its prefix; the range is fe80::/10", refusal("fe80::1/10"));
    assertEquals("'10.0.0.0/33': the bits of the prefix are 0 to 32", refusal("10.0.0.0/33"));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void aRangeCoversWhatSharesItsPrefix(
      @ForAll long high,
      @ForAll long low,
      @ForAll @IntRange(max = 128) int bits,
      @ForAll @IntRange(max = 127) int flipped) {
    BigInteger all = value(high, low).shiftRight(128 - bits).shiftLeft(128 - bits);
    SockAddr base = address(all);
    if (base.isIpv4()) {
      return;
    }
    Cidr range = Cidr.parse(IpText.host(base) + "/" + bits);
    assertEquals(IpText.host(base) + "/" + bits, range.toString());
    SockAddr inside = address(value(high, low));
    assertTrue(range.contains(inside));
    SockAddr other = address(value(high, low).flipBit(127 - flipped));
    assertEquals(flipped >= bits, range.contains(other));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void anIpv4RangeCoversWhatSharesItsPrefix(
      @ForAll int address,
      @ForAll @IntRange(max = 32) int bits,
      @ForAll @IntRange(max = 31) int flipped) {
    SockAddr base = new SockAddr();
    base.ipv4(bits == 0 ? 0 : address >> 32 - bits << 32 - bits, 0);
    Cidr range = Cidr.parse(IpText.host(base) + "/" + bits);
    SockAddr other = new SockAddr();
    other.ipv4(address ^ 1 << 31 - flipped, 9);
    assertEquals(flipped >= bits, range.contains(other));
    other.mapToIpv6();
    assertEquals(flipped >= bits, range.contains(other));
  }

  private static BigInteger value(long high, long low) {
    return new BigInteger(Long.toUnsignedString(high))
        .shiftLeft(64)
        .or(new BigInteger(Long.toUnsignedString(low)));
  }

  private static SockAddr address(BigInteger value) {
    SockAddr address = new SockAddr();
    address.ipv6(value.shiftRight(64).longValue(), value.longValue(), 0, 0);
    return address;
  }
}
