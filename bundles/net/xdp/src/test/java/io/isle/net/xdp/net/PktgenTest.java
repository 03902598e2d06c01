package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.packet.Ipv4;
import io.isle.net.apps.PktgenApp;
import io.isle.net.xdp.lab.LabRegistry;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.netlink.KernelRoute;
import io.isle.net.xdp.netlink.Neighbour;
import io.isle.net.xdp.netlink.RouteRequests;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames to a host that does not exist, and what the kernel has of the host meanwhile. */
@Timeout(120)
class PktgenTest extends NetFixture {
  private static final int FAKE = Ipv4.parse("198.18.0.64");

  @BeforeEach
  void kind() {
    core.add("pktgen", new PktgenApp());
    core.create("n", settings());
    running();
  }

  private static Map<String, String> pktgen(String... more) {
    Map<String, String> all = new HashMap<>();
    all.put("kind", "pktgen");
    all.put("nets", "n");
    all.put("depth", "512");
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  private long routes() {
    return pair.kernelB.routes().stream()
        .filter(one -> one.destination() == FAKE && one.table() == KernelRoute.MAIN)
        .count();
  }

  private long neighbours() {
    return pair.kernelB.neighbours().stream().filter(one -> one.address() == FAKE).count();
  }

  private Path note() {
    return folder.resolve("net-hosts");
  }

  @Test
  void allFramesLeaveByARouteThatIsThereMeanwhile() {
    core.startApp("gen", pktgen("count", "5000"));
    until(() -> app("gen").sent() == 5000);
    assertEquals(1, routes());
    Neighbour host =
        pair.kernelB.neighbours().stream()
            .filter(one -> one.address() == FAKE)
            .findFirst()
            .orElseThrow();
    assertEquals(0, host.station());
    assertTrue((host.state() & Neighbour.PERMANENT) != 0);
    assertTrue(Files.exists(note()));
    until(() -> counter("app_tx", "seen") == 5000);
    assertEquals(5000, counter("app_tx", "passed") + counter("app_tx", "ring_full"));
    assertEquals(0, counter("tx", "no_neighbor"));
    assertEquals(0, counter("tx", "no_route"));
    assertTrue(core.removeApp("gen"));
    assertEquals(0, routes() + neighbours());
    assertFalse(Files.exists(note()));
    // an app without a file leaves none
    assertEquals(Map.of(), files.instances("io.isle.netapp"));
  }

  @Test
  void theCountersOfAnAppBeginAtNull() {
    core.startApp("gen", pktgen("count", "100"));
    until(() -> counter("app_tx", "passed") == 100);
    assertTrue(core.removeApp("gen"));
    core.startApp("gen", pktgen("count", "7"));
    until(() -> counter("app_tx", "passed") == 7);
    assertEquals(107, counter("tx", "passed"));
  }

  @Test
  void theHostGoesWithTheNetAndComesBackWithIt() {
    core.startApp("gen", pktgen("rate", "10"));
    until(() -> app("gen").running());
    assertEquals(1, routes());
    assertTrue(core.remove("n"));
    assertEquals(0, routes() + neighbours());
    core.create("n", settings());
    until(() -> app("gen").running());
    assertEquals(1, routes());
    core.close();
    assertEquals(0, routes() + neighbours());
    core = null;
    host.close();
    pair.close();
  }

  @Test
  void theAddressOfAHostIsRefusedAndNothingIsLeft() {
    core.startApp("gen", pktgen("fake_dst_ip", "198.18.0.1"));
    until(() -> app("gen").reason().startsWith("fake_dst_ip: 198.18.0.1 is the address of a host"));
    assertTrue(core.removeApp("gen"));
    core.startApp("gen", pktgen("fake_dst_ip", "198.18.0.2"));
    until(() -> app("gen").reason().startsWith("fake_dst_ip: 198.18.0.2 is an address of the"));
    assertTrue(core.removeApp("gen"));
    new RouteRequests(pair.kernelB).add(RouteRequests.host(FAKE, pair.vb().index()));
    core.startApp("gen", pktgen());
    until(() -> app("gen").reason().contains("198.18.0.64/32 has a route"));
    assertEquals(1, routes());
    assertEquals(0, neighbours());
    assertFalse(Files.exists(note()));
  }

  /** As a platform finds them that was killed before. */
  @Test
  void whatAKilledPlatformLeavesIsRemoved() throws Exception {
    HostFile.Host host = new HostFile.Host("/proc/self/fd/" + pair.b.descriptor(), "vb", FAKE);
    FakeHost fake = new FakeHost(pair.kernelB, pair.vb().index(), FAKE);
    HostFile killed = new HostFile(note());
    killed.add(host);
    fake.add();
    new HostFile(note()).clean(new NetSpaces(new LabRegistry()));
    assertEquals(0, routes() + neighbours());
    assertFalse(Files.exists(note()));
    // a route of somebody else stays, and so does a note that cannot be followed now
    killed.add(host);
    new RouteRequests(pair.kernelB).add(RouteRequests.host(FAKE, pair.vb().index()));
    new HostFile(note()).clean(new NetSpaces(new LabRegistry()));
    assertEquals(1, routes());
    Files.writeString(note(), "no sense\n");
    new HostFile(note()).clean(new NetSpaces(new LabRegistry()));
    assertFalse(Files.exists(note()));
    new HostFile(note()).add(new HostFile.Host("lab:x", "vb", FAKE));
    assertFalse(Files.exists(note()));
  }

  @Test
  void keysOfTheKindAreChecked() {
    for (String[] wrong :
        new String[][] {{"rate", "-1"}, {"count", "many"}, {"out", "/f"}, {"rate", "1000000001"}}) {
      NetException refused =
          assertThrows(NetException.class, () -> core.createApp("a", pktgen(wrong)));
      assertEquals(Errno.EINVAL, refused.code());
      assertTrue(refused.getMessage().contains(wrong[0]), refused.getMessage());
    }
    core.createApp("a", pktgen("rate", "10"));
    NetException refused =
        assertThrows(NetException.class, () -> core.setApp("a", Map.of("rate", "x")));
    assertTrue(refused.getMessage().contains("rate"), refused.getMessage());
    assertEquals("10", files.read("io.isle.netapp-a").orElseThrow().get("rate"));
    assertTrue(core.kinds().get("pktgen").stream().anyMatch(one -> one.key().equals("rate")));
  }

  @Test
  void anAppWithoutAFileBelongsToItsCommand() {
    core.startApp("gen", pktgen("rate", "10"));
    for (Runnable wrong :
        new Runnable[] {
          () -> core.startApp("gen", pktgen()), () -> core.createApp("gen", pktgen())
        }) {
      NetException refused = assertThrows(NetException.class, wrong::run);
      assertEquals(Errno.EEXIST, refused.code());
    }
    NetException busy =
        assertThrows(NetException.class, () -> core.setApp("gen", Map.of("rate", "20")));
    assertEquals(Errno.EBUSY, busy.code());
    NetException bad = assertThrows(NetException.class, () -> core.startApp("b", Map.of()));
    assertEquals(Errno.EINVAL, bad.code());
  }
}
