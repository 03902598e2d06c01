package io.isle.fabric.ring.link;

import io.isle.api.base.Errno;
import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingTransport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A transport with one port: a test supplies what arrives, and keeps what is sent. */
final class FakeDatagrams implements RingTransport {
  private record Datagram(int source, byte[] bytes) {}

  final Deque<Datagram> arriving = new ArrayDeque<>();
  final List<byte[]> sent = new ArrayList<>();

  /** Codes of the next sends; 0 sends all. */
  final Deque<Integer> sends = new ArrayDeque<>();

  void arrive(int source, byte[] bytes) {
    arriving.add(new Datagram(source, bytes));
  }

  @Override
  public RingPort open(PortSpec spec) {
    return new Port();
  }

  @Override
  public Optional<RingPort> adopt(PortSpec spec, ParkedPort parked) {
    return Optional.empty();
  }

  private final class Port extends PlainPort implements DatagramPort {
    private int source = -1;
    private int candidate;
    private int segment;
    private long paths;

    @Override
    public int maxDatagram() {
      return 1412;
    }

    @Override
    public int maxBatch() {
      return 46 * 1412;
    }

    @Override
    public long send(MemorySegment batch, long offset, long length, int segment) {
      int code = sends.isEmpty() ? 0 : sends.removeFirst();
      if (code < 0) {
        return code;
      }
      long bytes = code == 0 ? length : Math.min(length, (long) code * segment);
      for (long at = 0; at < bytes; at += segment) {
        sent.add(
            batch
                .asSlice(offset + at, Math.min(segment, bytes - at))
                .toArray(ValueLayout.JAVA_BYTE));
      }
      return bytes;
    }

    @Override
    public long receive(MemorySegment into, long offset, long length) {
      if (arriving.isEmpty()) {
        return -Errno.EAGAIN;
      }
      Datagram next = arriving.removeFirst();
      MemorySegment.copy(next.bytes, 0, into, ValueLayout.JAVA_BYTE, offset, next.bytes.length);
      candidate = next.source;
      segment = next.bytes.length;
      return segment;
    }

    @Override
    public int segment() {
      return segment;
    }

    @Override
    public void accept(long nowNs) {
      paths += candidate == source ? 0 : 1;
      source = candidate;
    }

    @Override
    public PortState state() {
      return PortState.UP;
    }

    @Override
    public long paths() {
      return paths;
    }
  }
}
