package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SockAddrTest {
  private static SockAddr ipv4(int address, int port) {
    SockAddr made = new SockAddr();
    made.ipv4(address, port);
    return made;
  }

  private static SockAddr ipv6(long high, long low, int scope, int port) {
    SockAddr made = new SockAddr();
    made.ipv6(high, low, scope, port);
    return made;
  }

  @Test
  void bothFormsOfAnIpv4AddressAreTheSame() {
    SockAddr four = ipv4(0x0A01_02FE, 9999);
    SockAddr mapped = ipv6(0, 0xFFFF_0A01_02FEL, 0, 9999);
    assertEquals("10.1.2.254:9999", four.toString());
    assertEquals("10.1.2.254:9999", mapped.toString());
    assertTrue(four.sameAs(mapped) && mapped.sameAs(four));
    assertTrue(four.isIpv4() && mapped.isIpv4());
    assertEquals(Sockets.AF_INET6, mapped.family());
    four.mapToIpv6();
    assertEquals(Sockets.AF_INET6, four.family());
    assertTrue(four.sameAs(mapped));
  }

  @Test
  void addressesDifferInPortHostAndScope() {
    SockAddr first = ipv6(0xFE80L << 48, 1, 2, 7);
    assertEquals("[fe80::1%2]:7", first.toString());
    assertTrue(first.sameAs(ipv6(0xFE80L << 48, 1, 2, 7)));
    SockAddr otherPort = ipv6(0xFE80L << 48, 1, 2, 8);
    assertFalse(first.sameAs(otherPort));
    assertTrue(first.sameHost(otherPort));
    assertFalse(first.sameHost(ipv6(0xFE80L << 48, 1, 3, 7)));
    assertFalse(first.sameHost(ipv6(0xFE80L << 48, 2, 2, 7)));
    assertFalse(first.sameHost(ipv6(0xFE81L << 48, 1, 2, 7)));
    assertFalse(ipv4(0, 0).sameAs(new SockAddr()));
  }

  @Test
  void kindsOfAddresses() {
    assertTrue(ipv4(0x7F01_0203, 0).isLoopback());
    assertTrue(ipv6(0, 1, 0, 0).isLoopback());
    assertTrue(ipv6(0, 0xFFFF_7F00_0001L, 0, 0).isLoopback());
    assertFalse(ipv4(0x8000_0001, 0).isLoopback());
    assertFalse(ipv6(1, 1, 0, 0).isLoopback());
    assertTrue(ipv4(0, 5).isAny() && ipv6(0, 0, 0, 5).isAny());
    assertFalse(ipv6(0, 1, 0, 0).isAny());
    SockAddr none = new SockAddr();
    assertFalse(none.isAny() || none.isLoopback() || none.isIpv4());
    assertEquals("none", none.toString());
    assertEquals(0, none.port());
  }

  @Test
  void aCopyIsTheSameAndItsOwn() {
    SockAddr copy = new SockAddr();
    SockAddr from = ipv6(1, 2, 3, 4);
    copy.copyFrom(from);
    assertTrue(copy.sameAs(from));
    from.clear();
    assertEquals("[::1:0:0:0:2%3]:4", copy.toString());
    assertEquals(0, from.family());
    copy.unix("some");
    from.copyFrom(copy);
    assertTrue(copy.sameAs(from));
    copy.unix("same");
    assertFalse(copy.sameAs(from));
    copy.unix("some longer");
    assertFalse(copy.sameAs(from));
  }

  @Test
  void aFileHasAPathWithBounds() {
    SockAddr file = new SockAddr();
    file.unixFile("/a");
    assertEquals("unix:/a", file.toString());
    assertEquals(Sockets.AF_UNIX, file.family());
    // family, path and its zero
    assertEquals(5, file.length());
    SockAddr same = new SockAddr();
    same.unixFile("/a");
    assertTrue(file.sameAs(same));
    same.unix("a");
    assertFalse(file.sameAs(same));
    file.unixFile("/" + "p".repeat(106));
    assertEquals(110, file.length());
    assertThrows(IllegalArgumentException.class, () -> file.unixFile("/" + "p".repeat(107)));
    assertThrows(IllegalArgumentException.class, () -> file.unixFile(""));
    assertThrows(IllegalArgumentException.class, () -> file.unixFile("/a\0b"));
  }

  @Test
  void aPortHasBounds() {
    SockAddr address = ipv4(1, 65_535);
    assertEquals(65_535, address.port());
    assertThrows(IllegalArgumentException.class, () -> address.port(65_536));
    assertThrows(IllegalArgumentException.class, () -> address.port(-1));
    assertEquals(65_535, address.port());
  }
}
