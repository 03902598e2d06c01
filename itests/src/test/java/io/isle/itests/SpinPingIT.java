package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.isle.lib.ffi.NetNamespace;
import io.isle.lib.net.ping.PingClient;
import io.isle.lib.net.ping.PingTally;
import io.isle.net.xdp.netlink.RouteRequests;
import io.isle.net.xdp.netlink.Rtnetlink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Handlers answer the echo requests that come to an interface, and the kernel behind a second pair
 * of interfaces gets all else: ARP, and datagrams.
 */
@Alone("the kernel's queue of frames that cross interfaces is one for all; full, it loses frames")
@ExtendWith(Platform.class)
class SpinPingIT {
  private static final String LAB = "spinping";
  private static final String NAME = "ping-lab";
  private static final int HOST = 0xC6120002;
  private static final int UDP_PORT = 7;
  private static final int TCP_PORT = 8080;
  private static final int MOST = 100_000;
  private static final int ENOUGH = 50;

  @TempDir Path folder;
  private final HandlerBundle bundle = new HandlerBundle(NAME, "icmp-echo");
  private JsonNode sides;

  @BeforeAll
  static void device() throws Exception {
    HandlerDevice.add();
  }

  @AfterAll
  static void noDevice() throws Exception {
    HandlerDevice.remove();
  }

  @BeforeEach
  void lab() throws Exception {
    Platform.Result made = Platform.sh("net:lab create " + LAB + " --host", "--json");
    assumeTrue(
        made.code() == 0 || !made.err().contains("needs root"), () -> "not here: " + made.err());
    sides = made.succeeded().json();
    bundle.deploy("1.0.0", build(0));
    write(
        "nic",
        "device = " + HandlerDevice.ID,
        "port = packet:lab:" + LAB + ":vb",
        "host = packet:lab:" + LAB + ":ha");
    write("spin", "nic = " + NAME, "handlers = " + NAME);
    // as in other networks, the address of the other side is asked for
    try (NetNamespace space = NetNamespace.ofPath(side("a"));
        Rtnetlink kernel = Rtnetlink.in(space)) {
      new RouteRequests(kernel).removeNeighbour(kernel.link("va").index(), HOST);
    }
    try (PingClient first = icmp()) {
      // while the handlers are not there yet, the kernel answers
      Awaiting.await(
          "an answer of the handlers",
          () -> first.ping(PingClient.MIN_BYTES, 200_000_000) >= 0 && packets() > 0);
    }
  }

  @AfterEach
  void remove() throws Exception {
    Files.deleteIfExists(settings("spin"));
    Files.deleteIfExists(settings("nic"));
    bundle.close();
    if (sides != null) {
      Awaiting.await("the interface is gone", () -> list("list").isEmpty());
      Platform.sh("net:lab delete " + LAB).succeeded();
    }
  }

  private static Path settings(String kind) throws IOException {
    return Devices.settings("none").resolveSibling("io.isle." + kind + "-" + NAME + ".cfg");
  }

  private static void write(String kind, String... lines) throws IOException {
    Files.write(settings(kind), List.of(lines));
  }

  private static JsonNode list(String command) throws IOException {
    return Platform.sh("spin:" + command, "--json").succeeded().json();
  }

  private Path side(String name) {
    for (JsonNode side : sides) {
      if (side.get("side").asText().equals(name)) {
        return Path.of(side.get("netns").asText());
      }
    }
    throw new AssertionError(name + " is not in " + sides);
  }

  private PingClient icmp() {
    return PingClient.icmp(Optional.of(side("a")), HOST, MOST);
  }

  /** The shipped handler, which counts its runs in the counter of its version besides. */
  private Path build(int version) throws IOException {
    Path shipped = Platform.root().resolve("native-shims/spin/handlers/icmp_ping.c");
    Path source = folder.resolve("ping.c");
    Path image = folder.resolve("ping.spin");
    Files.writeString(
        source,
        """
        #define icmp_ping_ph answer
        #include "%s"
        __handler__ void version_ph(handler_args_t *args)
        {
            push_counter(&__host_data.counters[1 + %d], 1);
            answer(args);
        }
        """
            .formatted(shipped, version));
    Platform.sh("spin:build '" + source + "' --out '" + image + "'").succeeded();
    return image;
  }

