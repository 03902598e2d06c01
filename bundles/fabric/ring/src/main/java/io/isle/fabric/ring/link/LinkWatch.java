package io.isle.fabric.ring.link;

import io.isle.api.fabric.RingPort;
import io.isle.lib.ffi.Epoll;
import io.isle.lib.ffi.EpollEvents;
import java.util.Arrays;

/** The part of a link in the set of descriptors that the agent waits for. The agent's. */
public final class LinkWatch {
  /** Of four ports: a listener, eight candidates, a path, and one to spare. */
  private static final int MOST = 48;

  /** Until the agent asks again for a port that another thread drives. */
  private static final long DRIVEN_NS = 5_000_000;

  private final Drive drive;
  private final RingPort.Interests adding = this::add;
  private final int[] descriptors = new int[MOST];
  private final int[] events = new int[MOST];
  private int count;
  private final int[] watched = new int[MOST];
  private final int[] watchedEvents = new int[MOST];
  private int watchedCount;

  /** {@link Drive#settled} of the watched descriptors. */
  private long settled;

  private volatile boolean over;
  private volatile Runnable wakeAgent = () -> {};
  private long seen = Long.MIN_VALUE;

  /** The part of a link that is not closed yet. */
  public LinkWatch(Drive drive) {
    this.drive = drive;
  }

  /** Whether the state of the port has changed since the last call. */
  boolean hasChanged() {
    long now = drive.view();
    boolean changed = now != seen;
    seen = now;
    return changed;
  }

  /** The agent that waits. */
  void agent(Runnable wake) {
    wakeAgent = wake;
  }

  /** Another thread has changed the descriptors that the agent waits for. Any thread. */
  public void renew() {
    wakeAgent.run();
  }

  /** The link is closed; the agent forgets it. */
  void end() {
    over = true;
  }

  boolean isOver() {
    return over;
  }

  /**
   * Does what the port requires, and what is left of a packet.
   *
   * @return the time of the next call without an event
   */
  long tend(long nowNs, Epoll epoll) {
    if (!drive.lock().tryEnter()) {
      disarm(epoll);
      return nowNs + DRIVEN_NS;
    }
    long next;
    try {
      count = 0;
      next = drive.tend(nowNs, adding);
      arm(epoll);
    } finally {
      drive.lock().leave();
    }
    return next;
  }

  /** Bytes that only the driving thread can take would end each sleep of the agent at once. */
  private void disarm(Epoll epoll) {
    for (int i = 0; i < watchedCount; i++) {
      int ignored = epoll.remove(watched[i]);
    }
    watchedCount = 0;
  }

  private void add(int descriptor, int wanted) {
    if (count < MOST) {
      descriptors[count] = descriptor;
      events[count++] =
          ((wanted & RingPort.READABLE) != 0 ? EpollEvents.EPOLLIN : 0)
              | ((wanted & RingPort.WRITABLE) != 0 ? EpollEvents.EPOLLOUT : 0);
    }
  }

  /** A number may have become another file since the last call: then each is set anew. */
  private void arm(Epoll epoll) {
    long now = drive.settled();
    if (now != 0 && now == settled && isWatched()) {
      return;
    }
    settled = now;
    for (int i = 0; i < watchedCount; i++) {
      if (!isAmong(descriptors, count, watched[i])) {
        int ignored = epoll.remove(watched[i]);
      }
    }
    for (int i = 0; i < count; i++) {
      watch(epoll, descriptors[i], events[i]);
    }
    System.arraycopy(descriptors, 0, watched, 0, count);
    System.arraycopy(events, 0, watchedEvents, 0, count);
    watchedCount = count;
  }

  /** The likely call first: one that fails costs a second one. */
  private void watch(Epoll epoll, int descriptor, int wanted) {
    boolean known = isAmong(watched, watchedCount, descriptor);
    int result = known ? epoll.modify(descriptor, wanted, 0) : epoll.add(descriptor, wanted, 0);
    if (result < 0) {
      int ignored = known ? epoll.add(descriptor, wanted, 0) : epoll.modify(descriptor, wanted, 0);
    }
  }

  /** Whether exactly the wanted events are waited for. */
  private boolean isWatched() {
    return Arrays.equals(descriptors, 0, count, watched, 0, watchedCount)
        && Arrays.equals(events, 0, count, watchedEvents, 0, watchedCount);
  }

  private static boolean isAmong(int[] all, int count, int descriptor) {
    for (int i = 0; i < count; i++) {
      if (all[i] == descriptor) {
        return true;
      }
    }
    return false;
  }
}
