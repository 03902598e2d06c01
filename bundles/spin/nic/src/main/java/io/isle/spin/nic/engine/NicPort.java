package io.isle.spin.nic.engine;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameSource;
import io.isle.api.net.port.OpenPort;
import java.lang.foreign.MemorySegment;

/**
 * A place where frames come and go, or nothing while it has failed. The agent's thread, but for
 * {@link #ended}. Allocates nothing.
 */
public final class NicPort {
  private static final int HEADER = 14;
  private static final int MORE = 1;

  /** Time for which a port that was empty is not asked: to ask costs a call of the kernel. */
  private static final long REST_NS = 5_000;

  private OpenPort port;
  private boolean rests;
  private long restNs;
  private boolean unflushed;
  private volatile boolean ended;
  private long received;
  private long sent;
  private long unsent;

  /** Of the ports before. */
  private long dropped;

  private long untaken;

  /** Another port from now on; null for none. */
  public void use(OpenPort other) {
    dropped = dropped();
    untaken = untaken();
    port = other;
    unflushed = false;
    rests = false;
    ended = false;
  }

  boolean isOpen() {
    return port != null && !ended;
  }

  /** Whether the port has ended by itself; any thread. */
  public boolean ended() {
    return ended;
  }

  /** To wait on; -1 without. */
  int descriptor() {
    return isOpen() ? port.descriptor() : -1;
  }

  /** Passes frames on; none if there was none a moment ago, and a descriptor would tell. */
  int poll(FrameSource.Handler handler, int limit, long nowNs) {
    if (!isOpen() || rests && nowNs - restNs < REST_NS && port.descriptor() >= 0) {
      return 0;
    }
    int count = port.poll(handler, limit);
    rests = count < limit;
    restNs = nowNs;
    if (count < 0) {
      ended = true;
      return MORE;
    }
    received += count;
    return count;
  }

  /**
   * Sends a copy; what cannot be sent is counted.
   *
   * @return false where the port has no room now
   */
  boolean send(MemorySegment memory, long offset, int length) {
    if (!isOpen() || length < HEADER || length > port.mtu()) {
      unsent++;
      return true;
    }
    long at = port.claim(length);
    if (at == -Errno.EAGAIN) {
      flush();
      at = isOpen() ? port.claim(length) : -Errno.ECLOSED;
    }
    if (at == -Errno.EAGAIN) {
      return false;
    }
    if (at >= 0) {
      MemorySegment.copy(memory, offset, port.memory(), at, length);
      at = port.publish(length, 0);
    }
    ended |= at == -Errno.ECLOSED;
    if (at == 0) {
      sent++;
      unflushed = true;
    } else {
      unsent++;
    }
    return true;
  }

  /** As {@link #send}, but what has no room is lost. */
  void offer(MemorySegment memory, long offset, int length) {
    if (!send(memory, offset, length)) {
      unsent++;
    }
  }

  void flush() {
    if (unflushed) {
      unflushed = false;
      ended |= port.flush() < 0;
    }
  }

  public long received() {
    return received;
  }

  public long sent() {
    return sent - untaken();
  }

  public long unsent() {
    return unsent + untaken();
  }

  /** Frames that came and could not be passed on, over all ports. */
  public long dropped() {
    return dropped + (port == null ? 0 : port.counters().receiveDropped());
  }

  /** Frames that a port has taken, and that could not leave. */
  private long untaken() {
    return untaken + (port == null ? 0 : port.counters().sendDropped());
  }
}
