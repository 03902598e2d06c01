package io.isle.fabric.ring.link;

import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.lib.ffi.Epoll;
import io.isle.lib.ffi.EpollEvents;

/** The part of a link in the set of descriptors that the agent waits for. The agent's. */
final class LinkWatch {
  /** A listener, eight candidates, a path, and one to spare. */
  private static final int MOST = 16;

  /** Until the agent asks again for a port that another thread drives. */
  private static final long DRIVEN_NS = 10_000_000;

  private final PortHolder holder;
  private final RingPort.Interests adding = this::add;
  private final int[] descriptors = new int[MOST];
  private final int[] events = new int[MOST];
  private int count;
  private int[] watched = new int[MOST];
  private int watchedCount;
  private volatile boolean over;
  private PortState seen;

  LinkWatch(PortHolder holder) {
    this.holder = holder;
  }

  /** Whether the state of the port has changed since the last call. */
  boolean hasChanged() {
    RingPort port = holder.port();
    PortState now = port == null ? null : port.state();
    boolean changed = now != seen;
    seen = now;
    return changed;
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
    if (!holder.tryEnter()) {
      return nowNs + DRIVEN_NS;
    }
    long next;
    try {
      next = holder.poll(nowNs);
      count = 0;
      RingPort port = holder.port();
      if (port != null) {
        boolean flushed = holder.framing().flush(port, nowNs);
        port.interests(adding, flushed ? 0 : RingPort.WRITABLE);
      }
      arm(epoll);
    } finally {
      holder.leave();
    }
    return next;
  }

  private void add(int descriptor, int wanted) {
    if (count < MOST) {
      descriptors[count] = descriptor;
      events[count++] =
          ((wanted & RingPort.READABLE) != 0 ? EpollEvents.EPOLLIN : 0)
              | ((wanted & RingPort.WRITABLE) != 0 ? EpollEvents.EPOLLOUT : 0);
    }
  }

  /** A number may have become another file since the last call: each is set anew. */
  private void arm(Epoll epoll) {
    for (int i = 0; i < watchedCount; i++) {
      if (!isWanted(watched[i])) {
        int ignored = epoll.remove(watched[i]);
      }
    }
    for (int i = 0; i < count; i++) {
      if (epoll.modify(descriptors[i], events[i], 0) < 0) {
        int ignored = epoll.add(descriptors[i], events[i], 0);
      }
    }
    System.arraycopy(descriptors, 0, watched, 0, count);
    watchedCount = count;
  }

  private boolean isWanted(int descriptor) {
    for (int i = 0; i < count; i++) {
      if (descriptors[i] == descriptor) {
        return true;
      }
    }
    return false;
  }
}
