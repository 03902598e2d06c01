package io.isle.lib.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.ffi.Cidr;
import io.isle.lib.ffi.HostPort;
import io.isle.lib.ffi.SockAddr;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerRulesTest {
  private static SockAddr of(String host) throws UnknownHostException {
    return new HostPort(host, 1).resolve().getFirst();
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1,true,true,true",
    "::1,true,true,false",
    "::ffff:127.0.0.1,true,true,true",
    "10.1.2.3,false,true,true",
    "::ffff:10.1.2.3,false,true,true",
    "10.2.2.3,false,true,false",
    "fe80::1,false,true,true",
    "2001:db8::1,false,true,false"
  })
  void peersAreAdmittedByNetworkAndPlaintext(
      String host, boolean closed, boolean open, boolean listed) throws UnknownHostException {
    List<Cidr> allow = Stream.of("127.0.0.1", "10.1.0.0/16", "fe80::/10").map(Cidr::parse).toList();
    assertEquals(closed, new PeerRules(List.of(), false).admits(of(host)));
    assertEquals(open, new PeerRules(List.of(), true).admits(of(host)));
    assertEquals(listed, new PeerRules(allow, true).admits(of(host)));
    assertEquals(closed && listed, new PeerRules(allow, false).admits(of(host)));
  }

  @Test
  void allInterfacesAreBeyondLoopback() throws UnknownHostException {
    assertFalse(new PeerRules(List.of(), false).mayReach(of("0.0.0.0")));
    assertFalse(new PeerRules(List.of(), false).mayReach(of("::")));
    assertTrue(new PeerRules(List.of(), true).mayReach(of("0.0.0.0")));
    assertTrue(PeerRules.refusal("0.0.0.0:1").contains("plaintext = true"));
  }
}
