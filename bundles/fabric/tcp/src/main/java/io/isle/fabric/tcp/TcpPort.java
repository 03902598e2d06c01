package io.isle.fabric.tcp;

import io.isle.api.base.Errno;
import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.StreamPort;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** The common part of both sides: the path that is up, its end, and the view for other threads. */
abstract class TcpPort implements StreamPort {
  /** Time between two looks at connections without an event. */
  static final long WATCH_NS = 100_000_000L;

  /** The same while a thread waits for bytes: an end is an event then. */
  private static final long AWAITED_NS = 1_000_000_000L;

  final TcpSettings settings;
  final TcpKernel kernel;
  private final AtomicLong foreign = new AtomicLong();
  private final AtomicLong strays = new AtomicLong();
  private TcpPath path;
  private long paths;

  /** Whether a thread has begun to wait for bytes of the path since the last look. */
  private boolean awaited;

  private boolean wasAwaited;

  /** Time of the last look at the path. */
  private long watchedNs = Long.MIN_VALUE / 2;

  private volatile PortState state;
  private volatile String reason = "";
  private volatile int failure;
  private volatile Optional<String> peer = Optional.empty();
  private List<String> facts = List.of();
  private volatile List<String> notes = List.of();

  TcpPort(TcpSettings settings, TcpKernel kernel, PortState state) {
    this.settings = settings;
    this.kernel = kernel;
    this.state = state;
  }

  /** The path that was up has ended; its descriptor is closed. */
  abstract void lost();

  /** Adds the descriptors beside the path, with the role of each. */
  abstract void collect(TcpParking parking);

  /** Forgets all descriptors beside the path. */
  abstract void release(boolean close);

  @Override
  public final long write(MemorySegment from, long offset, long length, boolean more) {
    return path == null ? -Errno.ENOTCONN : path.write(from, offset, length, more);
  }

  @Override
  public final long read(MemorySegment into, long offset, long length) {
    if (path == null) {
      return -Errno.ENOTCONN;
    }
    long bytes = path.read(into, offset, length);
    if (bytes == -Errno.ENOTCONN) {
      leave();
    }
    return bytes;
  }

  @Override
  public final void readableFrom(int bytes) {
    if (path != null) {
      path.readableFrom(bytes);
    }
  }

  /** The path, if one is up or has bytes left; else null. */
  final TcpPath path() {
    return path;
  }

  /** Looks after the path; ends it when nothing is left to read. */
  final void watchPath(long nowNs) {
    wasAwaited = awaited;
    awaited = false;
    if (path != null) {
      if (!wasAwaited || nowNs - watchedNs >= AWAITED_NS / 2) {
        watchedNs = nowNs;
        path.watch(nowNs);
      }
      if (path.finished()) {
        leave();
      }
    }
  }

  /** Begins a path on a connection. */
  final void begin(int descriptor, String address) {
    paths++;
    resume(descriptor, address);
  }

  /** Goes on with a path that was parked. */
  final void resume(int descriptor, String address) {
    path = new TcpPath(kernel, descriptor, address, settings.drains());
    peer = Optional.of(address);
    reason = "";
    failure = 0;
    state = PortState.UP;
  }

  private void leave() {
    reason = path.end();
    peer = Optional.empty();
    path.close();
    path = null;
    lost();
  }

  @Override
  public final void disconnect(String why) {
    if (path != null) {
      path.end(why);
      leave();
    }
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

  /** Sets the facts of the sockets; adds those of the settings. */
  final void facts(List<String> found) {
    facts = found;
    List<String> all = new ArrayList<>(found);
    if (settings.plaintext()) {
      all.add("plaintext = true: bytes are not encrypted");
    }
    notes = List.copyOf(all);
  }

  /** The facts of the sockets. */
  final List<String> facts() {
    return facts;
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

  /** A time by which a look at the path is due; behind {@link #watchPath}. */
  final long nextLook(long nowNs) {
    return wasAwaited ? next(nowNs + AWAITED_NS / 2, AWAITED_NS) : nextWatch(nowNs);
  }

  /** A time by which a look at connections is due. */
  static long nextWatch(long nowNs) {
    return next(nowNs, WATCH_NS);
  }

  /** The same time for all ports of a machine: they wake together. */
  private static long next(long nowNs, long eachNs) {
    return (Math.floorDiv(nowNs, eachNs) + 1) * eachNs;
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
    awaited |= (wanted & READABLE) != 0;
    if (path != null && wanted != 0) {
      events.add(path.descriptor(), wanted);
    }
    ownInterests(events);
  }

  /** Adds the descriptors beside the path that have events. */
  abstract void ownInterests(Interests events);

  @Override
  public final Optional<ParkedPort> park() {
    if (closed()) {
      return Optional.empty();
    }
    TcpParking parking = new TcpParking(this);
    if (path != null) {
      path.readableFrom(1);
      parking.add(TcpParking.PATH, path.descriptor());
    }
    collect(parking);
    ParkedPort parked = parking.parked();
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
    if (path != null && close) {
      path.close();
    }
    path = null;
    peer = Optional.empty();
    release(close);
    state = PortState.CLOSED;
  }
}
