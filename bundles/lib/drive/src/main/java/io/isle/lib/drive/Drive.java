package io.isle.lib.drive;

import io.isle.api.base.Errno;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
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

  private final MasterPath path;
  private final DrivePlan plan;
  private final DriveWatch watch;
  private final DriveCounters counters = new DriveCounters();
  private final ConcurrentLinkedQueue<Loss> losses = new ConcurrentLinkedQueue<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Changes changes = new Changes();
  private final Window window;
  private final Receiver receiver;
  private final Sender sender;
  private final Thread sending;
  private final Thread receiving;

  /** The work of one of the threads. */
  private interface Work {
    void run() throws Exception;
  }

  private Drive(
      MasterPath path,
      DrivePlan plan,
      Payloads payloads,
      Replies replies,
      Optional<KeptPayloads> kept,
      DriveWatch watch) {
    this.path = path;
    this.plan = plan;
    this.watch = watch;
    window =
        kept.isPresent()
            ? new RepairWindow(plan.window(), plan.positions(), plan.noReply(), losses::add)
            : new LossyWindow(plan.window(), plan.positions(), plan.noReply(), losses::add);
    receiver = new Receiver(path, plan, replies, window, counters);
    sender = new Sender(path, plan, payloads, kept, window, changes, counters);
    sending = thread("send", this::send);
    receiving = thread("receive", this::receive);
  }

  /**
   * A drive that reports lost packets, and goes on.
   *
   * @param path used by nobody else meanwhile
   */
  public static Drive lossy(
      MasterPath path, DrivePlan plan, Payloads payloads, Replies replies, DriveWatch watch) {
    return new Drive(path, plan, payloads, replies, Optional.empty(), watch);
  }

  /**
   * A drive that sends lost packets again, until each has its reply. While the next payload is not
   * there yet, no packet is sent again.
   *
   * @param path used by nobody else meanwhile
   * @param kept payloads on their way
   */
  public static Drive exact(
      MasterPath path,
      DrivePlan plan,
      Payloads payloads,
      Replies replies,
      KeptPayloads kept,
      DriveWatch watch) {
    return new Drive(path, plan, payloads, replies, Optional.of(kept), watch);
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

  private void send() throws Exception {
    try {
      sender.run();
    } catch (InterruptedException | ClosedByInterruptException stopped) {
      window.stop();
    } finally {
      changes.cancel();
      receiver.end();
    }
  }

  private void receive() throws Exception {
    receiver.run();
    ended.countDown();
  }

  /**
   * Makes a change of the ring between two packets, on the sending thread, and waits for its end.
   * An exact drive makes it while no packet is on its way. Any thread but that of {@link #run}.
   *
   * @param change a call of the endpoint, such as a resize; its exception is that of this call
   * @throws DriveException ENOENT if all packets have been sent already
   */
  public void change(Runnable change) throws InterruptedException {
    var task = changes.add(change);
    window.wake();
    try {
      Changes.await(task);
    } catch (InterruptedException e) {
      boolean ignored = task.cancel(false);
      throw e;
    }
  }

  /**
   * Runs to the end.
   *
   * @throws InterruptedException when the thread was interrupted; due replies were taken
   * @throws DriveException when nothing goes round the ring any more, or the node was closed
   */
  public DriveResult run() throws InterruptedException {
    long old = Receiver.drain(path);
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
          window.resent(),
          window.gapNs(),
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
    if (window.isEmpty()) {
      counters.progress();
      return;
    }
    long quietNs = counters.quietNs();
    if (quietNs / PATIENCE > plan.timeoutNs()) {
      throw Refusals.silence(path, TimeUnit.NANOSECONDS.toMillis(quietNs));
    }
  }

  private static RuntimeException failed(Throwable cause) {
    return switch (cause) {
      case RuntimeException e -> e;
      case IOException e -> new DriveException(Errno.EIO, e.toString());
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
