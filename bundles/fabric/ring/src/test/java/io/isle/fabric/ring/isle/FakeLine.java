package io.isle.fabric.ring.isle;

import io.isle.api.base.Errno;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.StreamPort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A stream in virtual time between two ports, which can be cut at any byte and comes again. */
final class FakeLine {
  private static final int ROOM = 4096;
  private static final long AGAIN_NS = 50_000_000;

  final Port connector = new Port();
  final Port listener = new Port();
  private final Random random;

  /** Bytes that are under way to each end. */
  private final Deque<Byte> toListener = new ArrayDeque<>();

  private final Deque<Byte> toConnector = new ArrayDeque<>();

  /** Nothing connects any more. */
  boolean down;

  /** The bytes neither arrive nor get lost. */
  boolean stalled;

  private long paths;

  FakeLine(long seed) {
    random = new Random(seed);
  }

  /** Ends the path; of the bytes under way, a random number still arrives. */
  void cut() {
    for (Deque<Byte> way : List.of(toListener, toConnector)) {
      int kept = way.isEmpty() ? 0 : random.nextInt(way.size() + 1);
      while (way.size() > kept) {
        way.removeLast();
      }
    }
    connector.ended = true;
    listener.ended = true;
  }

  /** Bytes of a stranger, behind those under way to the listener. */
  void inject(byte[] bytes) {
    for (byte one : bytes) {
      toListener.add(one);
    }
  }

  /** Turns a bit of a byte under way to the listener; false without one. */
  boolean corrupt() {
    if (toListener.isEmpty()) {
      return false;
    }
    int at = random.nextInt(toListener.size());
    for (int i = 0, all = toListener.size(); i < all; i++) {
      byte one = toListener.remove();
      toListener.add((byte) (i == at ? one ^ 1 << random.nextInt(8) : one));
    }
    return true;
  }

  /** Bytes under way to the connector. */
  int backlog() {
    return toConnector.size();
  }

  final class Port implements StreamPort {
    private boolean up;
    boolean ended;
    String why = "";
    private long dueNs;

    private Deque<Byte> in() {
      return this == listener ? toListener : toConnector;
    }

    private Deque<Byte> out() {
      return this == listener ? toConnector : toListener;
    }

    private void leave() {
      up = false;
      in().clear();
      Port other = this == listener ? connector : listener;
      other.ended |= other.up;
    }

    @Override
    public long write(MemorySegment from, long offset, long length, boolean more) {
      if (!up || ended) {
        return -Errno.ENOTCONN;
      }
      long most = Math.min(length, ROOM - out().size());
      if (most <= 0) {
        return -Errno.EAGAIN;
      }
      long count = 1L + random.nextInt((int) most);
      for (long i = 0; i < count; i++) {
        out().add(from.get(ValueLayout.JAVA_BYTE, offset + i));
      }
      return count;
    }

    @Override
    public long read(MemorySegment into, long offset, long length) {
      if (!up) {
        return -Errno.ENOTCONN;
      }
      if (stalled && !ended) {
        return -Errno.EAGAIN;
      }
      if (in().isEmpty()) {
        if (ended) {
          leave();
          return -Errno.ENOTCONN;
        }
        return -Errno.EAGAIN;
      }
      long count = 1L + random.nextInt((int) Math.min(length, in().size()));
      for (long i = 0; i < count; i++) {
        into.set(ValueLayout.JAVA_BYTE, offset + i, in().remove());
      }
      return count;
    }

    @Override
    public void disconnect(String reason) {
      why = reason;
      if (up) {
        leave();
        dueNs = 0;
      }
    }

    @Override
    public PortState state() {
      return up ? PortState.UP : this == listener ? PortState.LISTENING : PortState.CONNECTING;
    }

    @Override
    public String reason() {
      return why;
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
      if (up) {
        return Long.MAX_VALUE;
      }
      if (this == listener || down || listener.up) {
        return nowNs + AGAIN_NS;
      }
      if (dueNs == 0) {
        dueNs = nowNs + AGAIN_NS;
      }
      if (nowNs >= dueNs) {
        dueNs = 0;
        paths++;
        toListener.clear();
        toConnector.clear();
        for (Port one : List.of(connector, listener)) {
          one.up = true;
          one.ended = false;
        }
        return nowNs;
      }
      return dueNs;
    }

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
