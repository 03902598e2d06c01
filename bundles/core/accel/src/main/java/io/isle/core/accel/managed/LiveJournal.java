package io.isle.core.accel.managed;

import io.isle.api.accel.AccelAdmin.JournalInfo;
import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.core.accel.sched.InputRing;
import io.isle.core.accel.sched.JournalWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The journal of a device's scheduler: the agent puts what it is told and decides into a ring, the
 * caller's thread writes it out. One at a time; thread-safe.
 */
public final class LiveJournal {
  /** 8 MiB: a tenth of a second of a busy agent. */
  private static final int RECORDS = 1 << 17;

  private static final long LOOK_NS = 1_000_000;

  private final String device;
  private final DeviceEngine engine;
  private final MonotonicClock clock;
  private final AtomicBoolean running = new AtomicBoolean();

  LiveJournal(String device, DeviceEngine engine, MonotonicClock clock) {
    this.device = device;
    this.engine = engine;
    this.clock = clock;
  }

  /**
   * Writes a journal of that length; less when the thread is interrupted or the ring overflows.
   *
   * @throws AccelException EBUSY while another one is being written
   * @throws IOException of {@code out}
   */
  public JournalInfo write(Duration time, OutputStream out) throws IOException {
    if (!running.compareAndSet(false, true)) {
      throw new AccelException(
          Errno.EBUSY,
          device + ": another journal of this device is being written; wait for its end");
    }
    try {
      InputRing ring = new InputRing(RECORDS);
      JournalWriter writer = new JournalWriter(engine.scheduler().core(), clock.nanoTime(), out);
      try {
        engine.call(() -> engine.scheduler().core().setRecorder(ring));
        follow(writer, ring, time);
      } finally {
        engine.call(() -> engine.scheduler().core().setRecorder(null));
      }
      int ignored = writer.write(ring);
      writer.end(ring.missed());
      return new JournalInfo(device, writer.records(), ring.missed(), writer.bytes());
    } finally {
      running.set(false);
    }
  }

  /** Whether none is being written. */
  boolean isFree() {
    return !running.get();
  }

  private static void follow(JournalWriter writer, InputRing ring, Duration time)
      throws IOException {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < time.toNanos()
        && ring.missed() == 0
        && !Thread.currentThread().isInterrupted()) {
      if (writer.write(ring) == 0) {
        LockSupport.parkNanos(LOOK_NS);
      }
    }
  }
}
