package io.isle.fabric.ring.process.child;

import io.isle.fabric.ring.process.wire.Answer;
import io.isle.fabric.ring.process.wire.EndedException;
import io.isle.fabric.ring.process.wire.MalformedException;
import io.isle.fabric.ring.process.wire.MessageLine;
import io.isle.fabric.ring.process.wire.Order;
import io.isle.lib.agent.SerialExecutor;
import io.isle.lib.ffi.ParentProcess;
import io.isle.lib.ffi.UnixConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The main class of the process of a node: {@code SOCKET NODE}. The process ends with the socket. A
 * node that does not end in time ends with the process.
 */
public final class NodeProcess {
  /** Name of the process, for tools such as ps; the arguments have the name of the node. */
  public static final String COMM = "ring-node";

  private static final System.Logger LOG = System.getLogger(NodeProcess.class.getName());
  private static final long REPORT_NS = 1_000_000_000;
  private static final Duration LEAVE = Duration.ofSeconds(1);
  private static final int FAILED = 1;

  /** No number of {@link HostedNode#counted}. */
  private static final long UNSENT = -1;

  private final MessageLine<Answer, Order> line;
  private final SerialExecutor executor = new SerialExecutor("isle-rings");
  private final HostedNode node;
  private Answer.Report last;

  /** Of the last report without a question. */
  private long counted = UNSENT;

  /** Number of the last question whose answer had no room; 0 for none. */
  private final AtomicLong owed = new AtomicLong();

  private long toldNs = System.nanoTime();
  private boolean leaving;

  private NodeProcess(MessageLine<Answer, Order> line) {
    this.line = line;
    node =
        new HostedNode(
            executor, (ring, teller, change) -> send(new Answer.News(Bounded.of(change))));
  }

  public static void main(String[] args) throws IOException {
    // as with driver hosts: by the kernel, because a stopped process reads no end of its socket
    ParentProcess.endsThisProcess();
    Path ignored = Files.writeString(Path.of("/proc/self/comm"), COMM);
    UnixConnection connection = UnixConnection.connect(args[0]);
    if (ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L)
        != connection.peerPid()) {
      throw new IllegalStateException("the socket is not that of the platform");
    }
    MessageLine<Answer, Order> line = MessageLine.node(connection);
    LogToPlatform.install(line);
    new NodeProcess(line).run();
  }

  private void run() {
    int code = 0;
    try {
      while (!leaving) {
        for (Optional<Order> order = line.receive(); order.isPresent(); order = line.receive()) {
          take(order.get());
        }
        if (!leaving) {
          line.await(REPORT_NS);
          tell();
        }
      }
    } catch (EndedException e) {
      // the platform is gone
    } catch (MalformedException | RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "the process of the node failed", e);
      code = FAILED;
    }
    end(code);
  }

  private void take(Order order) {
    switch (order) {
      case Order.Open open -> post(() -> open(open));
      case Order.Ask ask -> answer(ask.number());
      case Order.Leave _ -> leaving = true;
      default -> post(() -> node.apply(order));
    }
  }

  private void open(Order.Open order) {
    try {
      node.open(order.node(), order.settings());
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.log(System.Logger.Level.WARNING, "the node cannot be made: " + e.getMessage(), e);
      Runtime.getRuntime().halt(FAILED);
    }
    node.report(0).ifPresent(this::report);
  }

  private void post(Runnable work) {
    boolean ignored = executor.post(work);
  }

  /** At once, so that a stage that hangs does not hold a report up. */
  private void answer(long number) {
    node.report(number)
        .ifPresentOrElse(
            this::report, () -> post(() -> node.report(number).ifPresent(this::report)));
  }

  /** Whether the report was sent; an answer without room is owed. */
  private boolean report(Answer.Report report) {
    boolean sent = line.send(report) == 0;
    if (!sent) {
      long ignored = owed.accumulateAndGet(report.number(), Math::max);
    }
    return sent;
  }

  /**
   * What nobody asked for keeps the counters of a process that is killed. Times of packets alone
   * are no news: each sign of life changes them.
   */
  private void tell() {
    long now = System.nanoTime();
    if (now - toldNs < REPORT_NS) {
      return;
    }
    toldNs = now;
    long number = owed.getAndSet(0);
    long before = counted;
    counted = node.counted();
    if (number == 0 && counted == before) {
      return;
    }
    node.report(number)
        .filter(report -> number > 0 || !report.withoutTimes().equals(last))
        .ifPresent(
            report -> {
              if (report(report)) {
                last = report.withoutTimes();
              } else {
                counted = UNSENT;
              }
            });
  }

  /** News without room are in the log of the neighbours, too. */
  private void send(Answer answer) {
    int ignored = line.send(answer);
  }

  private void end(int code) {
    Thread limit =
        Thread.ofPlatform()
            .daemon()
            .unstarted(
                () -> {
                  pause(LEAVE);
                  Runtime.getRuntime().halt(FAILED);
                });
    limit.start();
    executor.finish();
    node.close();
    boolean ignored = node.report(0).map(this::report).orElse(false);
    Runtime.getRuntime().halt(code);
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
