package io.isle.fabric.ring.node;

import io.isle.lib.leap.Control;
import io.isle.lib.leap.ControlReader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The acknowledgement that a resize waits for: that of the last worker, with the worker's layers.
 * Thread-safe.
 */
final class Acknowledgement {
  private final int start;
  private final int end;
  private final boolean tail;
  private final CountDownLatch come = new CountDownLatch(1);

  Acknowledgement(int start, int end, boolean tail) {
    this.start = start;
    this.end = end;
    this.tail = tail;
  }

  /** Whether the control packet is the acknowledgement. */
  boolean isIn(ControlReader packet) {
    boolean is =
        packet.type() == Control.ACK
            && packet.start() == start
            && packet.end() == end
            && packet.tail() == tail;
    if (is) {
      come.countDown();
    }
    return is;
  }

  boolean hasCome() {
    return come.getCount() == 0;
  }

  void await(long timeoutNs) throws InterruptedException {
    boolean ignored = come.await(timeoutNs, TimeUnit.NANOSECONDS);
  }
}
