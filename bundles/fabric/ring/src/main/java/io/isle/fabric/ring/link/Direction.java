package io.isle.fabric.ring.link;

import static io.isle.api.base.Errno.EAGAIN;
import static io.isle.api.base.Errno.ECANCELED;
import static io.isle.api.base.Errno.ENOTCONN;
import static io.isle.api.base.Errno.ETIME;

import io.isle.api.fabric.RingPort;

/**
 * The waits of one direction of a link: the waiting thread spins, then sleeps until its port has an
 * event, its deadline comes, or {@link #wake}. One thread at a time.
 */
public final class Direction implements AutoCloseable {
  private final Drive drive;
  private final DriveLock lock;
  private final PortSleeper sleeper;
  private final int events;
  private final long spinNs;
  private long deadlineNs;
  private long sleepFromNs;

  /** Whether the waiting thread has slept since the begin of its call. */
  private boolean slept;

  /** Whether the waiting thread sleeps; guarded by the lock. */
  private boolean asleep;

  /**
   * @param events {@link RingPort#READABLE} or {@link RingPort#WRITABLE}
   */
  public Direction(Drive drive, int events, long spinNs) {
    this.drive = drive;
    lock = drive.lock();
    this.events = events;
    this.spinNs = spinNs;
    sleeper = new PortSleeper();
  }

  /** The begin of a call. */
  public void begin() {
    deadlineNs = 0;
    slept = false;
  }

  /** What is left of the timeout of the last call: all of it before the first wait of the call. */
  public long leftNs(long timeoutNs) {
    return deadlineNs == 0 ? timeoutNs : Math.max(1, deadlineNs - System.nanoTime());
  }

  /**
   * Behind an attempt without success, while this thread drives the port: waits a while.
   *
   * @param result of the attempt: -EAGAIN or -ENOTCONN
   * @param timerNs time of the link's own next work, or {@link Long#MAX_VALUE}
   * @return 0 for the next attempt; a negated code for the end of the call
   */
  public long pause(long result, long timeoutNs, long timerNs, Caller caller) {
    if (timeoutNs == 0) {
      return result == -ENOTCONN ? -ENOTCONN : -EAGAIN;
    }
    long now = System.nanoTime();
    if (deadlineNs == 0) {
      deadlineNs = now + timeoutNs;
      sleepFromNs = now + spinNs;
    } else if (now - deadlineNs >= 0) {
      return -ETIME;
    }
    int refusal = caller.refusal();
    if (refusal < 0) {
      return refusal;
    }
    if (Thread.currentThread().isInterrupted()) {
      return -ECANCELED;
    }
    drive.pollIfDue(now);
    if (now - sleepFromNs < 0) {
      lock.leave();
      Thread.onSpinWait();
      lock.enter();
      return 0;
    }
    long until = deadlineNs;
    if (drive.isLeftToAgent(now)) {
      sleeper.collectNone();
    } else {
      sleeper.collect(drive, events);
      until = Math.min(until, Math.min(timerNs, drive.pollNs()));
    }
    slept = true;
    asleep = true;
    lock.leave();
    sleeper.sleep(until - now);
    lock.enter();
    asleep = false;
    drive.poll(System.nanoTime());
    return 0;
  }

  /** The driving thread has done what the waiting thread waits for: ends its sleep, if any. */
  public void nudge() {
    if (asleep) {
      asleep = false;
      sleeper.wake();
    }
  }

  /** Whether a thread sleeps until something happens. */
  public boolean isAsleep() {
    return asleep;
  }

  /** Whether the present call has slept: it does not spin any more. */
  public boolean hasSlept() {
    return slept;
  }

  /** Ends the sleep of the waiting thread, or its next one. Any thread. */
  public void wake() {
    sleeper.wake();
  }

  @Override
  public void close() {
    sleeper.close();
  }
}
