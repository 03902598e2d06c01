package io.isle.fabric.ring.isle;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.StreamPort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** A stream in virtual time between two ports, which can be cut at any byte and comes again. */
final class FakeLine implements FakePath {
  private static final int ROOM = 4096;

  final Port connector = new Port(false);
  final Port listener = new Port(true);
  private final Random random;
  private int corruptPercent;

  /** The bytes neither arrive nor get lost. */
  boolean stalled;

  /** All bytes pass at once. */
  boolean whole;

  FakeLine(long seed) {
    random = new Random(seed);
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
      int kept = end.in.isEmpty() ? 0 : random.nextInt(end.in.size() + 1);
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

  /** A stream loses and repeats nothing. */
  @Override
  public void harm(int lossPercent, int twicePercent, int corruptPercent) {
    this.corruptPercent = corruptPercent;
  }

  @Override
  public long underWay() {
    return (long) listener.in.size() + connector.in.size();
  }

  /** Bytes of a stranger, behind those under way to the listener. */
  void inject(byte[] bytes) {
    for (byte one : bytes) {
      listener.in.add(one);
    }
  }

  /** Turns a bit of a byte under way to the listener; false without one. */
  boolean corrupt() {
    if (listener.in.isEmpty()) {
      return false;
    }
    int at = random.nextInt(listener.in.size());
    for (int i = 0, all = listener.in.size(); i < all; i++) {
      byte one = listener.in.remove();
      listener.in.add((byte) (i == at ? one ^ 1 << random.nextInt(8) : one));
    }
    return true;
  }

  final class Port extends FakeConnection implements StreamPort {
    private final Deque<Byte> in = new ArrayDeque<>();

    /** Unread bytes from which on the path is readable. */
    int readable = 1;

    /** Calls of {@link #read}. */
    int reads;

    /** Those before the last call of {@link #write}. */
    int readsBeforeWrite;

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
      readable = 1;
    }

    @Override
    public void readableFrom(int bytes) {
      readable = bytes;
    }

    @Override
    public long write(MemorySegment from, long offset, long length, boolean more) {
      readsBeforeWrite = reads;
      if (!isWritable()) {
        return -Errno.ENOTCONN;
      }
      Port to = (Port) other;
      long most = Math.min(length, ROOM - to.in.size());
      if (most <= 0) {
        return -Errno.EAGAIN;
      }
      long count = whole ? most : 1L + random.nextInt((int) most);
      int wrong = random.nextInt(100) < corruptPercent ? random.nextInt((int) count) : -1;
      for (long i = 0; i < count; i++) {
        byte one = from.get(ValueLayout.JAVA_BYTE, offset + i);
        to.in.add((byte) (i == wrong ? one ^ 1 << random.nextInt(8) : one));
      }
      return count;
    }

    @Override
    public long read(MemorySegment into, long offset, long length) {
      reads++;
      if (!up) {
        return -Errno.ENOTCONN;
      }
      if (stalled && !ended) {
        return -Errno.EAGAIN;
      }
      if (in.isEmpty()) {
        if (ended) {
          leave();
          return -Errno.ENOTCONN;
        }
        return -Errno.EAGAIN;
      }
      long most = Math.min(length, in.size());
      long count = whole ? most : 1L + random.nextInt((int) most);
      for (long i = 0; i < count; i++) {
        into.set(ValueLayout.JAVA_BYTE, offset + i, in.remove());
      }
      return count;
    }
  }
}
