package io.isle.core.accel.managed;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;

/**
 * Closes managed devices to which no driver came back, each on a thread of its own: a close waits
 * for its driver, and the other devices go on meanwhile. Thread-safe.
 */
public final class ClosingDevices implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ClosingDevices.class.getName());

  private final Map<String, CountDownLatch> closing = new ConcurrentHashMap<>();
  private final ExecutorService threads;

  /**
   * @param threads one for each device that is being closed; ended with this object
   */
  public ClosingDevices(ExecutorService threads) {
    this.threads = threads;
  }

  /**
   * Closes a device that the core has forgotten; on the caller's thread if no other thread can be
   * started.
   */
  public void begin(ManagedDevice device) {
    CountDownLatch closed = new CountDownLatch(1);
    closing.put(device.deviceId(), closed);
    Runnable close = () -> close(device, closed);
    try {
      threads.execute(close);
    } catch (RuntimeException | Error e) {
      close.run();
    }
  }

  private void close(ManagedDevice device, CountDownLatch closed) {
    try {
      device.attachment().close();
    } catch (RuntimeException | Error e) {
      LOG.log(
          System.Logger.Level.ERROR,
          device.deviceId() + ": the device's contexts and memory could not be released",
          e);
    } finally {
      closing.remove(device.deviceId());
      closed.countDown();
    }
  }

  public boolean has(String deviceId) {
    return closing.containsKey(deviceId);
  }

  /** Waits until the device is closed, if it is being closed. */
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