  private void update(int version) throws Exception {
    bundle.deploy("1.0." + version, build(version));
    Awaiting.await("version " + version + " runs", () -> runs(version));
  }

  private static boolean runs(int version) throws IOException {
    for (JsonNode counter : list("counters " + NAME)) {
      if (counter.get("counter").asText().equals("handler_" + (1 + version))) {
        return counter.get("count").asLong() > 0;
      }
    }
    return false;
  }

  private static PingTally assertExact(PingStream pings) throws Exception {
    Awaiting.await("answers", () -> pings.answers() >= ENOUGH);
    PingTally tally = pings.end(true);
    assertTrue(tally.isExact(), tally::toString);
    return tally;
  }

  /** Packets that handlers, and not the kernel behind them, have had. */
  private static long packets() throws IOException {
    // of all: asked for by name, one that is not there yet is an error
    return list("contexts").path(0).path("packets").asLong();
  }

  @Test
  void eachRequestHasOneAnswerWhileTheBundleIsUpdated() throws Exception {
    long before = packets();
    try (UdpEcho _ = new UdpEcho(side("host"), UDP_PORT);
        PingStream pings = new PingStream(icmp());
        PingStream datagrams =
            new PingStream(PingClient.udp(Optional.of(side("a")), HOST, UDP_PORT, MOST))) {
      for (int version = 1; version <= 3; version++) {
        update(version);
        download();
      }
      long requests = assertExact(pings).sent();
      assertExact(datagrams);
      assertEquals(requests, packets() - before);
    }
    assertEquals(0, list("contexts " + NAME).get(0).get("drops").asLong());
  }

  /** Bytes over TCP, which the kernel of the host would like a device to cut into frames. */
  private void download() throws Exception {
    byte[] bytes = Blocks.random(500_000);
    try (ServerSocket server = inside("host", () -> new ServerSocket(TCP_PORT))) {
      Thread.ofPlatform().daemon().start(() -> serve(server, bytes));
      try (Socket client = inside("a", () -> new Socket("198.18.0.2", TCP_PORT))) {
        client.setSoTimeout(30_000);
        assertArrayEquals(bytes, client.getInputStream().readAllBytes());
      }
    }
  }

  private static void serve(ServerSocket server, byte[] bytes) {
    try (Socket one = server.accept()) {
      one.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private <T> T inside(String side, Callable<T> work) {
    try (NetNamespace space = NetNamespace.ofPath(side(side))) {
      return space.call(
          () -> {
            try {
              return work.call();
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
    }
  }

  @Test
  void thePingOfTheMachineCountsNoLossAndNoDuplicate() throws Exception {
    Call version = Call.begin(folder, Map.of(), List.of("sh", "-c", "ping -V"));
    assumeTrue(version.end().out().contains("iputils"), "there is no ping of iputils");
    int count = 400;
    long before = packets();
    Call ping =
        Call.begin(
            folder,
            Map.of(),
            List.of(
                "nsenter",
                "--net=" + side("a"),
                "ping",
                "-q",
                "-i",
                "0.01",
                "-W",
                "30",
                "-c",
                Integer.toString(count),
                "198.18.0.2"));
    update(1);
    update(2);
    String out = ping.end().succeeded().out();
    assertTrue(
        out.contains(count + " packets transmitted, " + count + " received, 0% packet loss"), out);
    assertEquals(count, packets() - before);
  }

  @Test
  void answersComeAgainAfterTheEndOfTheProcessOfTheHandlers() throws Exception {
    try (PingStream pings = new PingStream(icmp())) {
      Awaiting.await("answers", () -> pings.answers() >= ENOUGH);
      ProcessHandle process = HandlerDevice.process();
      long before = pings.answers();
      assertTrue(process.destroyForcibly());
      process.onExit().join();
      // those of before have come by then
      Awaiting.await("answers again", () -> pings.answers() >= before + 2 * ENOUGH);
      PingTally tally = pings.end(false);
      System.out.printf("after kill -9: %d ms without an answer, %s%n", ms(pings), tally);
      assertEquals(0, tally.repeated() + tally.wrong(), tally::toString);
    }
    long before = packets();
    try (PingStream pings = new PingStream(icmp())) {
      assertEquals(assertExact(pings).sent(), packets() - before);
    }
  }

  private static long ms(PingStream pings) {
    return pings.longestGapNs() / 1_000_000;
  }
}
