package io.isle.fabric.ring.isle;

import io.isle.api.fabric.PortState;

/** A port of paths that begin and end: comes up 50 ms after the end of the last path. */
abstract class FakeConnection extends FakePort {
  private static final long AGAIN_NS = 50_000_000;

  private final boolean listens;
  FakeConnection other;

  /** Nothing connects any more. */
  boolean blocked;

  boolean up;

  /** The other end is gone; what has arrived can still be read. */
  boolean ended;

  private long dueNs;
  private long paths;

  FakeConnection(boolean listens) {
    this.listens = listens;
  }

  /** Forgets what is under way to this port. */
  abstract void clear();

  final boolean isWritable() {
    return up && !ended;
  }

  final void leave() {
    up = false;
    clear();
    other.ended |= other.up;
  }

  public final void disconnect(String reason) {
    why = reason;
    if (up) {
      leave();
      dueNs = 0;
    }
  }

  @Override
  public final void close() {
    if (up) {
      leave();
    }
    open = false;
    dueNs = 0;
  }

  public final PortState state() {
    return up ? PortState.UP : listens ? PortState.LISTENING : PortState.CONNECTING;
  }

  @Override
  public final long paths() {
    return paths;
  }

  @Override
  public final long poll(long nowNs) {
    if (up) {
      return Long.MAX_VALUE;
    }
    if (listens || blocked || other.up || !open || !other.open) {
      return nowNs + AGAIN_NS;
    }
    if (dueNs == 0) {
      dueNs = nowNs + AGAIN_NS;
    }
    if (nowNs < dueNs) {
      return dueNs;
    }
    dueNs = 0;
    begin();
    other.begin();
    return nowNs;
  }

  private void begin() {
    clear();
    paths++;
    up = true;
    ended = false;
  }
}
