package io.isle.fabric.ring.link;

import io.isle.api.fabric.RingPort;

/**
 * The descriptors that a port waits for of its own accord. A thread that sleeps knows those from
 * the begin of its sleep; when another thread has changed them, the sleeper has to begin anew. One
 * thread at a time.
 */
public final class Shape {
  private final RingPort.Interests adding = this::add;
  private long now;
  private long before;

  private void add(int descriptor, int events) {
    now = 31 * now + 4L * descriptor + events;
  }

  /** Begins to look. */
  public void begin() {
    now = 1;
  }

  /** Adds a port; null adds nothing. */
  public void add(RingPort port) {
    if (port != null) {
      now = 31 * now + port.paths();
      port.interests(adding, 0);
    }
  }

  /** Whether the descriptors differ from those of the last look. */
  public boolean hasChanged() {
    boolean changed = now != before;
    before = now;
    return changed;
  }
}
