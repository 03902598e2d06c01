package io.isle.core.accel.fence;

import io.isle.api.accel.HostTimeline;
import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongConsumer;

/**
 * The points of a timeline that the CPU moves. One word holds the newest signalled point and the
 * code that the timeline is over with, so that a signal and an end never both count. Without locks:
 * tenants' threads and agents signal side by side, and none waits for another. Allocates only for
 * {@link #deadline(long, long)}.
 */
public final class HostPoints {
  private static final int CODE_BITS = 16;
  private static final long CODE_MASK = (1 << CODE_BITS) - 1;
  private static final VarHandle DEADLINE;

  static {
    try {
      DEADLINE = MethodHandles.lookup().findVarHandle(HostPoints.class, "deadline", Deadline.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private record Deadline(long point, long at) {}

  /** Point in the high 48 bits, the positive code of the end in the low 16; 0 while it goes on. */
  private final AtomicLong word = new AtomicLong();

  /** By point modulo its length: the newest point there that was signalled as failed, and how. */
  private final AtomicLongArray failures = new AtomicLongArray(HostTimeline.REMEMBERED);

  private final Watchers watchers = new Watchers();
  private final MonotonicClock clock;
  private final LongConsumer sleepers;
  private volatile Deadline deadline;

  /**
   * @param sleepers wakes threads that wait for points up to the given one; no allocation while
   *     nobody does
   */
  public HostPoints(MonotonicClock clock, LongConsumer sleepers) {
    this.clock = clock;
    this.sleepers = sleepers;
  }

  /**
   * All points up to {@code point} are signalled.
   *
   * @param code of what they stand for: 0, or negated
   * @return 0; -EINVAL out of range or not above {@link #reached}; what it is over with
   */
  public int signal(long point, int code) {
    if (point < 1 || point > HostTimeline.MAX_POINT) {
      return -Errno.EINVAL;
    }
    boolean ignored = deadline != null && expire(clock.nanoTime());
    boolean noted = false;
    while (true) {
      long seen = word.get();
      if ((seen & CODE_MASK) != 0) {
        return -(int) (seen & CODE_MASK);
      }
      if (point <= seen >>> CODE_BITS) {
        return -Errno.EINVAL;
      }
      if (code != 0 && !noted) {
        note(point, -code);
        noted = true;
      }
      if (word.compareAndSet(seen, point << CODE_BITS)) {
        wake(point);
        return 0;
      }
    }
  }

  /** Before the point is signalled: whoever finds it signalled finds this too. */
  private void note(long point, int code) {
    int slot = slot(point);
    long entry = point << CODE_BITS | (code & CODE_MASK);
    while (true) {
      long seen = failures.get(slot);
      if (seen >>> CODE_BITS >= point || failures.compareAndSet(slot, seen, entry)) {
        return;
      }
    }
  }

  /**
   * It is over.
   *
   * @param code positive
   * @return false when it was over before
   */
  public boolean end(int code) {
    while (true) {
      long seen = word.get();
      if ((seen & CODE_MASK) != 0) {
        return false;
      }
      if (word.compareAndSet(seen, seen | code)) {
        wake(Long.MAX_VALUE);
        return true;
      }
    }
  }

  /** See {@link HostTimeline#status}. */
  public int status(long point) {
    if (point < 1 || point > HostTimeline.MAX_POINT) {
      return -Errno.EINVAL;
    }
    boolean ignored = deadline != null && expire(clock.nanoTime());
    long seen = word.get();
    if (point > seen >>> CODE_BITS) {
      return (seen & CODE_MASK) != 0 ? -(int) (seen & CODE_MASK) : -Errno.EINPROGRESS;
    }
    long entry = failures.get(slot(point));
    if (entry >>> CODE_BITS > point || reached() - point >= HostTimeline.REMEMBERED) {
      return -Errno.ESTALE;
    }
    return entry >>> CODE_BITS == point ? -(int) (entry & CODE_MASK) : 0;
  }

  /** See {@link FenceSource#outcome}. */
  public int outcome(long point, long now) {
    long seen = word.get();
    if (point <= seen >>> CODE_BITS) {
      return 0;
    }
    if ((seen & CODE_MASK) == 0 && expire(now)) {
      return outcome(point, now);
    }
    return (seen & CODE_MASK) != 0 ? -(int) (seen & CODE_MASK) : -Errno.EINPROGRESS;
  }

  /** The newest point that was signalled. */
  public long reached() {
    return word.get() >>> CODE_BITS;
  }

  /** What it is over with, positive; 0 while it goes on. */
  public int ended() {
    return (int) (word.get() & CODE_MASK);
  }

  /** Sleepers for points up to this one have nothing to wait for: all of them once it is over. */
  public long due() {
    long seen = word.get();
    return (seen & CODE_MASK) != 0 ? Long.MAX_VALUE : seen >>> CODE_BITS;
  }

  /**
   * It is over with ETIMEDOUT when {@code point} is not signalled at the time {@code at}. Sleepers
   * are not told: their time changes, not what they wait for.
   */
  public void deadline(long point, long at) {
    deadline = new Deadline(point, at);
    VarHandle.fullFence();
    watchers.ring();
  }

  /** When a wait may end without a signal; Long.MAX_VALUE for never. */
  public long nextDeadline() {
    Deadline set = deadline;
    boolean isVoid = set == null || ended() != 0 || set.point() <= reached();
    return isVoid ? Long.MAX_VALUE : set.at();
  }

  /** Returns whether the timeline is over, or its deadline void, since the caller looked. */
  private boolean expire(long now) {
    Deadline set = deadline;
    if (set == null || now - set.at() < 0) {
      return false;
    }
    while (true) {
      long seen = word.get();
      if ((seen & CODE_MASK) != 0 || set.point() <= seen >>> CODE_BITS) {
        return DEADLINE.compareAndSet(this, set, (Deadline) null);
      }
      if (word.compareAndSet(seen, seen | Errno.ETIMEDOUT)) {
        wake(Long.MAX_VALUE);
        return true;
      }
    }
  }

  public void watch(Ringing bell) {
    watchers.add(bell);
  }

  private void wake(long point) {
    // Sleepers register, then look at the word; we change it, then look for sleepers.
    VarHandle.fullFence();
    sleepers.accept(point);
    watchers.ring();
  }

  private static int slot(long point) {
    return (int) point & HostTimeline.REMEMBERED - 1;
  }
}
