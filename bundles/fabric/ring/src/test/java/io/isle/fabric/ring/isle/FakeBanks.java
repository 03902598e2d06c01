package io.isle.fabric.ring.isle;

import io.isle.api.base.Errno;
import io.isle.api.fabric.BankPort;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** A segment of few banks in each direction, in virtual time. */
final class FakeBanks implements FakePath {
  private static final int BANKS = 4;
  private static final int FRAME_BYTES = 2048;

  private final int frameBytes;
  private final Port connector;
  private final Port listener;
  private final Random random;
  private int corruptPercent;

  /** Runs behind each copy of a part of a frame. */
  Copied copied = (frame, from, into) -> {};

  /** What else happens while a frame is read. */
  interface Copied {
    /**
     * A part was copied.
     *
     * @param frame the bank
     * @param from offset of the part in the bank
     * @param into the memory that has the part now
     */
    void copied(byte[] frame, int from, MemorySegment into);
  }

  FakeBanks(long seed) {
    this(seed, FRAME_BYTES);
  }

  /**
   * @param frameBytes bytes of a bank
   */
  FakeBanks(long seed, int frameBytes) {
    random = new Random(seed);
    this.frameBytes = frameBytes;
    connector = new Port(false);
    listener = new Port(true);
    connector.other = listener;
    listener.other = connector;
  }

  @Override
  public FakePort port(RingSide side) {
    return side == RingSide.NEXT ? connector : listener;
  }

  @Override
  public void now(long nowNs) {}

  @Override
  public void cut() {
    for (Port end : List.of(listener, connector)) {
      int kept = random.nextInt(end.in.size() + 1);
      while (end.in.size() > kept) {
        end.in.removeLast();
      }
      end.ended = true;
    }
  }

  @Override
  public void down(boolean down) {
    connector.blocked = down;
    if (down) {
      cut();
    }
  }

  /** A segment loses and repeats nothing. */
  @Override
  public void harm(int lossPercent, int twicePercent, int corruptPercent) {
    this.corruptPercent = corruptPercent;
  }

  @Override
  public long underWay() {
    return (long) frameBytes * (listener.in.size() + connector.in.size());
  }

  private MemorySegment newBank() {
    return MemorySegment.ofArray(new byte[frameBytes]);
  }

  private final class Port extends FakeConnection implements BankPort {
    private final Deque<byte[]> in = new ArrayDeque<>();
    private MemorySegment bank = newBank();
    private long claimed = -1;

    Port(boolean listens) {
      super(listens);
    }

    @Override
    RingPort kind() {
      return this;
    }

    @Override
    void clear() {
      in.clear();
    }

    @Override
    public int maxFrame() {
      return frameBytes;
    }

    @Override
    public int banks() {
      return BANKS;
    }

    @Override
    public int claim() {
      if (!isWritable()) {
        return -Errno.ENOTCONN;
      }
      if (((Port) other).in.size() >= BANKS) {
        return -Errno.EAGAIN;
      }
      claimed = paths();
      return 0;
    }

    @Override
    public MemorySegment bank() {
      return bank;
    }

    @Override
    public int publish(int length) {
      if (!isWritable() || claimed != paths()) {
        return -Errno.ENOTCONN;
      }
      claimed = -1;
      byte[] frame = bank.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
      if (random.nextInt(100) < corruptPercent) {
        frame[random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
      }
      ((Port) other).in.add(frame);
      return length;
    }

    /** The neighbour gets an empty frame; the next claim has other memory. */
    @Override
    public int lend() {
      boolean onPath = isWritable() && claimed == paths();
      claimed = -1;
      bank = newBank();
      if (!onPath) {
        return -Errno.ENOTCONN;
      }
      ((Port) other).in.add(new byte[0]);
      return 0;
    }

    @Override
    public void giveBack() {}

    @Override
    public void revoke() {
      claimed = -1;
      bank = newBank();
    }

    @Override
    public void abandon() {
      claimed = -1;
    }

    @Override
    public int next() {
      if (!in.isEmpty()) {
        return in.peek().length;
      }
      if (ended && up) {
        leave();
      }
      return up ? -Errno.EAGAIN : -Errno.ENOTCONN;
    }

    @Override
    public void copy(int from, MemorySegment into, long offset, int bytes) {
      MemorySegment.copy(in.element(), from, into, ValueLayout.JAVA_BYTE, offset, bytes);
      copied.copied(in.element(), from, into);
    }

    @Override
    public int take() {
      in.remove();
      return 0;
    }
  }
}
