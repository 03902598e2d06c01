package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/** Lets calls through until the bundle stops, which waits for those within. Thread-safe. */
final class Gate {
  private final ReentrantReadWriteLock within = new ReentrantReadWriteLock();
  private final CountDownLatch closed = new CountDownLatch(1);

  /**
   * @throws AccelException ECLOSED once it is closed
   */
  <T> T pass(Supplier<T> call) {
    within.readLock().lock();
    try {
      if (closed.getCount() == 0) {
        throw new AccelException(
            Errno.ECLOSED,
            "the display service has stopped; get the display from the service Displays again");
      }
      return call.get();
    } finally {
      within.readLock().unlock();
    }
  }

  /** Sleeps outside; until it is closed at the longest. */
  void pause(long ns) throws InterruptedException {
    boolean ignored = closed.await(ns, TimeUnit.NANOSECONDS);
  }

  /** Nobody is within from now on. */
  void close() {
    within.writeLock().lock();
    try {
      closed.countDown();
    } finally {
      within.writeLock().unlock();
    }
  }
}
