package io.isle.fabric.udp;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortState;
import io.isle.lib.net.PeerRules;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The side of the previous node: receives at the address where the node listens, of one source at a
 * time. Of dialect isle, answers go to this source.
 */
final class PreviousPort extends UdpPort {
  private final NodeSocket node;
  private final Source source;
  private boolean bound;
  private boolean permitted;

  PreviousPort(UdpSettings settings, UdpKernel kernel, NodeSocket node, Source source) {
    super(settings, kernel, PortState.LISTENING);
    this.node = node;
    this.source = source;
  }

  @Override
  public long poll(long nowNs) {
    if (closed()) {
      return Long.MAX_VALUE;
    }
    long next = source.poll(nowNs);
    if (!bound) {
      long due = node.poll(nowNs, settings);
      if (node.socket() == null) {
        fail(node.reason());
        return Math.min(next, due);
      }
      bound = true;
      permitted = node.isPermitted(settings);
    }
    if (!permitted) {
      fail("listen: " + PeerRules.refusal(settings.address().toString()));
      return Long.MAX_VALUE;
    }
    takeFailures();
    if (source.isLate()) {
      if (kernel.sockets.unread(socket().descriptor) == 0) {
        source.emptied();
      } else {
        next = Math.min(next, nextWatch(nowNs));
      }
    }
    state(source.isKnown() ? PortState.UP : PortState.LISTENING);
    reason(source.failure());
    return next;
  }

  private void fail(String text) {
    reason(text);
    state(text.isEmpty() ? PortState.LISTENING : PortState.FAILED);
  }

  @Override
  public long receive(MemorySegment into, long offset, long length) {
    if (!permitted) {
      return closed() ? -Errno.ENOTCONN : -Errno.EAGAIN;
    }
    long bytes = receiveFrom(source, into, offset, length);
    if (bytes < 0) {
      source.emptied();
    }
    return bytes;
  }

  @Override
  public void accept(long nowNs) {
    if (source.accept(nowNs)) {
      begin(source.peer().toString());
    }
  }

  @Override
  public long send(MemorySegment batch, long offset, long length, int segment) {
    return permitted && source.isKnown()
        ? sendTo(source.peer(), batch, offset, length, segment)
        : -Errno.ENOTCONN;
  }

  @Override
  boolean sends() {
    return settings.dialect() == Dialect.ISLE;
  }

  /** Of dialect isle, the link knows the end of the previous node before five seconds are over. */
  @Override
  public void disconnect(String why) {
    source.ended();
  }

  /** The previous node is found again by what it sends. */
  @Override
  void refused(int code) {}

  @Override
  UdpSocket socket() {
    return node.socket();
  }

  @Override
  Optional<Integer> part() {
    permitted = false;
    return node.part();
  }

  @Override
  void leave() {
    permitted = false;
    node.leave();
  }

  @Override
  public void interests(Interests events, int wanted) {
    if (permitted && wanted != 0) {
      events.add(socket().descriptor, wanted);
    }
  }

  @Override
  public long foreign() {
    return source.foreign();
  }

  /** Takes over what was parked; false, without a change of the descriptor, if that is unknown. */
  boolean adopt(ParkedPort parked) {
    if (!UdpParking.fits(this, parked) || !source.restore(UdpParking.peer(parked))) {
      return false;
    }
    node.adopt(parked, kernel.calls, settings);
    paths(UdpParking.paths(parked));
    if (source.isKnown()) {
      resume(source.peer().toString());
    }
    return true;
  }
}
