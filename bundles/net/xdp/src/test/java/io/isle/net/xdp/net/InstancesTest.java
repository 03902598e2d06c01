package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Setting;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetAppTask;
import io.isle.lib.ffi.PeerCredentials;
import io.isle.lib.packet.NetSig;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import io.isle.net.apps.CaptureApp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.DatagramSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Apps whose instances share the frames of their ports. */
@Timeout(120)
class InstancesTest extends NetFixture {
  private static final int NOBODY = 65534;
  private static final int FLOWS = 128;

  /** Keeps the ports of the senders of each instance. */
  private static final class FlowsApp implements NetApp {
    final List<Set<Integer>> instances = new CopyOnWriteArrayList<>();

    @Override
    public List<Setting> settings() {
      return List.of();
    }

    @Override
    public NetAppTask open(FramePort port, Map<String, String> settings) {
      Set<Integer> flows = ConcurrentHashMap.newKeySet();
      instances.add(flows);
      return new NetAppTask() {
        @Override
        public int cycle(long nowNs) {
          return port.poll(
              (memory, offset, length, signature) ->
                  flows.add(Udp.sourcePort(memory, UdpFrame.udp(memory, offset))),
              64);
        }

        @Override
        public Map<String, Long> counters() {
          return Map.of();
        }

        @Override
        public void close() {}
      };
    }
  }

  private void app(String name, String kind, int instances, int depth) {
    core.createApp(
        name,
        Map.of(
            "kind",
            kind,
            "nets",
            "n",
            "ports",
            Integer.toString(PORT),
            "depth",
            Integer.toString(depth),
            "instances",
            Integer.toString(instances)));
  }

  private List<DatagramSocket> clients() {
    List<DatagramSocket> clients = new ArrayList<>();
    for (int i = 0; i < FLOWS; i++) {
      clients.add(client());
    }
    return clients;
  }

