package io.isle.net.xdp.netlink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.NetNamespace;
import io.isle.net.xdp.netlink.Link.XdpMode;
import io.isle.net.xdp.testing.Spaces;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests and dumps in two namespaces of their own. */
@Timeout(60)
class RtnetlinkTest {
  private static final int A = 0xC6120001;
  private static final int B = 0xC6120002;

  private NetNamespace here;
  private NetNamespace there;
  private Rtnetlink kernel;
  private Rtnetlink far;
  private LinkRequests links;
  private RouteRequests routes;

  @BeforeEach
  void open() {
    here = Spaces.create();
    there = Spaces.create();
    kernel = Rtnetlink.in(here);
    far = Rtnetlink.in(there);
    links = new LinkRequests(kernel);
    routes = new RouteRequests(kernel);
  }

  @AfterEach
  void close() {
    if (here != null) {
      kernel.close();
      far.close();
      there.close();
      here.close();
    }
  }

  private NetException refused(int code, Runnable call) {
    NetException refused = assertThrows(NetException.class, call::run);
    assertEquals(code, refused.code(), refused.getMessage());
    return refused;
  }

  /** The interface of this side, up and with an address. */
  private Link pair() {
    links.addVeth("va", "vb", there, 2);
    Link va = kernel.link("va");
    links.addAddress(va.index(), A, 24);
    links.setUp(va.index(), true);
    new LinkRequests(far).setUp(far.link("vb").index(), true);
    return kernel.link("va");
  }

  @Test
  void aPairOfInterfacesSpansNamespaces() {
    Link va = pair();
    Link vb = far.link("vb");
    assertEquals("veth", va.kind());
    assertEquals(Link.ETHERNET, va.type());
    assertTrue(va.isUp() && va.resolves() && vb.isUp());
    assertNotEquals(va.station(), vb.station());
    assertEquals(1500, va.mtu());
    assertEquals(new Link.Xdp(XdpMode.NONE, 0), va.xdp());
    assertEquals(List.of("lo", "va"), kernel.links().stream().map(Link::name).toList());
    assertTrue(kernel.link("lo").isLoopback());
    assertEquals(
        List.of("198.18.0.1/24"), kernel.addresses().stream().map(InterfaceAddress::text).toList());
    links.setUp(va.index(), false);
    assertFalse(kernel.link("va").isUp());
    links.delete(va.index());
    assertEquals(1, far.links().size(), "the peer goes, too");
  }

  @Test
  void anInterfaceIsRenamedAndMoved() {
    links.addVeth("va", "vb", here, 1);
    Link vb = kernel.link("vb");
    links.rename(vb.index(), "vc");
    links.move(kernel.link("vc").index(), there);
    assertEquals("veth", far.link("vc").kind());
    refused(Errno.ENODEV, () -> kernel.link("vc"));
  }

  @Test
  void routesAndNeighboursComeAndGo() {
    Link va = pair();
    KernelRoute host = RouteRequests.host(0xC6120040, va.index());
    routes.add(host);
    KernelRoute far =
        new KernelRoute(
            KernelRoute.MAIN, 0x0A000000, 8, KernelRoute.UNICAST, 7, va.index(), B, A, true);
    routes.add(far);
    KernelRoute hole =
        new KernelRoute(KernelRoute.MAIN, 0x0B000000, 8, KernelRoute.BLACKHOLE, 0, 0, 0, 0, true);
    routes.add(hole);
    routes.addNeighbour(va.index(), B, 0x020000000002L);
    routes.addNeighbour(va.index(), B, 0x020000000003L);

    List<KernelRoute> all = kernel.routes();
    assertTrue(all.contains(host) && all.contains(far) && all.contains(hole), all::toString);
    assertTrue(
        all.stream()
            .anyMatch(
                one ->
                    one.table() == KernelRoute.LOCAL_TABLE
                        && one.type() == KernelRoute.LOCAL
                        && one.destination() == A
                        && one.prefix() == 32));
    Neighbour neighbour =
        kernel.neighbours().stream().filter(one -> one.address() == B).findFirst().orElseThrow();
    assertEquals(new Neighbour(va.index(), B, 0x020000000003L, Neighbour.PERMANENT), neighbour);
    assertTrue(neighbour.isUsable());

    refused(Errno.EEXIST, () -> routes.add(host));
    routes.remove(host);
    refused(3, () -> routes.remove(host));
    routes.removeNeighbour(va.index(), B);
    refused(Errno.ENOENT, () -> routes.removeNeighbour(va.index(), B));
    assertFalse(kernel.routes().contains(host));
  }

  @Test
  void refusalsHaveTheKernelsWords() {
    links.addVeth("va", "vb", there, 1);
    String twice = refused(Errno.EEXIST, () -> links.addVeth("va", "vx", there, 1)).getMessage();
    assertTrue(twice.contains("new link va with peer vx"), twice);
    refused(Errno.ENODEV, () -> links.setUp(99, true));
    String name =
        refused(Errno.EINVAL, () -> links.addVeth("a-name-of-16-byt", "vx", there, 1)).getMessage();
    assertTrue(name.contains("'a-name-of-16-byt'") && name.contains("15 bytes"), name);
    String gateway =
        refused(
                101,
                () ->
                    routes.add(
                        new KernelRoute(
                            KernelRoute.MAIN, 0, 0, KernelRoute.UNICAST, 0, 0, B, 0, true)))
            .getMessage();
    assertTrue(gateway.contains("Nexthop has invalid gateway"), gateway);
  }

  @Test
  void aQuestionIsAskedOnceASecondAndNotForEver() {
    Link va = pair();
    Neighbours neighbours = new Neighbours(kernel);
    assertTrue(neighbours.ask(va.index(), B, 0));
    assertTrue(kernel.neighbours().stream().anyMatch(one -> one.address() == B));
    assertFalse(neighbours.ask(va.index(), B, 999_999_999));
    assertTrue(neighbours.ask(va.index(), B, 1_000_000_000));
    int asked = 0;
    for (int i = 0; i < 1000; i++) {
      asked += neighbours.ask(va.index(), A + 8 + i % 200, 2_000_000_000) ? 1 : 0;
    }
    assertEquals(Neighbours.BURST, asked, "a flood is cut");
    assertTrue(neighbours.ask(va.index(), A + 7, 3_000_000_000L));
    assertFalse(neighbours.ask(99, B, 3_000_000_000L), "an interface that is gone");
  }
}
