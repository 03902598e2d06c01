package io.isle.core.accel.timeline;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.HostTimeline;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.base.MonotonicClock;
import io.isle.api.tenancy.Capability;
import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.fence.FenceSource;
import io.isle.core.accel.fence.HostPoints;
import io.isle.core.accel.fence.Ringing;
import io.isle.core.accel.queue.HostWaiters;
import io.isle.core.accel.queue.SpinWait;
import java.util.concurrent.locks.LockSupport;

/** A tenant's timeline: its points, and the threads that sleep for them. Thread-safe. */
public final class HostTimelineHandle implements HostTimeline, FenceSource {
  private final long id;
  private final String name;
  private final Capability capability;
  private final FenceOwner owner;
  private final MonotonicClock clock;
  private final HostWaiters waiters = new HostWaiters(this::due);
  private final HostPoints points;
  private final HostTimelines all;

  HostTimelineHandle(
      long id,
      String name,
      Capability capability,
      FenceOwner owner,
      MonotonicClock clock,
      HostTimelines all) {
    this.id = id;
    this.name = name;
    this.capability = capability;
    this.owner = owner;
    this.clock = clock;
    this.all = all;
    this.points = new HostPoints(clock, waiters::wake);
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String device() {
    return "";
  }

  @Override
  public FenceOwner owner() {
    return owner;
  }

  public HostPoints points() {
    return points;
  }

  Capability capability() {
    return capability;
  }

  @Override
  public long ended() {
    return points.reached();
  }

  @Override
  public long reached() {
    return points.reached();
  }

  @Override
  public long promised() {
    return points.reached();
  }

  @Override
  public long nextDeadline() {
    return points.nextDeadline();
  }

  @Override
  public void watch(Ringing bell) {
    points.watch(bell);
  }

  @Override
  public int outcome(long point, long now) {
    checkRevoked();
    return points.outcome(point, now);
  }

  @Override
  public int signal(long point) {
    checkRevoked();
    return points.signal(point, 0);
  }

  @Override
  public int status(long point) {
    checkRevoked();
    return points.status(point);
  }

  private long due() {
    return points.due();
  }

  /** It is over if its capability was revoked. */
  void checkRevoked() {
    if (!capability.valid()) {
      boolean ignored = points.end(Errno.EREVOKED);
    }
  }

  @Override
  public int await(long point, long timeoutNs) {
    int status = status(point);
    int yieldMask = SpinWait.yieldMask();
    for (int i = 0; i < SpinWait.TURNS && status == -Errno.EINPROGRESS && timeoutNs != 0; i++) {
      SpinWait.turn(i, yieldMask);
      status = status(point);
    }
    if (status != -Errno.EINPROGRESS) {
      return status;
    }
    return timeoutNs == 0 ? -Errno.ETIME : sleep(point, timeoutNs);
  }

  private int sleep(long point, long timeoutNs) {
    long started = clock.nanoTime();
    HostWaiters.Place place = waiters.enter(point);
    try {
      while (true) {
        int status = status(point);
        if (status != -Errno.EINPROGRESS) {
          return status;
        }
        if (Thread.currentThread().isInterrupted()) {
          return -Errno.ECANCELED;
        }
        long now = clock.nanoTime();
        long left = timeoutNs < 0 ? Long.MAX_VALUE : timeoutNs - (now - started);
        if (left <= 0) {
          return -Errno.ETIME;
        }
        long deadline = points.nextDeadline();
        if (deadline != Long.MAX_VALUE) {
          left = Math.min(left, Math.max(1, deadline - now));
        }
        if (left == Long.MAX_VALUE) {
          LockSupport.park(waiters);
        } else {
          LockSupport.parkNanos(waiters, left);
        }
      }
    } finally {
      waiters.leave(place);
    }
  }

  @Override
  public void deadline(long point, long timeoutNs) {
    if (point < 1 || point > MAX_POINT) {
      throw new AccelException(
          Errno.EINVAL, "point: " + point + " is not within 1 to " + MAX_POINT);
    }
    if (timeoutNs < 1 || timeoutNs > CommandWriter.MAX_WAIT_NS) {
      throw new AccelException(
          Errno.ERANGE,
          "timeoutNs: " + timeoutNs + " is not within 1 to " + CommandWriter.MAX_WAIT_NS);
    }
    checkRevoked();
    int ended = points.ended();
    if (ended != 0) {
      throw new AccelException(
          ended, "timeline: " + Ids.text(id) + " has ended (" + Errno.name(ended) + ")");
    }
    points.deadline(point, clock.nanoTime() + timeoutNs);
    // whoever sleeps longer than that has to know of it
    waiters.lookAgain();
  }

  @Override
  public void share(Capability by, String tenant) {
    all.share(this, by, tenant);
  }

  @Override
  public void close() {
    all.close(this);
  }
}
