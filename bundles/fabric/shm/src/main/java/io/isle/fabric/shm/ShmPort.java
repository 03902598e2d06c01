package io.isle.fabric.shm;

import io.isle.api.base.Errno;
import io.isle.api.fabric.BankPort;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortState;
import io.isle.lib.leap.banks.BankLayout;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** The common part of both sides: the path that is up, its end, and the view for other threads. */
abstract class ShmPort implements BankPort {
  /** Time between two looks at a path without an event. */
  static final long WATCH_NS = 100_000_000L;

  final ShmSettings settings;
  final ShmKernel kernel;
  private final AtomicLong foreign = new AtomicLong();
  private final AtomicLong strays = new AtomicLong();
  private final Claims claims = new Claims();
  private ShmPath path;
  private long paths;
  private volatile PortState state;
  private volatile String reason = "";
  private volatile int failure;
  private volatile Optional<String> peer = Optional.empty();
  private volatile List<String> notes = List.of();

  ShmPort(ShmSettings settings, ShmKernel kernel, PortState state) {
    this.settings = settings;
    this.kernel = kernel;
    this.state = state;
  }

  /** The path that was up has ended; its descriptors are closed. */
  abstract void lost();

  /** Closes all descriptors beside the path, but for those that {@link #kept} names. */
  abstract void release(boolean close);

  /** A descriptor to park beside the path, or -1. */
  abstract int kept();

  /** Adds the descriptors beside the path that have events. */
  abstract void ownInterests(Interests events);

  @Override
  public final int maxFrame() {
    return BankLayout.BANK_BYTES;
  }

  @Override
  public final int banks() {
    return BankLayout.BANKS;
  }

  @Override
  public final int claim() {
    return claims.claim(path);
  }

  @Override
  public final MemorySegment bank() {
    return claims.memory();
  }

  @Override
  public final int publish(int length) {
    return claims.publish(path, length);
  }

  @Override
  public final void abandon() {
    claims.abandon(path);
  }

  @Override
  public final int lend() {
    return claims.lend(path);
  }

  @Override
  public final void giveBack() {
    claims.giveBack(path);
  }

  @Override
  public final void revoke() {
    claims.revoke(path);
  }

  @Override
  public final int next() {
    if (path == null) {
      return -Errno.ENOTCONN;
    }
    int length = path.next();
    if (length == -Errno.ENOTCONN) {
      leave();
    }
    return length;
  }

  @Override
  public final void copy(int from, MemorySegment into, long offset, int bytes) {
    if (path == null) {
      throw new IllegalStateException("no path is up");
    }
    path.copy(from, into, offset, bytes);
  }

  @Override
  public final int take() {
    int code = path == null ? -Errno.ENOTCONN : path.take();
    if (code != 0 && path != null) {
      leave();
    }
    return code;
  }

  /** The path, if one is up or has frames left; else null. */
  final ShmPath path() {
    return path;
  }

  /** Where another version goes on with the path that is up. */
  final ShmPath.Position position() {
    return path.position(claims.held(path));
  }

  /** Looks after the path; ends it when nothing is left to read. */
  final void watchPath() {
    if (path != null) {
      path.watch();
      if (path.finished()) {
        leave();
      }
    }
  }

  /** Begins a path. */
  final void begin(ShmPath begun) {
    paths++;
    resume(begun);
  }

  /** Goes on with a path that was parked. */
  final void resume(ShmPath begun) {
    path = begun;
    peer = Optional.of(begun.peer());
    reason = "";
    failure = 0;
    state = PortState.UP;
  }

  @Override
  public final void disconnect(String why) {
    if (path != null) {
      leave(why);
    }
  }

  private void leave() {
    leave(path.end());
  }

  private void leave(String why) {
    reason = why;
    peer = Optional.empty();
    path.close();
    drop();
    lost();
  }

  final void state(PortState now) {
    state = now;
  }

  final void reason(String text) {
    reason = text;
  }

  /** Sets the error number of the kernel that belongs to the reason; 0 for none. */
  final void failure(int code) {
    failure = code;
  }

  @Override
  public final int failure() {
    return failure;
  }

  final void notes(List<String> lines) {
    notes = lines;
  }

  /** The size of what this side maps for each path. */
  static String sizes() {
    return "segment of %d B a direction: %d banks of %d B"
        .formatted(BankLayout.BYTES, BankLayout.BANKS, BankLayout.BANK_BYTES);
  }

  final void foreign(long more) {
    foreign.addAndGet(more);
  }

  final void strays(long more) {
    strays.addAndGet(more);
  }

  final void paths(long count) {
    paths = count;
  }

  /** A time by which a look at the path is due, the same for all ports of a machine. */
  static long nextWatch(long nowNs) {
    return (Math.floorDiv(nowNs, WATCH_NS) + 1) * WATCH_NS;
  }

  final boolean closed() {
    return state == PortState.CLOSED;
  }

  @Override
  public final PortState state() {
    return state;
  }

  @Override
  public final String reason() {
    return reason;
  }

  @Override
  public final Optional<String> peer() {
    return peer;
  }

  @Override
  public final List<String> notes() {
    return notes;
  }

  @Override
  public final long paths() {
    return paths;
  }

  @Override
  public final long foreign() {
    return foreign.get();
  }

  @Override
  public final long strays() {
    return strays.get();
  }

  @Override
  public final void interests(Interests events, int wanted) {
    if (path != null) {
      path.interests(events, wanted);
    }
    ownInterests(events);
  }

  @Override
  public final Optional<ParkedPort> park() {
    if (closed()) {
      return Optional.empty();
    }
    ParkedPort parked = ShmParking.of(this);
    end(false);
    return Optional.of(parked);
  }

  @Override
  public final void close() {
    if (!closed()) {
      end(true);
    }
  }

  private void end(boolean close) {
    if (path != null) {
      if (close) {
        path.close();
      } else {
        path.park();
      }
      drop();
    }
    peer = Optional.empty();
    release(close);
    state = PortState.CLOSED;
  }

  /** Forgets the path; its banks stay mapped for a claim or a loan. */
  private void drop() {
    if (!claims.uses(path)) {
      path.unmapBanks();
    }
    path = null;
  }
}
