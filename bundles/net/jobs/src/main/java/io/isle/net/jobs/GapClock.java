package io.isle.net.jobs;

import java.util.ArrayList;
import java.util.List;

/**
 * The longest time between two replies while a reply was due, as a whole and around each event. One
 * thread at a time.
 */
final class GapClock {
  private final List<Event> events;
  private final List<Long> around = new ArrayList<>();
  private long sinceNs;
  private boolean running;
  private long longestNs;

  /**
   * @param events of the net, oldest first; events are added by other threads
   */
  GapClock(List<Event> events) {
    this.events = events;
  }

  /** A datagram is sent; counts if no other one is on its way. */
  void sent(long nowNs) {
    if (!running) {
      sinceNs = nowNs;
      running = true;
    }
  }

  /**
   * Replies have arrived.
   *
   * @param due whether further ones are due
   */
  void replied(long nowNs, boolean due) {
    if (running) {
      longestNs = Math.max(longestNs, nowNs - sinceNs);
      attribute(nowNs);
    }
    sinceNs = nowNs;
    running = due;
  }

  /** A gap belongs to each event that it touches. */
  private void attribute(long nowNs) {
    int known = events.size();
    for (int i = known - 1; i >= 0; i--) {
      Event event = events.get(i);
      if (event.endNs() - sinceNs < 0) {
        return;
      }
      while (around.size() <= i) {
        around.add(0L);
      }
      if (event.beginNs() - nowNs < 0) {
        around.set(i, Math.max(around.get(i), nowNs - sinceNs));
      }
    }
  }

  long longestNs() {
    return longestNs;
  }

  /** The longest gap that touches an event, by its place in the list. */
  long aroundNs(int event) {
    return event < around.size() ? around.get(event) : 0;
  }
}
