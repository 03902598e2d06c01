package io.isle.core.accel.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that wait for points of one timeline, platform or virtual ones, any number. Whoever
 * advances the timeline wakes them; none looks again by itself. They stand in lists by point, so
 * that an advance costs what points ended and threads are due. Sixteen places are there from the
 * beginning; each further thread allocates its own.
 *
 * <p>The lists have a lock that is held for nanoseconds, in which nothing blocks. {@link #wake}
 * never waits for it.
 */
public final class Waiters {
  private static final VarHandle LOCK;
  private static final VarHandle COUNT;
  private static final VarHandle TAKEN;
  private static final int PLACES = 16;
  private static final int SPINS = 64;
  private static final long LOCK_PAUSE_NS = 10_000;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LOCK = lookup.findVarHandle(Waiters.class, "lock", int.class);
      COUNT = lookup.findVarHandle(Waiters.class, "count", int.class);
      TAKEN = lookup.findVarHandle(Place.class, "taken", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Where one thread waits. */
  public static final class Place {
    private volatile int taken;
    private Thread thread;
    private long point;
    private Place next;
    private Place previous;

    /** Whether it stands in a list; written under the lock. */
    private volatile boolean linked;
  }

  private final PointTimeline timeline;
  private final Place[] places = new Place[PLACES];

  /** By point, the first of a ring: those who came first for the oldest point are first. */
  private final Place[] lists;

  private final int mask;
  private volatile int lock;

  /** Places that are linked. */
  private volatile int count;

  /** No thread waits for this point or one before, but those that have yet to look at theirs. */
  private long swept;

  /**
   * @param depth a power of two; no more points than this are submitted and have not ended
   */
  Waiters(PointTimeline timeline, int depth) {
    this.timeline = timeline;
    this.mask = depth - 1;
    this.lists = new Place[depth];
    for (int i = 0; i < PLACES; i++) {
      places[i] = new Place();
    }
  }

  /** Takes a place; the caller then looks at the timeline once more before it parks. */
  public Place enter(long point) {
    Place place = place();
    place.thread = Thread.currentThread();
    place.point = point;
    lock();
    if (count == 0) {
      swept = Math.max(swept, timeline.ended());
    }
    link(place);
    unlock();
    // As the agent does: it advances the timeline, then looks for sleepers.
    VarHandle.fullFence();
    return place;
  }

  /** Gives a place back. */
  public void leave(Place place) {
    if (place.linked) {
      lock();
      if (place.linked) {
        unlink(place);
      }
      unlock();
    }
    place.thread = null;
    TAKEN.setRelease(place, 0);
  }

  /**
   * Whoever advanced the timeline, after a full fence: wakes threads whose point has ended.
   *
   * @param most how many at a time, at least 1
   * @return how many it woke, as {@link #count} says; whether further ones may be due, so that it
   *     is to be called again, says {@link #mayBeMore}
   */
  public int wake(int most) {
    if ((int) COUNT.getOpaque(this) == 0) {
      return 0;
    }
    for (int woken = 0; woken < most; woken++) {
      if (!tryLock()) {
        return ~woken;
      }
      Thread due = takeDue();
      unlock();
      if (due == null) {
        return woken;
      }
      LockSupport.unpark(due);
    }
    return ~most;
  }

  /** How many threads a call of {@link #wake} woke. */
  public static int count(int woken) {
    return woken < 0 ? ~woken : woken;
  }

  /** Whether a call of {@link #wake} left some that may be due. */
  public static boolean mayBeMore(int woken) {
    return woken < 0;
  }

  /** Threads that wait and have not been woken. */
  public int size() {
    return count;
  }

  private Place place() {
    for (Place place : places) {
      if (place.taken == 0 && TAKEN.compareAndSet(place, 0, 1)) {
        return place;
      }
    }
    return new Place();
  }

  private Thread takeDue() {
    long ended = timeline.ended();
    swept = Math.max(swept, ended - lists.length);
    while (swept < ended) {
      Place first = lists[index(swept + 1)];
      if (first != null && first.point <= ended) {
        Thread thread = first.thread;
        unlink(first);
        return thread;
      }
      swept++;
    }
    return null;
  }

  /** Last in its list, for the point before it there may not have been swept yet. */
  private void link(Place place) {
    int index = index(place.point);
    Place first = lists[index];
    if (first == null) {
      lists[index] = place;
      place.next = place;
      place.previous = place;
    } else {
      place.next = first;
      place.previous = first.previous;
      first.previous.next = place;
      first.previous = place;
    }
    place.linked = true;
    COUNT.setOpaque(this, count + 1);
  }

  /** From here on the place is its thread's alone. */
  private void unlink(Place place) {
    int index = index(place.point);
    if (place.next == place) {
      lists[index] = null;
    } else {
      place.next.previous = place.previous;
      place.previous.next = place.next;
      if (lists[index] == place) {
        lists[index] = place.next;
      }
    }
    COUNT.setOpaque(this, count - 1);
    place.linked = false;
  }

  private int index(long point) {
    return (int) (point - 1) & mask;
  }

  private boolean tryLock() {
    return lock == 0 && LOCK.compareAndSet(this, 0, 1);
  }

  private void lock() {
    for (int i = 0; !tryLock(); i++) {
      if (i < SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(this, LOCK_PAUSE_NS);
      }
    }
  }

  private void unlock() {
    LOCK.setRelease(this, 0);
  }
}
