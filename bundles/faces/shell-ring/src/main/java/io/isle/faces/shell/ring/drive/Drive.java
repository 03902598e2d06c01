package io.isle.faces.shell.ring.drive;

import io.isle.api.fabric.RingEndpoint;
import io.isle.faces.shell.ShellException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends payloads round a ring and receives the replies, by a thread each, with a bounded number of
 * packets on their way. {@link #run} is called once, on the thread that may be interrupted.
 */
public final class Drive {
  /** After that many times the timeout without any progress the drive fails. */
  public static final int PATIENCE = 6;

  private static final long TICK_MS = 50;

  /** How long an interrupted drive takes replies, so that none stays for the next one. */
  private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(2);

  private final RingEndpoint endpoint;
  private final DrivePlan plan;
  private final DriveWatch watch;
  private final DriveCounters counters = new DriveCounters();
  private final ConcurrentLinkedQueue<Loss> losses = new ConcurrentLinkedQueue<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Window window;
  private final Receiver receiver;
  private final Thread sending;
  private final Thread receiving;

  /** The work of one of the threads. */
  private interface Work {
    void run() throws Exception;
  }

  /**
   * @param endpoint used by nobody else meanwhile
   */
  public Drive(
      RingEndpoint endpoint, DrivePlan plan, Payloads payloads, Replies replies, DriveWatch watch) {
    this.endpoint = endpoint;
    this.plan = plan;
    this.watch = watch;
    window = new Window(plan.window(), plan.positions(), plan.noReply(), losses::add);
    receiver = new Receiver(endpoint, plan, replies, window, counters);
    Sender sender = new Sender(endpoint, plan, payloads, window, counters);
    sending = thread("send", () -> send(sender));
    receiving = thread("receive", () -> receive());
  }

  private Thread thread(String name, Work work) {
    return Thread.ofPlatform()
        .daemon()
        .name("isle-ring-drive-" + name)
        .unstarted(
            () -> {
              try {
                work.run();
              } catch (Throwable e) {
                boolean ignored = failure.compareAndSet(null, e);
                window.stop();
                ended.countDown();
              }
            });
  }

  private void send(Sender sender) throws Exception {
    try {
      sender.run();
    } catch (InterruptedException | java.nio.channels.ClosedByInterruptException stopped) {
      window.stop();
    } finally {
      receiver.end();
    }
  }

  private void receive() throws Exception {
    receiver.run();
    ended.countDown();
  }

  /**
   * Runs to the end.
   *
   * @throws InterruptedException when the thread was interrupted; due replies were taken
   * @throws ShellException when nothing goes round the ring any more, or the node was closed
   */
  public DriveResult run() throws InterruptedException {
    long old = Receiver.drain(endpoint);
    long beginNs = System.nanoTime();
    try {
      receiving.start();
      sending.start();
      while (!ended.await(TICK_MS, TimeUnit.MILLISECONDS)) {
        tell();
        checkProgress();
      }
      long elapsedNs = System.nanoTime() - beginNs;
      tell();
      if (failure.get() != null) {
        throw failed(failure.get());
      }
      return new DriveResult(
          counters.packets(),
          counters.replies(),
          window.lost(),
          window.late(),
          counters.strays(),
          old,
          counters.broken(),
          elapsedNs);
    } finally {
      close();
    }
  }

  private void tell() {
    for (Loss loss = losses.poll(); loss != null; loss = losses.poll()) {
      watch.lost(loss);
    }
    watch.progress(counters);
  }

  private void checkProgress() {
    long quietNs = counters.quietNs();
    if (quietNs / PATIENCE > plan.timeoutNs()) {
      throw ShellException.failed(
          "node "
              + endpoint.node()
              + ": no packet has come round for "
              + TimeUnit.NANOSECONDS.toMillis(quietNs)
              + " ms: "
              + Refusals.links(endpoint.info()));
    }
  }

  private static RuntimeException failed(Throwable cause) {
    return switch (cause) {
      case RuntimeException e -> e;
      case java.io.IOException e -> ShellException.failed(e.toString());
      default -> new IllegalStateException(cause);
    };
  }

  /** Ends both threads; the data calls of the endpoint return once interrupted. */
  private void close() {
    window.stop();
    sending.interrupt();
    boolean interrupted = join(sending, Long.MAX_VALUE);
    interrupted |= join(receiving, failure.get() == null ? DRAIN_NS : 0);
    receiving.interrupt();
    interrupted |= join(receiving, Long.MAX_VALUE);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether the calling thread was interrupted meanwhile. */
  private static boolean join(Thread thread, long mostNs) {
    boolean interrupted = false;
    long endNs = System.nanoTime() + mostNs;
    while (thread.isAlive()) {
      long leftMs =
          mostNs == Long.MAX_VALUE
              ? 1000
              : TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
      if (leftMs <= 0) {
        break;
      }
      try {
        thread.join(leftMs);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
