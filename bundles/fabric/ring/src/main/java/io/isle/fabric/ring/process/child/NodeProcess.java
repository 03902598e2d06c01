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

/**
 * The main class of the process of a node: {@code SOCKET NODE}. The process ends with the socket. A
 * node that does not end in time ends with the process.
 */
public final class NodeProcess {
  /** Name of the process, for tools such as ps; the arguments have the name of the node. */
  public static final String COMM = "ring-node";

  private static final long REPORT_NS = 1_000_000_000;
  private static final Duration LEAVE = Duration.ofSeconds(1);
  private static final int FAILED = 1;

  private final MessageLine<Answer, Order> line;
  private final SerialExecutor executor = new SerialExecutor("isle-rings");
  private final HostedNode node;
  private Answer.Report last;
  private long toldNs = System.nanoTime();
  private boolean leaving;

  private NodeProcess(MessageLine<Answer, Order> line) {
    this.line = line;
    node = new HostedNode(executor, (ring, teller, change) -> send(new Answer.News(change)));
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
      System.getLogger(NodeProcess.class.getName())
          .log(System.Logger.Level.ERROR, "the process of the node failed", e);
      code = FAILED;
    }
    end(code);
  }

  private void take(Order order) {
    switch (order) {
      case Order.Open open -> post(() -> node.open(open.node(), open.settings()));
      case Order.Ask ask -> answer(ask.number());
      case Order.Leave _ -> leaving = true;
      default -> post(() -> node.apply(order));
    }
  }

  private void post(Runnable work) {
    boolean ignored = executor.post(work);
  }

  /** At once, so that a stage that hangs does not hold a report up. */
  private void answer(long number) {
    node.report(number)
        .ifPresentOrElse(this::send, () -> post(() -> node.report(number).ifPresent(this::send)));
  }

  /** What nobody asked for keeps the counters of a process that is killed. */
  private void tell() {
    long now = System.nanoTime();
    if (now - toldNs < REPORT_NS) {
      return;
    }
    toldNs = now;
    node.report(0)
        .filter(report -> !report.equals(last))
        .ifPresent(
            report -> {
              last = report;
              send(report);
            });
  }

  /**
   * A report without room is told again; news without room are in the log of the neighbours, too.
   */
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
    node.report(0).ifPresent(this::send);
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
