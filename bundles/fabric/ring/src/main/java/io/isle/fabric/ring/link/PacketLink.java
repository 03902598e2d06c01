package io.isle.fabric.ring.link;

import static io.isle.api.base.Errno.EAGAIN;
import static io.isle.api.base.Errno.ENOTCONN;

import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingTransport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A link to a neighbour: packets of one size by a port that may change. At most one thread receives
 * and one sends; all other calls are thread-safe.
 */
public final class PacketLink implements AutoCloseable {
  private volatile LinkSpec spec;
  private final Arena arena = Arena.ofShared();
  private final LinkMeter meter = new LinkMeter();
  private final PortHolder holder = new PortHolder();
  private final LinkPort port;
  private final Direction receiving;
  private final Direction sending;
  private final LinkWatch watch;
  private volatile String missing;

  /** A link without a port. */
  public PacketLink(LinkSpec spec) {
    this.spec = spec;
    port = new LinkPort(spec, holder, meter, arena);
    watch = new LinkWatch(holder);
    receiving = new Direction(holder, RingPort.READABLE, spec.spinNs());
    sending = new Direction(holder, RingPort.WRITABLE, spec.spinNs());
    missing = "transport " + spec.transport() + " is not installed";
  }

  /** The settings. */
  public LinkSpec spec() {
    return spec;
  }

  /**
   * Receives a packet.
   *
   * @param into native memory with room for a packet at {@code offset}
   * @param timeoutNs 0 or more
   * @return bytes, or a negated code as for an endpoint
   */
  public long receive(MemorySegment into, long offset, long timeoutNs, Caller caller) {
    receiving.begin();
    holder.enter();
    Framing begun = null;
    try {
      while (true) {
        long result = -ENOTCONN;
        if (holder.port() != null) {
          if (begun != holder.framing()) {
            begun = holder.framing();
            begun.beginReceive(into, offset);
          }
          result = begun.receive(holder.port(), into, offset, System.nanoTime());
          if (result > 0) {
            begun = null;
            return result;
          }
        }
        if (result != -EAGAIN && result != -ENOTCONN) {
          return result;
        }
        result = receiving.pause(result, timeoutNs, timer(), caller);
        if (result < 0) {
          return result;
        }
      }
    } finally {
      if (begun != null && begun == holder.framing()) {
        begun.endReceive(into, offset);
      }
      holder.leave();
    }
  }

  /**
   * Sends a packet of two parts.
   *
   * @param head native memory; read from its begin
   * @param headLength 0 or more
   * @param data native memory
   * @param timeoutNs 0 or more
   * @return bytes, or a negated code as for an endpoint
   */
  public long send(
      MemorySegment head,
      long headLength,
      MemorySegment data,
      long offset,
      long length,
      long timeoutNs,
      Caller caller) {
    sending.begin();
    holder.enter();
    try {
      while (true) {
        Framing begun = holder.framing();
        long result = -ENOTCONN;
        if (holder.port() != null) {
          result =
              begun.send(holder.port(), head, headLength, data, offset, length, System.nanoTime());
        }
        if (result != -EAGAIN && result != -ENOTCONN) {
          return result;
        }
        result = sending.pause(result, timeoutNs, Long.MAX_VALUE, caller);
        if (result < 0) {
          long kept = begun == null ? 0 : begun.endSend(head, headLength, data, offset, length);
          return kept > 0 ? kept : result;
        }
      }
    } finally {
      holder.leave();
    }
  }

  /**
   * The next packet if it is here as a whole and {@code wanted} accepts it; never waits.
   *
   * @return bytes of the packet; -EAGAIN
   */
  public long take(Wanted wanted) {
    holder.enter();
    try {
      MemorySegment packet =
          holder.port() == null ? null : holder.framing().peek(holder.port(), System.nanoTime());
      if (packet == null || !wanted.accepts(packet)) {
        return -EAGAIN;
      }
      holder.framing().take();
      return packet.byteSize();
    } finally {
      holder.leave();
    }
  }

  /** Looks at a packet, and copies it if it is wanted. */
  @FunctionalInterface
  public interface Wanted {
    /** Whether the packet is to be removed from the link. */
    boolean accepts(MemorySegment packet);
  }

  /** Nanoseconds of the next work of the link itself; the driving thread asks. */
  private long timer() {
    return holder.framing() == null ? Long.MAX_VALUE : holder.framing().deadlineNs();
  }

  /**
   * The transport has come: opens a port, or adopts the parked one.
   *
   * @throws RingException as {@link RingTransport#open}; the link stays without a port
   */
  public void attach(RingTransport transport) {
    try {
      port.attach(transport);
    } catch (RingException e) {
      missing = e.getMessage();
      throw e;
    } finally {
      wake();
    }
  }

  /** Other settings with packets of the same size: closes the port, until {@link #attach}. */
  public void change(LinkSpec to) {
    port.close();
    port.change(to);
    spec = to;
    missing = "transport " + to.transport() + " is not installed";
    wake();
  }

  /** The transport goes: parks the port. */
  public void detach() {
    port.detach();
    missing = "transport " + spec.transport() + " is not installed";
    wake();
  }

  /** Closes what {@link #detach} has parked. */
  public void dropParked() {
    port.drop();
  }

  /** Ends the waits of data calls, so that the calls ask their {@link Caller}. */
  public void wake() {
    receiving.wake();
    sending.wake();
  }

  /** The work of the agent that watches ports without a waiting thread. */
  LinkWatch watch() {
    return watch;
  }

  /** The last loss that a call reported. */
  public Optional<RingLoss> lastLoss() {
    Framing framing = holder.framing();
    return framing == null ? Optional.empty() : framing.loss();
  }

  /** The link as it is now. */
  public LinkInfo info() {
    return LinkReport.of(spec, holder.port(), missing, meter);
  }

  /** Closes the port. No data call may run or begin. */
  @Override
  public void close() {
    port.close();
    receiving.close();
    sending.close();
    arena.close();
  }
}
