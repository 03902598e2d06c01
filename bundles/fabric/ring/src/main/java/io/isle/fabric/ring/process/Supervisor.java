package io.isle.fabric.ring.process;

import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingProcess;
import io.isle.fabric.ring.health.FailureSink;
import io.isle.fabric.ring.process.wire.Answer;
import io.isle.fabric.ring.process.wire.EndedException;
import io.isle.fabric.ring.process.wire.MalformedException;
import io.isle.fabric.ring.process.wire.Order;
import io.isle.lib.jvm.LineBudget;
import io.isle.lib.jvm.RestartDelays;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The thread of a node's process: starts it, reads what it says, and starts another one when it has
 * ended. The kernel kills a process at the end of this thread. Thread-safe.
 */
final class Supervisor implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Supervisor.class.getName());

  private static final String STARTS = "the process of the node starts";

  /** For the first report of a process. */
  private static final long FIRST_NS = TimeUnit.SECONDS.toNanos(60);

  /** A process that has closed its socket by itself has little left to do. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** For the node's own end, which takes at most a second. */
  private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(2);

  private static final long MOST_WAIT_NS = TimeUnit.HOURS.toNanos(1);
  private static final int ANSWERS_A_SECOND = 20_000;
  private static final int NEWS_A_SECOND = 20;

  private final String node;
  private final NodeStarter starter;
  private final WantedNode wanted;
  private final Consumer<RingNodeInfo> ended;
  private final RestartDelays delays;
  private final FailureSink sink;
  private final LineBudget told = new LineBudget(NEWS_A_SECOND, System.nanoTime());
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile Reports reports;
  private volatile RingProcess state = new RingProcess(OptionalLong.empty(), 0, STARTS);
  private volatile boolean waiting;
  private volatile long leaveNs = Long.MAX_VALUE;

  /**
   * Starts the thread.
   *
   * @param ended gets the last report of each process that has ended
   * @param sink receives news of failed nodes
   */
  Supervisor(
      String node,
      NodeStarter starter,
      RestartDelays delays,
      WantedNode wanted,
      Consumer<RingNodeInfo> ended,
      FailureSink sink) {
    this.node = node;
    this.starter = starter;
    this.delays = delays;
    this.wanted = wanted;
    this.ended = ended;
    this.sink = sink;
    reports = none();
    thread = Thread.ofPlatform().daemon().name("isle-node-" + node).start(this::run);
  }

  private static Reports none() {
    Reports none = new Reports(number -> false);
    none.end();
    return none;
  }

  /** The process as it is now. */
  RingProcess state() {
    return state;
  }

  /** Whether the next start is not before a while, because processes ended too soon. */
  boolean isWaiting() {
    return waiting;
  }

  /** The reports of the present process. */
  Reports reports() {
    return reports;
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  private void run() {
    while (!isClosing()) {
      long begin = System.nanoTime();
      String how;
      try {
        how = live();
      } catch (RingException e) {
        begin = System.nanoTime();
        how = e.getMessage();
      } catch (RuntimeException | Error e) {
        how = "supervision failed because of a defect: " + e;
        LOG.log(System.Logger.Level.ERROR, "ring node " + node + ": " + how, e);
      }
      if (!isClosing()) {
        pause(how, delays.ended(Duration.ofNanos(System.nanoTime() - begin)));
      }
    }
    state = new RingProcess(OptionalLong.empty(), state.starts(), "");
  }

  private void pause(String how, Duration delay) {
    String next = delay.isZero() ? "another one starts" : "another one starts in " + words(delay);
    String often = delay.isZero() ? "" : ", " + delays.ends() + " times within short";
    waiting = !delay.isZero();
    state = new RingProcess(OptionalLong.empty(), state.starts(), how + often + "; " + next);
    LOG.log(System.Logger.Level.WARNING, "ring node {0}: {1}{2}; {3}", node, how, often, next);
    try {
      boolean ignored = closing.await(delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // nobody interrupts this thread; the next start comes early
    }
  }

  private static String words(Duration delay) {
    return delay.toMillis() < 1000 ? delay.toMillis() + " ms" : delay.toSeconds() + " s";
  }

  /** The life of a process, from its start to its end, which is told in words. */
  private String live() {
    NodeChild child = starter.start(node, wanted.settings().process().heapBytes(), this::isClosing);
    Reports mine = new Reports(number -> wanted.send(new Order.Ask(number)));
    String why = "";
    Duration patience = Duration.ZERO;
    try {
      reports = mine;
      wanted.begin(child);
      waiting = false;
      state = new RingProcess(OptionalLong.of(child.pid()), state.starts() + 1, STARTS);
      LOG.log(
          System.Logger.Level.INFO,
          "ring node {0}: process {1} runs",
          node,
          Long.toString(child.pid()));
      if (isClosing()) {
        boolean ignored = wanted.send(new Order.Leave());
      }
      serve(child, mine);
      patience = PATIENCE;
    } catch (MalformedException e) {
      why = "was ended, because it violated the protocol: " + e.getMessage();
    } finally {
      wanted.end();
      child.line().close();
      child.end(patience);
      reports = none();
      mine.end();
      mine.last().map(Answer.Report::node).ifPresent(ended);
    }
    return "process "
        + child.pid()
        + " "
        + (why.isEmpty() ? NodeChild.ending(child.process()) : why);
  }

  /** Returns when the process has closed its end, or takes too long for its end. */
  private void serve(NodeChild child, Reports mine) throws MalformedException {
    long begin = System.nanoTime();
    LineBudget budget = new LineBudget(ANSWERS_A_SECOND, begin);
    try {
      while (true) {
        Optional<Answer> answer = child.line().receive();
        if (answer.isPresent()) {
          if (!budget.passes(System.nanoTime())) {
            throw new MalformedException("more than " + ANSWERS_A_SECOND + " messages a second");
          }
          take(answer.get(), child, mine);
        }
        boolean reports = mine.last().isPresent();
        long rest = reports ? MOST_WAIT_NS : begin + FIRST_NS - System.nanoTime();
        if (isClosing()) {
          rest = Math.min(rest, leaveNs - System.nanoTime());
        }
        if (rest <= 0) {
          child.kill();
          return;
        }
        if (answer.isEmpty()) {
          child.line().await(rest);
        }
      }
    } catch (EndedException e) {
      // the life of the process is over
    }
  }

  private void take(Answer answer, NodeChild child, Reports mine) throws MalformedException {
    switch (answer) {
      case Answer.Line line -> child.log().add(line);
      case Answer.News news -> {
        ReportCheck.check(news.change());
        if (told.passes(System.nanoTime())) {
          sink.changed(wanted.settings().ring(), node, news.change());
        }
      }
      case Answer.Report report -> {
        ReportCheck.check(report, mine.asked(), node, wanted.settings());
        wanted.reported(report);
        mine.take(report);
        if (!state.reason().isEmpty()) {
          state = new RingProcess(state.pid(), state.starts(), "");
        }
      }
    }
  }

  /** Asks the process to end. */
  void leave() {
    leaveNs = System.nanoTime() + LEAVE_NS;
    closing.countDown();
    boolean ignored = wanted.send(new Order.Leave());
    wanted.wake();
  }

  /** Ends the process, and waits for its end: about two seconds at most. */
  @Override
  public void close() {
    if (!isClosing()) {
      leave();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
