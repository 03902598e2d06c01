package io.isle.fabric.ring.isle;

import io.isle.api.base.Errno;
import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;

/** Datagrams in virtual time between two ports, with loss, repetition, reordering and cuts. */
final class FakeDatagramLine {
  private record Held(byte[] bytes, long dueNs, long order) {}

  private static final int MOST_HELD = 4096;

  final Port connector = new Port();
  final Port listener = new Port();
  private final Random random;
  private long order;
  long now;
  int lossPercent;
  int twicePercent;
  long jitterNs;

  /** Nothing arrives. */
  boolean down;

  FakeDatagramLine(long seed) {
    random = new Random(seed);
  }

  /** A datagram of a stranger to the listener. */
  void inject(byte[] bytes) {
    listener.in.add(new Held(bytes, now, order++));
  }

  final class Port implements DatagramPort {
    private final PriorityQueue<Held> in =
        new PriorityQueue<>(Comparator.comparingLong(Held::dueNs).thenComparingLong(Held::order));
    private int segment;
    private boolean accepted;

    /** Of the listener, the first source that it accepts counts. */
    private long paths = 1;

    private Port other() {
      return this == listener ? connector : listener;
    }

    @Override
    public int maxDatagram() {
      return 65_507;
    }

    @Override
    public int maxBatch() {
      return 65_507;
    }

    /** Takes a random part of a batch. */
    @Override
    public long send(MemorySegment batch, long offset, long length, int size) {
      int datagrams = (int) Math.ceilDiv(length, size);
      int taken = 1 + random.nextInt(datagrams);
      if (random.nextInt(10) == 0) {
        return -Errno.EAGAIN;
      }
      long sent = 0;
      for (int i = 0; i < taken; i++) {
        long bytes = Math.min(size, length - sent);
        byte[] one = batch.asSlice(offset + sent, bytes).toArray(ValueLayout.JAVA_BYTE);
        sent += bytes;
        int copies = random.nextInt(100) < twicePercent ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
          if (!down && random.nextInt(100) >= lossPercent && other().in.size() < MOST_HELD) {
            long late = jitterNs == 0 ? 0 : random.nextLong(jitterNs);
            other().in.add(new Held(one, now + late, order++));
          }
        }
      }
      return sent;
    }

    @Override
    public long receive(MemorySegment into, long offset, long length) {
      Held next = in.peek();
      if (next == null || next.dueNs > now) {
        return -Errno.EAGAIN;
      }
      in.remove();
      segment = next.bytes.length;
      MemorySegment.copy(next.bytes, 0, into, ValueLayout.JAVA_BYTE, offset, segment);
      return segment;
    }

    @Override
    public int segment() {
      return segment;
    }

    @Override
    public void accept(long nowNs) {
      if (this == listener && !accepted) {
        paths++;
      }
      accepted = true;
    }

    @Override
    public PortState state() {
      return this == connector || accepted ? PortState.UP : PortState.LISTENING;
    }

    @Override
    public String reason() {
      return "";
    }

    @Override
    public Optional<String> peer() {
      return Optional.empty();
    }

    @Override
    public List<String> notes() {
      return List.of();
    }

    @Override
    public long paths() {
      return paths;
    }

    @Override
    public long foreign() {
      return 0;
    }

    @Override
    public long strays() {
      return 0;
    }

    @Override
    public long poll(long nowNs) {
      return Long.MAX_VALUE;
    }

    @Override
    public void disconnect(String why) {}

    @Override
    public void interests(Interests events, int wanted) {}

    @Override
    public Optional<ParkedPort> park() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }
}
