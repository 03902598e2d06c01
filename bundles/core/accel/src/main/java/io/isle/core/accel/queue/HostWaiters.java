package io.isle.core.accel.queue;

import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Threads that wait for points of a tenant's timeline, any number, by point. A signal looks at the
 * first few only and wakes those that are due; each thread that leaves does the same, so that the
 * threads wake each other and whoever signals, an agent perhaps, waits for none. Platform and
 * virtual threads stand apart: none depends on when the other kind runs. Looking allocates nothing.
 * Thread-safe.
 */
public final class HostWaiters {
  /** Places of a kind that are looked at by a signal, and by a thread that leaves. */
  public static final int AT_ONCE = 8;

  /** Before all others. */
  private static final Place FIRST = new Place(null, 0, 0);

  private final LongSupplier due;
  private final AtomicLong entered = new AtomicLong();
  private final ConcurrentSkipListSet<Place> platform = new ConcurrentSkipListSet<>();
  private final ConcurrentSkipListSet<Place> virtual = new ConcurrentSkipListSet<>();

  /** Where one thread waits; no two are equal. */
  public static final class Place implements Comparable<Place> {
    private final Thread thread;
    private final long point;
    private final long number;

    /** Whether it was woken for good: its point is signalled, or the timeline over. */
    private volatile boolean due;

    private Place(Thread thread, long point, long number) {
      this.thread = thread;
      this.point = point;
      this.number = number;
    }

    boolean isDue() {
      return due;
    }

    @Override
    public int compareTo(Place other) {
      int byPoint = Long.compare(point, other.point);
      return byPoint != 0 ? byPoint : Long.compare(number, other.number);
    }
  }

  /**
   * @param due up to which point nobody has to wait any more, now
   */
  public HostWaiters(LongSupplier due) {
    this.due = due;
  }

  /** Takes a place; the caller then looks at the timeline once more before it parks. */
  public Place enter(long point) {
    Place place = new Place(Thread.currentThread(), point, entered.incrementAndGet());
    boolean ignored = kind(place.thread).add(place);
    return place;
  }

  /** Gives a place back, then wakes those behind it that are due. */
  public void leave(Place place) {
    ConcurrentSkipListSet<Place> places = kind(place.thread);
    boolean ignored = places.remove(place);
    // in this order: whoever signals meanwhile found this place, or is seen here
    wake(places, due.getAsLong());
  }

  /**
   * After the timeline has moved and a full fence: whoever waits for {@code reached} or an earlier
   * point is woken, here or by those who are.
   */
  public void wake(long reached) {
    wake(platform, reached);
    wake(virtual, reached);
  }

  private static void wake(ConcurrentSkipListSet<Place> places, long reached) {
    Place place = places.ceiling(FIRST);
    for (int i = 0; i < AT_ONCE && place != null && place.point <= reached; i++) {
      if (!place.due) {
        place.due = true;
        LockSupport.unpark(place.thread);
      }
      place = places.higher(place);
    }
  }

  /** Every thread looks at the timeline again; that costs as much as there are. */
  public void lookAgain() {
    platform.forEach(place -> LockSupport.unpark(place.thread));
    virtual.forEach(place -> LockSupport.unpark(place.thread));
  }

  private ConcurrentSkipListSet<Place> kind(Thread thread) {
    return thread.isVirtual() ? virtual : platform;
  }
}
