package io.isle.fabric.ring.link;

import io.isle.api.base.Errno;
import io.isle.api.fabric.BankPort;
import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingTransport;
import io.isle.api.fabric.StreamPort;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.Sockets;
import java.lang.foreign.Arena;
import java.util.Optional;

/**
 * The port of a link as its transport comes and goes: opened, adopted, parked, closed. Belongs to
 * the thread of the rings.
 */
final class LinkPort {
  private LinkSpec spec;
  private final PortHolder holder;
  private final LinkMeter meter;
  private final Arena arena;
  private Optional<ParkedPort> parked = Optional.empty();

  /** Paths of the port that is gone; an adopted port goes on counting. */
  private long parkedPaths;

  LinkPort(LinkSpec spec, PortHolder holder, LinkMeter meter, Arena arena) {
    this.spec = spec;
    this.holder = holder;
    this.meter = meter;
    this.arena = arena;
  }

  /**
   * Opens a port, or adopts the one that an earlier version has parked.
   *
   * @throws RingException as {@link RingTransport#open}
   */
  void attach(RingTransport transport) {
    Optional<RingPort> adopted =
        parked.flatMap(earlier -> transport.adopt(spec.path().port(), earlier));
    if (adopted.isPresent()) {
      parked = Optional.empty();
      parkedPaths = 0;
      exchange(adopted.get(), false);
      return;
    }
    drop();
    endPath(parkedPaths);
    RingPort port = transport.open(spec.path().port());
    try {
      exchange(port, true);
    } catch (RingException e) {
      port.close();
      throw e;
    } catch (PosixException | OutOfMemoryError e) {
      port.close();
      throw LinkReport.noMemory(e);
    }
  }

  /** Parks the port. */
  void detach() {
    RingPort port = exchange(null, false);
    if (port != null) {
      count(port);
      drop();
      parked = port.park();
    }
  }

  void change(LinkSpec to) {
    spec = to;
  }

  /** Closes what is parked. */
  void drop() {
    Sockets sockets = new Sockets();
    parked.ifPresent(port -> port.descriptors().forEach(sockets::close));
    parked = Optional.empty();
  }

  private RingPort exchange(RingPort port, boolean fresh) {
    Framing framing = port == null ? null : framing(port);
    holder.lock().enter();
    try {
      if (framing != null) {
        holder.framing(framing);
      }
      if (fresh) {
        holder.framing().reset();
      }
      return holder.exchange(port);
    } finally {
      holder.lock().leave();
    }
  }

  /** A new one for the first port of its kind; null if the current one fits. */
  private Framing framing(RingPort port) {
    if (port instanceof BankPort) {
      throw new RingException(Errno.ENOTSUP, "dialect leap has no shared memory");
    }
    Framing current = holder.framing();
    return switch (port) {
      case StreamPort stream when !(current instanceof LeapStream) ->
          new LeapStream(spec.path().port().packetBytes(), meter, arena);
      case DatagramPort datagrams when !(current instanceof LeapDatagrams) ->
          new LeapDatagrams(
              spec.path().port().packetBytes(),
              spec.reassemblyBytes(),
              spec.frameNs(),
              meter,
              arena);
      default -> null;
    };
  }

  void close() {
    RingPort port = exchange(null, false);
    if (port != null) {
      count(port);
      endPath(port.paths());
      port.close();
    }
    drop();
  }

  /** Counters of a port that is replaced go on in the link. */
  private void count(RingPort port) {
    meter.add(LinkMeter.FOREIGN, port.foreign());
    meter.add(LinkMeter.STRAYS, port.strays());
    parkedPaths = port.paths();
  }

  private void endPath(long paths) {
    meter.add(LinkMeter.PATHS, paths);
    parkedPaths = 0;
  }
}
