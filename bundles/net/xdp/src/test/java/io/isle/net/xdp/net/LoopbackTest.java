package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.ConfigureStage;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetInterface;
import io.isle.api.net.NetState;
import io.isle.lib.packet.NetSig;
import io.isle.lib.packet.UdpFrame;
import io.isle.net.xdp.bpf.RedirectProgram;
import io.isle.net.xdp.bpf.XdpLink;
import io.isle.net.xdp.bpf.XdpProgram;
import io.isle.net.xdp.bpf.XskMap;
import io.isle.net.xdp.configure.Configuration;
import io.isle.net.xdp.lab.LabRegistry;
import io.isle.net.xdp.lab.NetSpaces;
import io.isle.net.xdp.netlink.LinkRequests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Senders and receivers on the machine of the net, by lo of its namespace. */
@Timeout(120)
class LoopbackTest extends NetFixture {
  private static final int LO = 1;

  @BeforeEach
  void prepare() {
    new LinkRequests(pair.kernelB).setUp(LO, true);
    NetInterface target = new NetInterface("vb", settings().get("netns"), 1);
    var ignored =
        new Configuration(new NetSpaces(new LabRegistry()), folder)
            .init(target, Set.of(ConfigureStage.SYSCTL, ConfigureStage.LOOPBACK), false);
  }

  /** A socket of the net's side. */
  private DatagramSocket local(String address) {
    return pair.b.call(
        () -> {
          try {
            return new DatagramSocket(0, InetAddress.getByName(address));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void answered(DatagramSocket from, String to, int number) throws IOException {
    byte[] bytes = ByteBuffer.allocate(64).putInt(number).array();
    from.setSoTimeout(20_000);
    from.send(new DatagramPacket(bytes, bytes.length, new InetSocketAddress(to, PORT)));
    byte[] into = new byte[64];
    receive(from, into);
    assertEquals(number, ByteBuffer.wrap(into).getInt());
  }

  @ParameterizedTest
  @CsvSource({
    "agent, 127.0.0.1, 127.0.0.1",
    "agent, 198.18.0.2, 198.18.0.2",
    "agent, 127.0.0.1, 198.18.0.2",
    "process, 127.0.0.1, 198.18.0.2"
  })
  void localSendersGetAnswers(String placement, String from, String to) throws IOException {
    core.create("n", settings("loopback", "true", "placement", placement));
    app("back", "echo", "own");
    running();
    until(() -> app("back").running());
    try (DatagramSocket client = local(from)) {
      for (int i = 0; i < 100; i++) {
        answered(client, to, i);
        if (i == 50) {
          core.reload("n");
        }
      }
    }
    assertEquals(100, counter("rx", "seen"));
    assertEquals(100, counter("tx", "passed"));
    assertEquals(100, core.find("n").orElseThrow().tiles().getFirst().passed());
  }

  /** Tile 0 has lo, and each tile a queue of the interface. */
  @Tag(TWO_QUEUES)
  @Test
  void othersAreServedBesides() throws IOException {
    core.add("turn", new io.isle.net.apps.EchoApp());
    core.create("n", settings("loopback", "true", "tiles", "2", "mode", "drv"));
    app("back", "turn", "own");
    running();
    until(() -> app("back").running());
    try (DatagramSocket near = local("127.0.0.1");
        DatagramSocket far = client()) {
      for (int i = 0; i < 50; i++) {
        answered(near, "127.0.0.1", i);
        answered(far, "198.18.0.2", i);
      }
      int hash = NetSig.hash(NetSig.of(A, A, far.getLocalPort(), 0, UdpFrame.MIN_BYTES));
      assertEquals(100, counter("tx", "passed"));
      // those for lo, and those that the hash gives to tile 0
      assertEquals(
          50 + (hash % 2 == 0 ? 50 : 0),
          core.counters("n").stream()
              .filter(one -> one.tile() == 0 && one.name().equals("sent"))
              .mapToLong(one -> one.value())
              .sum());
    }
  }

  @Test
  void withoutLoopbackTheKernelHasLo() throws IOException {
    core.create("n", settings());
    app("back", "echo", "own");
    running();
    until(() -> app("back").running());
    try (DatagramSocket client = local("127.0.0.1");
        DatagramSocket receiver =
            pair.b.call(
                () -> {
                  try {
                    return new DatagramSocket(PORT, InetAddress.getByName("127.0.0.1"));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                })) {
      byte[] bytes = ByteBuffer.allocate(64).putInt(7).array();
      client.send(new DatagramPacket(bytes, 64, new InetSocketAddress("127.0.0.1", PORT)));
      receiver.setSoTimeout(20_000);
      byte[] into = new byte[64];
      receiver.receive(new DatagramPacket(into, into.length));
      assertEquals(7, ByteBuffer.wrap(into).getInt());
    }
    assertEquals(0, counter("rx", "seen"));
  }

  @Test
  void aProgramOfSomebodyElseOnLoIsTold() {
    FrameMatch match = new FrameMatch(List.of(7), OptionalInt.empty(), false);
    try (XskMap map = new XskMap(1);
        XdpProgram program = XdpProgram.load(RedirectProgram.of(match, map.descriptor()));
        XdpLink link = pair.b.call(() -> XdpLink.attach(program, LO, XdpLink.Mode.SKB))) {
      assertTrue(link.descriptor() >= 0);
      core.create("n", settings("loopback", "true"));
      until(() -> core.find("n").orElseThrow().state() == NetState.FAILED);
      String reason = core.find("n").orElseThrow().reason();
      assertTrue(reason.startsWith("interface: lo has the program "), reason);
      core.set("n", Map.of("loopback", "false"));
      running();
    }
  }
}
