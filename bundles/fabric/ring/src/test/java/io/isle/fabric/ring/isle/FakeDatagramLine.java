package io.isle.fabric.ring.isle;

import io.isle.api.base.Errno;
import io.isle.api.fabric.DatagramPort;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;

/** Datagrams in virtual time between two ports, with loss, repetition, reordering and cuts. */
final class FakeDatagramLine implements FakePath {
  private record Held(byte[] bytes, long dueNs, long order) {}

  private static final int MOST_HELD = 4096;

  final Port connector = new Port();
  final Port listener = new Port();
  private final Random random;
  private long order;
  long now;
  int lossPercent;
  int twicePercent;
  int corruptPercent;

  /** Of the datagrams that are here at once, those that are joined with the one before. */
  int joinedPercent = 95;

  long jitterNs;
  int receiveBuffer = Integer.MAX_VALUE;

  /** Nothing arrives. */
  boolean down;

  FakeDatagramLine(long seed) {
    random = new Random(seed);
  }

  @Override
  public FakePort port(RingSide side) {
    return side == RingSide.NEXT ? connector : listener;
  }

  @Override
  public void now(long nowNs) {
    now = nowNs;
  }

  /** Datagrams have no connection to end: what is under way is lost. */
  @Override
  public void cut() {
    connector.in.clear();
    listener.in.clear();
  }

  @Override
  public void down(boolean isDown) {
    down = isDown;
  }

  @Override
  public void harm(int loss, int twice, int corrupt) {
    lossPercent = loss;
    twicePercent = twice;
    corruptPercent = corrupt;
  }

  @Override
  public long underWay() {
    return (long) connector.in.size() + listener.in.size();
  }

  /** A datagram of a stranger to the listener. */
  void inject(byte[] bytes) {
    listener.in.add(new Held(bytes, now, order++));
  }

  final class Port extends FakePort implements DatagramPort {
    private final PriorityQueue<Held> in =
        new PriorityQueue<>(Comparator.comparingLong(Held::dueNs).thenComparingLong(Held::order));
    private int segment;
    private boolean accepted;

    /** Of a frame of so many datagrams, the first one goes, and nothing else; 0 for no stall. */
    int stalled;

    /** Of the listener, the first source that it accepts counts. */
    private long paths = 1;

    @Override
    RingPort kind() {
      return this;
    }

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

    @Override
    public int receiveBuffer() {
      return receiveBuffer;
    }

    /** Takes a random part of a batch. */
    @Override
    public long send(MemorySegment batch, long offset, long length, int size) {
      int datagrams = (int) Math.ceilDiv(length, size);
      int taken = stalled > 0 ? 1 : 1 + random.nextInt(datagrams);
      if (stalled > 0 ? datagrams < stalled : random.nextInt(10) == 0) {
        return -Errno.EAGAIN;
      }
      long sent = 0;
      for (int i = 0; i < taken; i++) {
        long bytes = Math.min(size, length - sent);
        int copies = happens(twicePercent) ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
          pass(batch.asSlice(offset + sent, bytes).toArray(ValueLayout.JAVA_BYTE));
        }
        sent += bytes;
      }
      return sent;
    }

    private void pass(byte[] one) {
      Port to = other();
      if (down || happens(lossPercent) || !to.open || to.in.size() >= MOST_HELD) {
        return;
      }
      if (happens(corruptPercent)) {
        one[random.nextInt(one.length)] ^= (byte) (1 << random.nextInt(8));
      }
      long late = jitterNs == 0 ? 0 : random.nextLong(jitterNs);
      to.in.add(new Held(one, now + late, order++));
    }

    private boolean happens(int percent) {
      return random.nextInt(100) < percent;
    }

    /** Joins datagrams that are here, as a kernel does, up to the first one that is shorter. */
    @Override
    public long receive(MemorySegment into, long offset, long length) {
      if (!isDue()) {
        return -Errno.EAGAIN;
      }
      segment = in.element().bytes.length;
      int last = segment;
      long bytes = 0;
      do {
        byte[] one = in.remove().bytes;
        MemorySegment.copy(one, 0, into, ValueLayout.JAVA_BYTE, offset + bytes, one.length);
        bytes += one.length;
        last = one.length;
      } while (last == segment
          && isDue()
          && in.element().bytes.length <= segment
          && bytes + segment <= length
          && happens(joinedPercent));
      return bytes;
    }

    private boolean isDue() {
      return !in.isEmpty() && in.element().dueNs <= now;
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
    public long paths() {
      return paths;
    }

    @Override
    public long poll(long nowNs) {
      return Long.MAX_VALUE;
    }

    @Override
    public void disconnect(String reason) {
      why = reason;
    }

    @Override
    public void close() {
      super.close();
      in.clear();
      accepted = false;
    }
  }
}
