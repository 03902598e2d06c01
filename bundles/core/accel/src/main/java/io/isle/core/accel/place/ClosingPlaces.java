package io.isle.core.accel.place;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;

/**
 * Closes places to which no driver came back, each on a thread of its own: a close waits for its
 * driver, and the other devices go on meanwhile. Thread-safe.
 */
public final class ClosingPlaces implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ClosingPlaces.class.getName());

  private final Map<String, CountDownLatch> closing = new ConcurrentHashMap<>();
  private final ExecutorService threads;

  /**
   * @param threads one for each place that is being closed; ended with this
   */
  public ClosingPlaces(ExecutorService threads) {
    this.threads = threads;
  }

  /**
   * Closes a place that nobody finds any more; on the caller's thread where there is no further one
   * to be had.
   */
  public void begin(DevicePlace place) {
    CountDownLatch closed = new CountDownLatch(1);
    closing.put(place.deviceId(), closed);
    Runnable close = () -> close(place, closed);
    try {
      threads.execute(close);
    } catch (RuntimeException | Error e) {
      close.run();
    }
  }

  private void close(DevicePlace place, CountDownLatch closed) {
    try {
      place.plug().close();
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, place.deviceId() + ": its place did not close", e);
    } finally {
      closing.remove(place.deviceId());
      closed.countDown();
    }
  }

  public boolean has(String deviceId) {
    return closing.containsKey(deviceId);
  }

  /** Waits until the device's place is closed, if it is being closed. */
  public void await(String deviceId) {
    CountDownLatch closed = closing.get(deviceId);
    boolean interrupted = false;
    while (closed != null && closed.getCount() > 0) {
      try {
        closed.await();
      } catch (InterruptedException e) {
        // its steps are bounded
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes no further one, and waits for those that are being closed. */
  @Override
  public void close() {
    threads.close();
  }
}
