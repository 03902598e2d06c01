package io.isle.net.xdp.netlink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.tile.RouteReader;
import io.isle.lib.tile.RouteTable;
import io.isle.lib.tile.Routes;
import io.isle.net.xdp.testing.Spaces;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A monitor of a namespace, and the table of tiles behind it. */
@Timeout(60)
class NetMonitorTest {
  private static final int A = 0xC6120001;
  private static final int B = 0xC6120002;

  private NetNamespace here;
  private NetNamespace there;
  private Rtnetlink kernel;
  private LinkRequests links;
  private RouteRequests routes;
  private NetMonitor monitor;
  private int va;

  @BeforeEach
  void open() {
    here = Spaces.create();
    there = Spaces.create();
    kernel = Rtnetlink.in(here);
    links = new LinkRequests(kernel);
    routes = new RouteRequests(kernel);
    links.addVeth("va", "vb", there, 1);
    va = kernel.link("va").index();
    try (Rtnetlink far = Rtnetlink.in(there)) {
      new LinkRequests(far).setUp(far.link("vb").index(), true);
    }
    monitor = NetMonitor.in(here);
    assertTrue(monitor.poll(), "the first poll reads all");
  }

  @AfterEach
  void close() {
    if (here != null) {
      monitor.close();
      kernel.close();
      there.close();
      here.close();
    }
  }

  /** Until the view is what it should be: the kernel may tell of one change in several messages. */
  private void await(Predicate<NetView> wanted) {
    PollSet poll = new PollSet(1);
    poll.set(0, monitor.descriptor(), PollSet.POLLIN);
    while (!wanted.test(monitor.view())) {
      assertEquals(1, poll.await(1, 10_000_000_000L), () -> "no change behind " + monitor.view());
      assertTrue(monitor.poll() || monitor.view() != null);
    }
  }

  private static boolean hasLocal(NetView view) {
    return view.routes().stream()
        .anyMatch(one -> one.type() == KernelRoute.LOCAL && one.destination() == A);
  }

  @Test
  void changesArrive() {
    assertFalse(monitor.poll(), "nothing has changed");
    links.addAddress(va, A, 24);
    links.setUp(va, true);
    await(view -> hasLocal(view) && view.link("va").orElseThrow().isUp());
    routes.addNeighbour(va, B, 0x020000000002L);
    await(view -> view.neighbours().stream().anyMatch(one -> one.address() == B));
    routes.removeNeighbour(va, B);
    await(view -> view.neighbours().stream().noneMatch(one -> one.address() == B));
  }

  /** The kernel tells of no route that goes with its interface. */
  @Test
  void routesGoWithTheirInterface() {
    links.addAddress(va, A, 24);
    links.setUp(va, true);
    routes.add(RouteRequests.host(0xC6120040, va));
    await(view -> view.routes().stream().anyMatch(one -> one.destination() == 0xC6120040));
    links.setUp(va, false);
    await(view -> view.routes().stream().noneMatch(one -> one.destination() == 0xC6120040));
  }

  /** More messages than the socket has room for: what is read again is the truth. */
  @Test
  void anOverrunIsFollowedByAResync() {
    links.addAddress(va, A, 24);
    for (int i = 0; monitor.overruns() == 0; i++) {
      assertTrue(i < 10, "no overrun");
      for (int k = 0; k < 4000; k++) {
        links.setUp(va, k % 2 == 0);
      }
      boolean ignored = monitor.poll();
    }
    links.setUp(va, true);
    await(view -> hasLocal(view) && view.link("va").orElseThrow().isUp());
    assertFalse(monitor.poll(), "settled");
  }

  @Test
  void theTableOfTilesFollows() {
    MemorySegment memory = Arena.ofAuto().allocate(RouteTable.BYTES, 8);
    RouteMirror mirror = new RouteMirror(new RouteTable(memory));
    RouteReader reader = new RouteReader(memory);
    mirror.write(monitor.view());
    assertEquals(Routes.NO_ROUTE, reader.lookup(B));

    links.addAddress(va, A, 24);
    links.setUp(va, true);
    links.setUp(1, true);
    routes.addNeighbour(va, B, 0x020000000002L);
    await(
        view ->
            hasLocal(view)
                && view.link("lo").orElseThrow().isUp()
                && view.neighbours().stream().anyMatch(one -> one.address() == B));
    mirror.write(monitor.view());
    assertEquals("", mirror.problem());
    assertEquals(Routes.SENDS, reader.lookup(B));
    assertEquals(va, reader.interfaceIndex());
    assertEquals(0x020000000002L, reader.neighbor());
    assertEquals(kernel.link("va").station(), reader.station());
    assertEquals(A, reader.source());
    assertEquals(Routes.SENDS, reader.lookup(A), "to the machine itself");
    assertEquals(1, reader.interfaceIndex());
    assertEquals(Routes.NO_NEIGHBOR, reader.lookup(A + 9));
    assertEquals(Routes.ROUTE_TYPE, reader.lookup(A | 0xFF), "broadcast");
    assertEquals(Routes.NO_ROUTE, reader.lookup(0x08080808));

    links.setUp(va, false);
    await(view -> !view.link("va").orElseThrow().isUp());
    mirror.write(monitor.view());
    assertEquals(Routes.NO_ROUTE, reader.lookup(B));
  }

  @Test
  void tooManyRoutesAreNoneAndTheMirrorSaysSo() {
    List<KernelRoute> many = new ArrayList<>();
    for (int i = 0; i <= RouteTable.ROUTES; i++) {
      many.add(RouteRequests.host(0x0A000000 + i, va));
    }
    MemorySegment memory = Arena.ofAuto().allocate(RouteTable.BYTES, 8);
    RouteMirror mirror = new RouteMirror(new RouteTable(memory));
    NetView view = monitor.view();
    mirror.write(new NetView(view.links(), view.addresses(), many, List.of()));
    assertEquals(Routes.NO_ROUTE, new RouteReader(memory).lookup(0x0A000000));
    assertTrue(mirror.problem().contains("1025 routes"), mirror.problem());
  }
}
