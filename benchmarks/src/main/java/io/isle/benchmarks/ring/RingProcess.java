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
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A process with one node of a ring of two: {@code ping|echo|pass DIALECT LISTEN NEXT BYTES SPIN_US
 * WINDOW}. A ping and an echo are masters, whose tenant the process is; a pass is a worker. The
 * process reads commands {@code NAME NUMBER} from its input, and prints a number for each; see also
 * {@link #NODE}.
 */
final class RingProcess implements AutoCloseable {
  /** The command, with the arguments of a process, that closes the node and opens another one. */
  static final String NODE = "node";

  private static final Map<String, RingTransport> TRANSPORTS =
      Map.of("tcp", new TcpTransport(), "udp", new UdpTransport(), "shm", new ShmTransport());

  private final FabricAgent agent = new FabricAgent(() -> nodeChanged());
  private final RingNode node;
  private final Map<String, Command> commands = new HashMap<>();

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
    commands.put("allocated", any -> Allocated.bytes());
    if (args[0].equals("ping")) {
      commands.putAll(new Ping(open()).commands());
    } else if (args[0].equals("echo")) {
      Echo.start(open());
    }
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
    RingProcess process = new RingProcess(args);
    try {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", -1);
        if (words[0].equals(NODE)) {
          process.close();
          process = new RingProcess(Arrays.copyOfRange(words, 1, words.length));
          System.out.println(0);
        } else {
          System.out.println(process.commands.get(words[0]).run(Integer.parseInt(words[1])));
        }
      }
    } finally {
      process.close();
    }
  }

  @Override
  public void close() {
    node.close();
    agent.close();
  }
}
