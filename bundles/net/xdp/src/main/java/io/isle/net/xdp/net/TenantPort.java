package io.isle.net.xdp.net;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import io.isle.api.tenancy.Capability;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A port of a tenant. A call that runs while the port ends has its memory until its return, for a
 * second at most; afterwards the memory is gone, and an access throws.
 */
final class TenantPort implements FramePort {
  private static final long LAST_CALL_MS = 1000;

  private final Net net;
  private final Capability capability;
  private final AppFeed feed;
  private final FramePort port;
  private final Consumer<TenantPort> closed;
  private final Consumer<FramePort> ended;

  /** Held by each call, and from the end of the port on. */
  private final ReentrantLock gate = new ReentrantLock();

  /**
   * @param closed told on any thread when the port shall end, perhaps several times
   * @param ended told by the executor of the nets when the port has ended
   */
  TenantPort(
      Net net,
      Capability capability,
      AppFeed feed,
      Consumer<TenantPort> closed,
      Consumer<FramePort> ended) {
    this.net = net;
    this.capability = capability;
    this.feed = feed;
    this.port = feed.port();
    this.closed = closed;
    this.ended = ended;
  }

  Net net() {
    return net;
  }

  Capability capability() {
    return capability;
  }

  AppFeed feed() {
    return feed;
  }

  /** Gives the links back; by the executor of the nets, once. */
  void end() {
    port.close();
    feed.end();
    boolean held = false;
    try {
      held = gate.tryLock(LAST_CALL_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    feed.close();
    if (held) {
      gate.unlock();
    }
    ended.accept(this);
  }

  @Override
  public int poll(Handler handler, int limit) {
    if (!gate.tryLock()) {
      return -Errno.ECLOSED;
    }
    try {
      return port.poll(handler, limit);
    } finally {
      gate.unlock();
    }
  }

  @Override
  public int pollInPlace(PlaceHandler handler, int limit) {
    if (!gate.tryLock()) {
      return -Errno.ECLOSED;
    }
    try {
      return port.pollInPlace(handler, limit);
    } finally {
      gate.unlock();
    }
  }

  @Override
  public long overruns() {
    return port.overruns();
  }

  @Override
  public MemorySegment memory() {
    return port.memory();
  }

  @Override
  public int mtu() {
    return port.mtu();
  }

  @Override
  public long claim(int length) {
    if (!gate.tryLock()) {
      return -Errno.ECLOSED;
    }
    try {
      return port.claim(length);
    } finally {
      gate.unlock();
    }
  }

  @Override
  public int publish(int length, long signature) {
    if (!gate.tryLock()) {
      return -Errno.ECLOSED;
    }
    try {
      return port.publish(length, signature);
    } finally {
      gate.unlock();
    }
  }

  @Override
  public int flush() {
    if (!gate.tryLock()) {
      return -Errno.ECLOSED;
    }
    try {
      return port.flush();
    } finally {
      gate.unlock();
    }
  }

  @Override
  public void close() {
    port.close();
    closed.accept(this);
  }
}
