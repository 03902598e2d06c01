package io.isle.fabric.jobs;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.Rings;
import io.isle.api.tenancy.Capability;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A master whose packets come back as they are. */
final class EchoRing implements Rings {
  final List<List<Integer>> resizes = new ArrayList<>();
  boolean closed;
  private final FakeRings nodes;
  private final int packetBytes;
  private final BlockingQueue<byte[]> way = new LinkedBlockingQueue<>();

  EchoRing(Dialect dialect, int packetBytes) {
    nodes = new FakeRings("tcp", dialect);
    this.packetBytes = packetBytes;
  }

  @Override
  public List<RingNodeInfo> nodes() {
    return nodes.nodes();
  }

  @Override
  public RingEndpoint open(Capability capability, String node) {
    return (RingEndpoint)
        Proxy.newProxyInstance(
            RingEndpoint.class.getClassLoader(),
            new Class<?>[] {RingEndpoint.class},
            (self, method, given) ->
                switch (method.getName()) {
                  case "node" -> node;
                  case "packetBytes" -> packetBytes;
                  case "info" -> nodes.find(node).orElseThrow();
                  case "lastLoss" -> Optional.empty();
                  case "sendNext" ->
                      send(
                          (MemorySegment) given[0],
                          (long) given[1],
                          (MemorySegment) given[2],
                          (long) given[3],
                          (long) given[4]);
                  case "recvPrev" ->
                      receive((MemorySegment) given[0], (long) given[1], (long) given[3]);
                  case "resize" -> resize((List<?>) given[0]);
                  case "close" -> close();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private Object close() {
    closed = true;
    return null;
  }

  private List<LayerRange> resize(List<?> boundaries) {
    List<Integer> all = boundaries.stream().map(Integer.class::cast).toList();
    resizes.add(all);
    return List.of(new LayerRange(all.getFirst(), all.getLast(), true));
  }

  private long send(
      MemorySegment header, long headerLength, MemorySegment data, long offset, long length) {
    byte[] packet = new byte[packetBytes];
    MemorySegment to = MemorySegment.ofArray(packet);
    MemorySegment.copy(header, 0, to, 0, headerLength);
    MemorySegment.copy(data, offset, to, headerLength, length);
    way.add(packet);
    return packetBytes;
  }

  private long receive(MemorySegment into, long offset, long timeoutNs)
      throws InterruptedException {
    byte[] packet = way.poll(timeoutNs, TimeUnit.NANOSECONDS);
    if (packet == null) {
      return timeoutNs == 0 ? -Errno.EAGAIN : -Errno.ETIME;
    }
    MemorySegment.copy(packet, 0, into, ValueLayout.JAVA_BYTE, offset, packetBytes);
    return packetBytes;
  }
}
