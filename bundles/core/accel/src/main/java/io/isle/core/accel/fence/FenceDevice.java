package io.isle.core.accel.fence;

import io.isle.api.driver.FenceProtocolSupport;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A device's part in fences: its domain, what it can do itself, and counts. Thread-safe. */
public final class FenceDevice {
  private final String id;
  private volatile int domain;
  private volatile FenceProtocolSupport support = FenceProtocolSupport.BY_CORE;
  private volatile FenceRange range = new FenceRange(0);
  private volatile boolean keepsWaits;
  private volatile int waiting;
  private volatile int handed;
  private final AtomicLong timeouts = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  public FenceDevice(String id, int domain) {
    this.id = id;
    this.domain = domain;
  }

  public String id() {
    return id;
  }

  /** Devices of different domains cannot wait for each other. */
  public int domain() {
    return domain;
  }

  void domain(int now) {
    domain = now;
  }

  /**
   * Another device was opened here.
   *
   * @param said what it says of itself; empty when it leaves all to the core
   */
  public void opened(Optional<FenceProtocolSupport> said) {
    FenceProtocolSupport now = said.orElse(FenceProtocolSupport.BY_CORE);
    range = new FenceRange(now.maxFenceValue());
    support = now;
    keepsWaits = said.isPresent();
  }

  public FenceProtocolSupport support() {
    return support;
  }

  /** Of its own fences. */
  public FenceRange range() {
    return range;
  }

  /** Most submissions of a context that may not have ended: their values can be compared. */
  public long window() {
    return range.window();
  }

  /** Whether the device keeps waits itself. */
  public boolean keepsWaits() {
    return keepsWaits;
  }

  /** Agent: contexts that wait in the core, submissions that wait on the device. */
  public void count(int inCore, int onDevice) {
    if (waiting != inCore) {
      waiting = inCore;
    }
    if (handed != onDevice) {
      handed = onDevice;
    }
  }

  public int waiting() {
    return waiting;
  }

  public int handed() {
    return handed;
  }

  public void timedOut() {
    timeouts.getAndIncrement();
  }

  public long timeouts() {
    return timeouts.get();
  }

  void wasRefused() {
    refused.getAndIncrement();
  }

  public long refused() {
    return refused.get();
  }
}
