package io.isle.fabric.ring;

import io.isle.api.base.Errno;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingTransport;
import io.isle.api.fabric.StreamPort;
import io.isle.fabric.ring.link.PlainPort;
import io.isle.lib.ffi.SocketIo;
import io.isle.lib.ffi.Sockets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Ports without a neighbour, which leave a descriptor each when they are parked. */
final class FakeTransport implements RingTransport {
  /** Names of nodes whose ports were adopted. */
  final Set<String> adopted = ConcurrentHashMap.newKeySet();

  /** Ports that were in use and then closed, by node. */
  private final Map<String, Integer> closed = new ConcurrentHashMap<>();

  private final Map<String, Integer> watched = new HashMap<>();
  private final Sockets sockets = new Sockets();
  private final SocketIo io = new SocketIo();
  private final MemorySegment memory = Arena.ofAuto().allocate(8);

  /** Whether what a node's port has left is still open. */
  synchronized boolean isParked(String node) {
    return io.receive(watched.get(node), memory, 0, 8, 0) == -Errno.EAGAIN;
  }

  int closed(String node) {
    return closed.getOrDefault(node, 0);
  }

  private synchronized Optional<ParkedPort> park(String node) {
    int[] pair = new int[2];
    int ignored = sockets.pair(Sockets.SOCK_STREAM, pair);
    watched.put(node, pair[1]);
    return Optional.of(new ParkedPort("fake/1", List.of(pair[0]), Map.of()));
  }

  @Override
  public RingPort open(PortSpec spec) {
    if (spec.address().equals("bad")) {
      throw new RingException(Errno.EINVAL, spec.side().text() + ": bad is no place");
    }
    return new Port(spec.node());
  }

  @Override
  public Optional<RingPort> adopt(PortSpec spec, ParkedPort parked) {
    adopted.add(spec.node());
    parked.descriptors().forEach(sockets::close);
    return Optional.of(new Port(spec.node()));
  }

  private final class Port extends PlainPort implements StreamPort {
    private final String node;
    private volatile boolean used;

    Port(String node) {
      this.node = node;
    }

    @Override
    public long write(MemorySegment from, long offset, long length, boolean more) {
      return -Errno.ENOTCONN;
    }

    @Override
    public long read(MemorySegment into, long offset, long length) {
      return -Errno.ENOTCONN;
    }

    @Override
    public PortState state() {
      return PortState.CONNECTING;
    }

    @Override
    public long poll(long nowNs) {
      used = true;
      return Long.MAX_VALUE;
    }

    @Override
    public Optional<ParkedPort> park() {
      return FakeTransport.this.park(node);
    }

    @Override
    public void close() {
      if (used) {
        closed.merge(node, 1, Integer::sum);
      }
    }
  }
}
