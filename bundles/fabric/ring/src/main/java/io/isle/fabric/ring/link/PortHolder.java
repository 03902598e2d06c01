package io.isle.fabric.ring.link;

import io.isle.api.fabric.RingPort;

/**
 * The port of a link, and the right to drive it. Ports come and go with their transports; without a
 * port the link has no neighbour.
 */
final class PortHolder implements Drive {
  private final DriveLock lock = new DriveLock();

  /** Written by the driving thread; for reading its state, any thread. */
  private volatile RingPort port;

  /** Of the kind of the port, or of the last one; the driving thread's. */
  private Framing framing;

  private final Shape shape = new Shape();
  private Runnable news = () -> {};

  /** Time of the next call of {@link RingPort#poll}; the driving thread's. */
  private long pollNs;

  /** Runs on the driving thread when the descriptors of the port have changed. Set once. */
  void onNews(Runnable work) {
    news = work;
  }

  @Override
  public DriveLock lock() {
    return lock;
  }

  /** The port; null without one. */
  RingPort port() {
    return port;
  }

  Framing framing() {
    return framing;
  }

  void framing(Framing next) {
    framing = next;
  }

  /** The driving thread exchanges the port; returns the port of before, or null. */
  RingPort exchange(RingPort next) {
    RingPort before = port;
    port = next;
    pollNs = Long.MIN_VALUE;
    return before;
  }

  @Override
  public void pollIfDue(long nowNs) {
    if (nowNs >= pollNs && port != null) {
      long ignored = poll(nowNs);
    }
  }

  @Override
  public long poll(long nowNs) {
    pollNs = port == null ? Long.MAX_VALUE : port.poll(nowNs);
    shape.begin();
    shape.add(port);
    if (shape.hasChanged()) {
      news.run();
    }
    return pollNs;
  }

  @Override
  public long pollNs() {
    return pollNs;
  }

  @Override
  public void interests(RingPort.Interests interests, int wanted) {
    if (port != null) {
      port.interests(interests, wanted);
    }
  }

  /** The agent sends what is left of a packet. */
  @Override
  public long tend(long nowNs, RingPort.Interests interests) {
    long next = poll(nowNs);
    if (port != null) {
      boolean flushed = framing.flush(port, nowNs);
      port.interests(interests, flushed ? 0 : RingPort.WRITABLE);
    }
    return next;
  }

  @Override
  public long view() {
    RingPort now = port;
    return now == null ? -1 : now.state().ordinal();
  }
}
