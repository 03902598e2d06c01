package io.isle.core.accel.agent;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.core.accel.queue.Bell;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Operations that other threads have the agent do between two cycles. After the agent's end they
 * are done by their callers, one at a time. One that throws is the agent's end, and is told to
 * whoever waits for it; those behind it are done nevertheless.
 */
public final class ControlQueue {
  private static final System.Logger LOG = System.getLogger(ControlQueue.class.getName());

  private final ConcurrentLinkedQueue<Runnable> operations = new ConcurrentLinkedQueue<>();
  private final Bell bell;
  private final LongSupplier boundMs;
  private final Consumer<RecoveryCause> stuck;
  private volatile Thread agent;
  private boolean closed = true;

  /**
   * @param boundMs longest wait of {@link #call}
   * @param stuck told that the agent did not answer; never blocks
   */
  ControlQueue(Bell bell, LongSupplier boundMs, Consumer<RecoveryCause> stuck) {
    this.bell = bell;
    this.boundMs = boundMs;
    this.stuck = stuck;
  }

  public synchronized boolean isClosed() {
    return closed;
  }

  /** The agent runs from now on. */
  public synchronized void open() {
    closed = false;
  }

  /** Agent: does what was asked for; returns how much. */
  int run() {
    int count = 0;
    Runnable operation = operations.poll();
    while (operation != null) {
      agent = Thread.currentThread();
      operation.run();
      count++;
      operation = operations.poll();
    }
    return count;
  }

  /** There is no agent: what is queued is done by the caller. */
  public void close() {
    close(() -> {});
  }

  /**
   * Agent: its last call; what is still queued is done now, whatever any of it throws.
   *
   * @param first done before that
   */
  synchronized void close(Runnable first) {
    closed = true;
    Runnable operation = first;
    while (operation != null) {
      try {
        operation.run();
      } catch (RuntimeException | Error e) {
        LOG.log(
            System.Logger.Level.ERROR,
            "a control operation of the device's agent failed because of a defect",
            e);
      }
      operation = operations.poll();
    }
  }

  /**
   * Returns when the agent has done it.
   *
   * @throws AccelException ETIMEDOUT when the agent is stuck in a call of the driver; EINTR when
   *     the operation threw, which ends the agent and has the device recovered
   */
  public void call(Runnable operation) {
    if (Thread.currentThread() == agent) {
      throw new IllegalStateException("the device's agent cannot wait for itself");
    }
    CountDownLatch done = new CountDownLatch(1);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    post(
        () -> {
          try {
            operation.run();
          } catch (RuntimeException | Error e) {
            failure.set(e);
            failed(e);
          } finally {
            done.countDown();
          }
        });
    if (!await(done)) {
      stuck.accept(
          new RecoveryCause(RecoveryCause.Kind.HANG, "the device's agent is stuck in the driver"));
      throw new AccelException(
          Errno.ETIMEDOUT, "the device's agent is stuck in its driver; reload the driver");
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new AccelException(
          Errno.EINTR,
          "the device's agent failed because of a defect: "
              + thrown
              + "; the device recovers; try again in a moment",
          thrown);
    }
  }

  /** What an operation threw ends the agent, where that runs it; its caller is told otherwise. */
  private void failed(Throwable thrown) {
    synchronized (this) {
      if (closed) {
        return;
      }
      // before its caller goes on: who looks then finds that there is no agent
      close();
    }
    switch (thrown) {
      case Error error -> throw error;
      case RuntimeException exception -> throw exception;
      default -> throw new IllegalStateException(thrown);
    }
  }

  /** As {@link #call}, without waiting. */
  public void post(Runnable operation) {
    synchronized (this) {
      if (closed) {
        operation.run();
        return;
      }
      operations.add(operation);
    }
    bell.ring();
  }

  private boolean await(CountDownLatch done) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(boundMs.getAsLong());
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return done.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
