package io.isle.core.accel.queue;

import io.isle.api.accel.CompletionStatus;
import io.isle.api.accel.Timeline;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.Capability;
import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.fence.FenceSource;
import io.isle.core.accel.fence.Ringing;
import io.isle.core.accel.fence.Watchers;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The points of one context: how many were submitted, written by the submitting thread, and how
 * many have ended, written by the device's agent. The words lie on cache lines of their own.
 * Thread-safe.
 */
public final class PointTimeline implements Timeline, FenceSource {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int SUBMITTED = 16;
  private static final int ENDED = 32;

  private final long id;
  private final Bell own;
  private final FenceOwner owner;
  private final CompletionLog log;
  private final long[] words = new long[48];
  private final Watchers watchers = new Watchers();

  /** What every point that was not recorded ended with; 0 while the agent records. */
  private volatile int sealed;

  /**
   * @param own bell of the agent that advances it
   * @param owner whose it is
   * @param depth queue depth of its context, a power of two
   */
  public PointTimeline(long id, Bell own, FenceOwner owner, int depth) {
    this.id = id;
    this.own = own;
    this.owner = owner;
    this.log = new CompletionLog(depth);
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public long ended() {
    return sealed != 0 ? submitted() : recorded();
  }

  @Override
  public int status(long point) {
    if (point < 1) {
      return -Errno.EINVAL;
    }
    int end = sealed;
    if (point > recorded()) {
      if (point > submitted()) {
        return -Errno.EINVAL;
      }
      return end != 0 ? end : -Errno.EINPROGRESS;
    }
    int code = log.code(point);
    return submitted() - point >= log.capacity() ? -Errno.ESTALE : code;
  }

  /** See {@link io.isle.api.accel.Context#outcome}. */
  CompletionStatus outcome(long point) {
    if (point < 1 || point > submitted() || submitted() - point >= log.capacity()) {
      return null;
    }
    int end = sealed;
    if (point > recorded()) {
      return end == 0 ? null : CompletionCodes.outcome(end);
    }
    CompletionStatus known = log.outcome(point);
    return submitted() - point >= log.capacity() ? null : known;
  }

  /** How its newest points ended. */
  CompletionLog log() {
    return log;
  }

  /** All points up to this one have ended and stand in the completion log. */
  public long recorded() {
    return (long) WORDS.getAcquire(words, ENDED);
  }

  public boolean isOver(long point) {
    return recorded() >= point || sealed != 0;
  }

  /** The agent records nothing more: what has not ended by now has this code. Once. */
  public synchronized void seal(int code) {
    if (sealed == 0) {
      sealed = code;
    }
  }

  public boolean isSealed() {
    return sealed != 0;
  }

  /** The newest point that was submitted. */
  public long submitted() {
    return (long) WORDS.getAcquire(words, SUBMITTED);
  }

  /**
   * Submitting thread: everything written before belongs to the submissions up to {@code point}.
   */
  public void publish(long point) {
    WORDS.setRelease(words, SUBMITTED, point);
  }

  /** Agent: all points up to {@code point} have ended. */
  public void advance(long point) {
    WORDS.setRelease(words, ENDED, point);
  }

  @Override
  public FenceOwner owner() {
    return owner;
  }

  @Override
  public String device() {
    return owner.deviceId();
  }

  @Override
  public void share(Capability by, String tenant) {
    owner.share(by, tenant);
  }

  @Override
  public int outcome(long point, long now) {
    return isOver(point) ? 0 : -Errno.EINPROGRESS;
  }

  @Override
  public long reached() {
    return ended();
  }

  @Override
  public long promised() {
    return submitted();
  }

  @Override
  public long nextDeadline() {
    return Long.MAX_VALUE;
  }

  /** Rings {@code bell} at each advance from now on, unless it is that of its own agent. */
  @Override
  public void watch(Ringing bell) {
    if (bell != own) {
      watchers.add(bell);
    }
  }

  /** Agent, after {@link #advance} and a full fence. */
  void ringWatchers() {
    watchers.ring();
  }
}
