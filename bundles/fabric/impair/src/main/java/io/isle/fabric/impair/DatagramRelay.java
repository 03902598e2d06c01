package io.isle.fabric.impair;

import static io.isle.api.base.Errno.EAGAIN;

import io.isle.fabric.impair.ImpairSettings.Faults;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketIo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A relay of datagrams: from its address to the target by a second socket, and replies of the
 * target back to the last source.
 */
final class DatagramRelay implements Relay {
  private static final int MOST_BYTES = 65_535;

  /** Datagrams of one call, so that a flood in one direction does not stop the other. */
  private static final int BATCH = 64;

  private final int front;
  private final int back;
  private final SockAddr target;
  private final Endpoints endpoints;
  private final SocketIo io = new SocketIo();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = arena.allocate(MOST_BYTES, 8);
  private final SockAddr source = new SockAddr();
  private final SockAddr from = new SockAddr();
  private final Lane forward;
  private final Lane backward;
  private volatile boolean hasSource;

  DatagramRelay(Endpoints endpoints, Faults faults, Tally tally) {
    this.endpoints = endpoints;
    front = endpoints.datagrams(endpoints.listen());
    target = endpoints.target();
    try {
      back = endpoints.datagrams(endpoints.any(target));
    } catch (RuntimeException e) {
      endpoints.close(front);
      throw e;
    }
    forward = new Lane(true, true, faults, tally);
    backward = new Lane(true, false, faults, tally);
  }

  @Override
  public void faults(Faults next) {
    forward.faults(next);
    backward.faults(next);
  }

  @Override
  public void work(long nowNs) {
    for (int i = 0; i < BATCH && receive(front, forward, nowNs); i++) {
      source.copyFrom(from);
      hasSource = true;
    }
    for (int i = 0; i < BATCH && receive(back, backward, nowNs); i++) {
      // the loop receives
    }
    send(back, target, forward, nowNs);
    send(front, source, backward, nowNs);
  }

  private boolean receive(int socket, Lane lane, long nowNs) {
    long bytes = io.receiveFrom(socket, buffer, 0, MOST_BYTES, 0, from);
    if (bytes < 0) {
      // an earlier datagram that nobody took comes back as an error; the next one may be there
      return bytes != -EAGAIN;
    }
    boolean foreign = socket == back ? !from.sameAs(target) : !endpoints.admits(from);
    if (!foreign) {
      lane.take(buffer.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE), nowNs);
    }
    return true;
  }

  private void send(int socket, SockAddr to, Lane lane, long nowNs) {
    for (byte[] bytes = lane.due(nowNs); bytes != null; bytes = lane.due(nowNs)) {
      MemorySegment.copy(bytes, 0, buffer, ValueLayout.JAVA_BYTE, 0, bytes.length);
      if (io.sendTo(socket, buffer, 0, bytes.length, 0, to) == -EAGAIN) {
        return;
      }
      lane.pass();
    }
  }

  @Override
  public int collect(PollSet set, int from) {
    set.set(from, front, PollSet.POLLIN);
    set.set(from + 1, back, PollSet.POLLIN);
    return from + 2;
  }

  @Override
  public long nextNs() {
    return Math.min(forward.nextNs(), backward.nextNs());
  }

  @Override
  public void cut() {
    // datagrams have no connection
  }

  @Override
  public int connections() {
    return hasSource ? 1 : 0;
  }

  @Override
  public void close() {
    endpoints.close(front);
    endpoints.close(back);
    arena.close();
  }
}
