package io.isle.benchmarks.ring;

import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.node.RingNode;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.stage.PassStage;
import io.isle.fabric.shm.ShmTransport;
import io.isle.fabric.tcp.TcpTransport;
import io.isle.fabric.udp.UdpTransport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A process with one node of a ring of two: {@code ping|echo|pass DIALECT LISTEN NEXT BYTES SPIN_US
 * WINDOW}. A ping and an echo are masters, whose tenant the process is; a pass is a worker. The
 * process reads commands {@code NAME NUMBER} from its input, and prints a number for each.
 */
final class RingProcess implements AutoCloseable {
  private static final Map<String, RingTransport> TRANSPORTS =
      Map.of("tcp", new TcpTransport(), "udp", new UdpTransport(), "shm", new ShmTransport());

  private final FabricAgent agent = new FabricAgent(() -> nodeChanged());
  private final RingNode node;

  private RingProcess(String[] args) {
    Map<String, String> settings = new HashMap<>();
    settings.put("role", args[0].equals("pass") ? "worker" : "master");
    settings.put("prev.dialect", args[1]);
    settings.put("next.dialect", args[1]);
    settings.put("listen", args[2]);
    settings.put("next", args[3]);
    settings.put("packet_bytes", args[4]);
    settings.put("spin_us", args[5]);
    settings.put("window", args[6]);
    node = new RingNode(args[0], NodeSettings.of(settings), agent);
    node.use("pass", new PassStage());
    TRANSPORTS.forEach(node::attach);
  }

  private void nodeChanged() {
    RingNode changed = node;
    if (changed != null) {
      changed.notifyListeners();
    }
  }

  private RingEndpoint open() {
    return node.open(AnyCapability.INSTANCE, (boundaries, work) -> work.get(), () -> {});
  }

  /** A command of a process. */
  @FunctionalInterface
  interface Command {
    double run(int number) throws InterruptedException;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    try (RingProcess process = new RingProcess(args)) {
      Map<String, Command> commands = new HashMap<>();
      commands.put("allocated", any -> Allocated.bytes());
      if (args[0].equals("ping")) {
        commands.putAll(new Ping(process.open()).commands());
      } else if (args[0].equals("echo")) {
        Echo.start(process.open());
      }
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", -1);
        System.out.println(commands.get(words[0]).run(Integer.parseInt(words[1])));
      }
    }
  }

  @Override
  public void close() {
    node.close();
    agent.close();
  }
}
