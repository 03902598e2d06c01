package io.isle.fabric.ring.link;

import io.isle.api.fabric.RingPort;
import io.isle.lib.ffi.EventDescriptor;
import io.isle.lib.ffi.PollSet;

/**
 * The sleep of a thread that waits for its port. {@link #collect} and {@link #sleep} by the waiting
 * thread, {@link #wake} by any. A port may be closed during the sleep: who closes it wakes the
 * sleeper, and a number that belongs to another file meanwhile only ends the sleep early.
 */
final class PortSleeper implements AutoCloseable {
  /** Of four ports: a listener, eight candidates, a path, and one to spare. */
  private static final int MOST = 48;

  private final EventDescriptor event = new EventDescriptor();
  private final PollSet set = new PollSet(MOST + 1);
  private final RingPort.Interests adding = this::add;
  private int count;

  PortSleeper() {
    set.set(0, event.descriptor(), PollSet.POLLIN);
  }

  /** Takes the descriptors of a link, which this thread drives. */
  void collect(Drive drive, int wanted) {
    count = 1;
    drive.interests(adding, wanted);
  }

  /** Waits for {@link #wake} alone. */
  void collectNone() {
    count = 1;
  }

  private void add(int descriptor, int events) {
    if (count <= MOST) {
      set.set(
          count++,
          descriptor,
          ((events & RingPort.READABLE) != 0 ? PollSet.POLLIN : 0)
              | ((events & RingPort.WRITABLE) != 0 ? PollSet.POLLOUT : 0));
    }
  }

  void sleep(long timeoutNs) {
    int ignored = set.await(count, timeoutNs);
    if (set.happened(0) != 0) {
      event.drain();
    }
  }

  void wake() {
    event.signal();
  }

  @Override
  public void close() {
    event.close();
  }
}