  private static void send(List<DatagramSocket> clients) {
    try {
      for (DatagramSocket client : clients) {
        client.send(packet(client.getLocalPort(), PORT));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFlowStaysWithItsInstance() {
    FlowsApp flows = new FlowsApp();
    core.add("flows", flows);
    core.create("n", settings());
    app("share", "flows", 4, 256);
    running();
    until(() -> app("share").running());
    List<DatagramSocket> clients = clients();
    try {
      for (int i = 1; i <= 3; i++) {
        send(clients);
        int sent = i * FLOWS;
        until(() -> app("share").received() == sent);
        core.reload("n");
      }
    } finally {
      clients.forEach(DatagramSocket::close);
    }
    assertEquals(4, flows.instances.size());
    assertEquals(4, app("share").instances());
    assertEquals(FLOWS, flows.instances.stream().mapToInt(Set::size).sum());
    flows.instances.forEach(one -> assertTrue(one.size() > FLOWS / 16, one::toString));
    assertEquals(3 * FLOWS, counter("rx", "passed"));
    assertEquals(4, host.agents().stream().filter(a -> a.name().contains("share-n-")).count());
  }

  @Test
  void changedInstancesAttachAgain() {
    FlowsApp flows = new FlowsApp();
    core.add("flows", flows);
    core.create("n", settings());
    app("share", "flows", 3, 512);
    running();
    until(() -> app("share").reason().contains("512 frames for each of 3 instances beside 0"));
    core.setApp("share", Map.of("instances", "2"));
    until(() -> app("share").running());
    assertEquals(List.of(PORT), core.find("n").orElseThrow().ports());
    flows.instances.clear();
    core.setApp("share", Map.of("instances", "1"));
    until(() -> app("share").running());
    assertEquals(1, flows.instances.size());
    List<DatagramSocket> clients = clients();
    try {
      send(clients);
    } finally {
      clients.forEach(DatagramSocket::close);
    }
    until(() -> app("share").received() == FLOWS);
    assertEquals(FLOWS, flows.instances.getFirst().size());
  }

  @Test
  void linksAndKindsHaveLimits() {
    core.add("capture", new CaptureApp());
    core.create("n", settings("app_frames", "8192"));
    app("first", "drop", 20, 128);
    running();
    until(() -> app("first").running());
    core.createApp(
        "second",
        Map.of("kind", "drop", "nets", "n", "ports", "9001", "depth", "128", "instances", "20"));
    until(() -> app("second").reason().equals("the net has 32 links, the most"));
    assertTrue(app("first").running());
    core.setApp("second", Map.of("instances", "12"));
    until(() -> app("second").running());
    core.createApp(
        "shot", Map.of("kind", "capture", "nets", "n", "out", "/tmp/none", "instances", "2"));
    until(() -> app("shot").reason().equals("instances: an app of kind capture has 1"));
  }

  private Process attach() throws IOException {
    Path program = Path.of(System.getProperty("isle.native")).resolve("net-peer");
    return new ProcessBuilder(
            program.toString(), folder.resolve("net-n.sock").toString(), "counter")
        .redirectErrorStream(true)
        .start();
  }

  private static String line(BufferedReader from) throws IOException {
    String line = from.readLine();
    return line == null ? "" : line;
  }

  private static void end(Process process) {
    process.destroyForcibly();
    try {
      assertTrue(process.waitFor(20, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How many of some flows belong to an instance of two of app 0. */
  private static long share(List<DatagramSocket> clients, int instance) {
    return clients.stream()
        .filter(
            one ->
                NetSig.hash(NetSig.of(A, A, one.getLocalPort(), 0, UdpFrame.MIN_BYTES)) % 2
                    == instance)
        .count();
  }

  private static void count(Process process, long frames) throws IOException {
    Writer in = process.outputWriter(StandardCharsets.US_ASCII);
    in.write("count " + frames + "\n");
    in.flush();
  }

  @Test
  void processesAreInstances() throws IOException {
    int user = PeerCredentials.ownUid() == 0 ? NOBODY : PeerCredentials.ownUid();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    core.create("n", settings());
    core.createApp(
        "counter",
        Map.of(
            "uid",
            Integer.toString(user),
            "nets",
            "n",
            "ports",
            "9000",
            "depth",
            "256",
            "instances",
            "2"));
    running();
    assertEquals(2, app("counter").instances());
    List<DatagramSocket> clients = clients();
    Process first = attach();
    Process second = null;
    Process third = null;
    try (BufferedReader one = first.inputReader(StandardCharsets.US_ASCII)) {
      assertTrue(line(one).startsWith("attached 0 0 1 "));
      until(() -> app("counter").reason().equals("1 of 2 processes have attached"));
      second = attach();
      try (BufferedReader two = second.inputReader(StandardCharsets.US_ASCII)) {
        assertTrue(line(two).startsWith("attached 0 1 1 "));
        until(() -> app("counter").running());
        third = attach();
        try (BufferedReader three = third.inputReader(StandardCharsets.US_ASCII)) {
          String refused = line(three);
          assertTrue(refused.contains("instances: all 2"), refused);
        }
        long firsts = share(clients, 0);
        assertNotEquals(0, firsts);
        assertNotEquals(FLOWS, firsts);
        send(clients);
        count(first, firsts);
        count(second, FLOWS - firsts);
        assertTrue(line(one).startsWith(firsts + " 0 0 "));
        assertTrue(line(two).startsWith(FLOWS - firsts + " 0 0 "));
        end(first);
        until(() -> app("counter").reason().equals("1 of 2 processes have attached"));
        // all flows are those of the instance that is left
        send(clients);
        count(second, FLOWS);
        assertTrue(line(two).startsWith(FLOWS + " 0 0 "));
      }
      third = attach();
      try (BufferedReader three = third.inputReader(StandardCharsets.US_ASCII)) {
        assertTrue(line(three).startsWith("attached 0 0 1 "));
      }
    } finally {
      clients.forEach(DatagramSocket::close);
      end(first);
      if (second != null) {
        end(second);
      }
      if (third != null) {
        end(third);
      }
    }
  }
}
