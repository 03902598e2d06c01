package io.isle.core.accel.agent;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.core.accel.queue.Bell;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Operations that other threads have the agent do between two cycles. After the agent's end they
 * are done by their callers, one at a time.
 */
public final class ControlQueue {
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

  /** Agent: its last call; what is still queued is done now. */
  synchronized void close() {
    closed = true;
    run();
  }

  /**
   * Returns when the agent has done it.
   *
   * @throws AccelException ETIMEDOUT when the agent is stuck in a call of the driver
   */
  public void call(Runnable operation) {
    if (Thread.currentThread() == agent) {
      throw new IllegalStateException("not from the agent's own thread");
    }
    CountDownLatch done = new CountDownLatch(1);
    post(
        () -> {
          try {
            operation.run();
          } finally {
            done.countDown();
          }
        });
    if (!await(done)) {
      stuck.accept(new RecoveryCause(RecoveryCause.Kind.HANG, "its agent is stuck in the driver"));
      throw new AccelException(
          Errno.ETIMEDOUT, "the device's agent is stuck in its driver; reload the driver");
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
