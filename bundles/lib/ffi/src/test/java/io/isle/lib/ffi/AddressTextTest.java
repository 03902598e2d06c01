package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses and ranges as text, against the parser of the JDK where both agree on the rules. */
class AddressTextTest {
  private static SockAddr one(String text) throws UnknownHostException {
    return HostPort.parse(text).resolve().getFirst();
  }

  private static String refusal(String text) {
    return assertThrows(IllegalArgumentException.class, () -> HostPort.parse(text)).getMessage();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:1, 127.0.0.1:1",
    "0.0.0.0:0, 0.0.0.0:0",
    "255.255.255.255:65535, 255.255.255.255:65535",
    "[::]:9999, [::]:9999",
    "[::1]:09999, [::1]:9999",
    "[0:0:0:0:0:0:0:1]:1, [::1]:1",
    "[1::]:1, [1::]:1",
    "[2001:DB8:0:0:1:0:0:1]:1, [2001:db8::1:0:0:1]:1",
    "[2001:db8:0:1:1:1:1:1]:1, [2001:db8:0:1:1:1:1:1]:1",
    "[1:2:3:4:5:6:7::]:1, [1:2:3:4:5:6:7:0]:1",
    "[1:2:3:4:5:6:1.2.3.4]:1, [1:2:3:4:5:6:102:304]:1",
    "[::ffff:1.2.3.4]:1, 1.2.3.4:1",
    "[::1.2.3.4]:1, [::102:304]:1",
    "[fe80::1%7]:1, [fe80::1%7]:1"
  })
  void anAddressIsShownInItsShortForm(String text, String shown) throws Exception {
    assertTrue(HostPort.parse(text).isLiteral());
    assertEquals(shown, one(text).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        ":1",
        "host",
        "host:",
        "host:x",
        "host:-1",
        "host:+1",
        "host: 1",
        "host:1 ",
        "host:65536",
        "host:000001",
        "host:１",
        "::1:99",
        "fe80::1%1:99",
        "[::1]",
        "[::1]99",
        "[::1:99",
        "[]:1",
        "[host]:1",
        "[1.2.3.4]:1",
        "[[::1]]:1",
        "1.2.3:1",
        "1.2.3.4.5:1",
        "01.2.3.4:1",
        "256.1.1.1:1",
        "1..2.3:1",
        "1.2.3.4.:1",
        "0x7f.1:1",
        "0x7f000001:1",
        "127:1",
        "[1:2:3:4:5:6:7]:1",
        "[1:2:3:4:5:6:7:8:9]:1",
        "[1:2:3:4:5:6:7:8::]:1",
        "[1::2::3]:1",
        "[:::]:1",
        "[:1]:1",
        "[1:]:1",
        "[12345::]:1",
        "[g::]:1",
        "[1.2.3.4::]:1",
        "[::1%]:1",
        "[::1.2.3]:1",
        "[::1.2.3.4:5]:1",
        "[1:2:3:4:5:6:7:1.2.3.4]:1",
        "[fe80::1%a b]:1",
        "1.2.3.4%1:1",
        "-host:1",
        "host-:1",
        "ho st:1",
        "host..x:1",
        "hö:1",
        "a/b:1",
        "\u0000:1"
      })
  void whatIsNoAddressIsRefused(String text) {
    assertFalse(refusal(text).isBlank());
  }

  @Test
  void aRefusalSaysWhatIsWrong() {
    assertEquals(
        "'::1:99': an IPv6 address stands in brackets, as in [::1]:9999", refusal("::1:99"));
    assertEquals("port 65536 is not in 0..65535", refusal("host:65536"));
    assertEquals("'host' is not HOST:PORT with a port from 0 to 65535", refusal("host"));
    assertEquals(
        "'127.1' is neither a name of a host nor an IPv4 or IPv6 address", refusal("127.1:1"));
    assertEquals("'a?b' is not HOST:PORT with a port from 0 to 65535", refusal("a\u001bb"));
    assertTrue(refusal("x".repeat(100_000)).length() < 200);
  }

  @Test
  void aNameIsAskedFor() throws Exception {
    HostPort name = HostPort.parse("localhost:77");
    assertFalse(name.isLiteral());
    assertTrue(name.resolve().stream().allMatch(a -> a.isLoopback() && a.port() == 77));
    HostPort nowhere = HostPort.parse("nowhere.invalid:1");
    assertThrows(UnknownHostException.class, nowhere::resolve);
    HostPort noInterface = HostPort.parse("[fe80::1%isle-none]:1");
    assertThrows(UnknownHostException.class, noInterface::resolve);
    assertEquals("[fe80::1%1]:5", one("[fe80::1%lo]:5").toString());
  }

  @Property
  void everyAddressIsReadAsItIsShown(
      @ForAll("half") long high,
      @ForAll("half") long low,
      @ForAll @IntRange(max = 65_535) int port,
      @ForAll @IntRange(max = 3) int scope)
      throws Exception {
    SockAddr address = new SockAddr();
    address.ipv6(high, low, address.isIpv4() ? 0 : scope, port);
    if (address.isIpv4()) {
      address.ipv6(high, low, 0, port);
    }
    assertTrue(one(address.toString()).sameAs(address), address::toString);
    InetAddress theirs = InetAddress.getByName(IpText.host(address));
    ByteBuffer bytes = ByteBuffer.wrap(theirs.getAddress());
    if (address.isIpv4()) {
      assertEquals((int) low, bytes.getInt());
    } else {
      assertEquals(high, bytes.getLong());
      assertEquals(low, bytes.getLong());
    }
  }

  /** Runs of zeros, ones and anything. */
  @Provide
  Arbitrary<Long> half() {
    Arbitrary<Integer> group = Arbitraries.of(0, 0, 1, 0xFFFF, 0xDB8);
    return Arbitraries.oneOf(
        Arbitraries.longs(),
        group
            .list()
            .ofSize(4)
            .map(all -> all.stream().mapToLong(g -> g).reduce(0, (a, g) -> a << 16 | g)));
  }

  @Property
  void hostileTextIsReadOrRefusedAndReadTheSameAgain(@ForAll("hostile") String text) {
    HostPort read;
    try {
      read = HostPort.parse(text);
    } catch (IllegalArgumentException e) {
      assertTrue(e.getMessage().length() < 200 && e.getMessage().chars().allMatch(c -> c >= 32));
      return;
    }
    assertEquals(read, HostPort.parse(read.toString()));
  }

  @Provide
  Arbitrary<String> hostile() {
    return Arbitraries.oneOf(
        Arbitraries.strings(),
        Arbitraries.strings().withChars("01f:.[]%/a-").ofMaxLength(24),
        Arbitraries.strings().withChars("0125.").ofMaxLength(16).map(s -> s + ":9"),
        Arbitraries.strings().withChars("01f:.").ofMaxLength(30).map(s -> "[" + s + "]:9"));
  }

  /** What the JDK takes for an address of the strict forms is one here, with the same value. */
  @Property
  void ipv6IsReadAsByTheJdk(@ForAll("groups") String text) {
    SockAddr ours = new SockAddr();
    boolean read = IpText.parse(text, 0, 0, ours);
    byte[] theirs;
    try {
      theirs = InetAddress.getByName("[" + text + "]").getAddress();
    } catch (UnknownHostException e) {
      assertFalse(read, text);
      return;
    }
    assertTrue(read, text);
    ByteBuffer bytes = ByteBuffer.wrap(theirs);
    if (theirs.length == 4) {
      assertEquals(0xFFFF_0000_0000L | Integer.toUnsignedLong(bytes.getInt()), ours.low());
    } else {
      assertEquals(bytes.getLong(), ours.high());
      assertEquals(bytes.getLong(), ours.low());
    }
  }

  @Provide
  Arbitrary<String> groups() {
    return Arbitraries.of("0", "1", "ab", "ffff", "", "", ":", "12345")
        .list()
        .ofMinSize(2)
        .ofMaxSize(10)
        .map(all -> String.join(":", all))
        .filter(s -> s.indexOf(':') >= 0);
  }
}
