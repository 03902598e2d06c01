package io.isle.benchmarks.ring;

import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/** Two {@link RingProcess}es, each on a processor of its own, which live until the end. */
final class RingPair implements AutoCloseable {
  /** Longer than any measured round trip: a node never sleeps during a measurement. */
  private static final String SPIN_US = "50000";

  /** In a smoke run, whose nodes share the processors with others. */
  private static final String SMOKE_SPIN_US = "50";

  /** The usual one. */
  private static final String WINDOW = "64";

  private static final long WARM_NS = 5_000_000_000L;

  private final Settings settings;
  private final List<String> options;
  private RingKind kind;
  private String here;
  private String there;
  private final JavaProcess ping;
  private JavaProcess other;
  private boolean warm;

  RingPair(Settings settings, RingKind kind) throws IOException {
    this.settings = settings;
    take(kind);
    options = List.of(settings.size("-Xms256m", "-Xms64m"));
    other = process("1", kind.role(), there, here);
    try {
      ping = process("0", "ping", here, there);
    } catch (IOException e) {
      other.close();
      throw e;
    }
    boolean running = false;
    try {
      running();
      running = true;
    } finally {
      if (!running) {
        close();
      }
    }
  }

  private void take(RingKind next) throws IOException {
    kind = next;
    here = FreeAddress.of(kind.transport());
    there = FreeAddress.of(kind.transport());
  }

  private JavaProcess process(String cpus, String role, String listen, String next)
      throws IOException {
    String[] arguments = arguments(role, listen, next);
    return new JavaProcess(settings, cpus, RingProcess.class, options, arguments);
  }

  private String[] arguments(String role, String listen, String next) {
    return new String[] {
      role,
      kind.dialect().text(),
      listen,
      next,
      Integer.toString(kind.bytes()),
      settings.size(SPIN_US, SMOKE_SPIN_US),
      WINDOW
    };
  }

  /** Goes on as a ring of another kind, in the same processes. */
  void become(RingKind next) throws IOException {
    take(next);
    warm = false;
    double ignored =
        other.ask(node(kind.role(), there, here)) + ping.ask(node("ping", here, there));
    running();
  }

  private String node(String role, String listen, String next) {
    return RingProcess.NODE + " " + String.join(" ", arguments(role, listen, next));
  }

  RingKind kind() {
    return kind;
  }

  /** Waits until the ring runs. */
  void running() throws IOException {
    double ignored = ping.ask("running 0");
  }

  /** The process that answers. */
  JavaProcess other() {
    return other;
  }

  /** Starts the process that answers anew. */
  void restartOther() throws IOException {
    other.close();
    other = process("1", kind.role(), there, here);
  }

  /**
   * Lets the compilers see enough packets, once. Each process has one processor, which its
   * compilers get in the pauses: nodes that wait for a packet take all of it.
   */
  void warm(String command, int count) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (!warm) {
      double ignored = ping.ask(command + " " + count);
      Quiet.await(settings);
      warm = System.nanoTime() - begin >= settings.size(WARM_NS, 0L);
    }
  }

  /** Nanoseconds of a round trip, the mean of {@code count}. */
  double roundTrip(int count) throws IOException {
    return ping.ask("rtt " + count);
  }

  /** Nanoseconds of a packet of many one way. */
  double send(int count) throws IOException {
    return ping.ask("send " + count);
  }

  /** The time by the clock of the machine when the ring ceased to run; waits for it. */
  double down() throws IOException {
    return ping.ask("down 0");
  }

  /** Bytes that both processes have allocated so far. */
  double allocated() throws IOException {
    return ping.ask("allocated 0") + other.ask("allocated 0");
  }

  @Override
  public void close() throws IOException {
    try {
      ping.close();
    } finally {
      other.close();
    }
  }
}
