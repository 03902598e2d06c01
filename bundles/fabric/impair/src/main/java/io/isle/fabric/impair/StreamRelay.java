package io.isle.fabric.impair;

import io.isle.fabric.impair.ImpairSettings.Faults;
import io.isle.lib.ffi.PollSet;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketIo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A relay of streams: each accepted connection becomes a pair with a connection to the target. */
final class StreamRelay implements Relay {
  /** Most connections at a time; further ones are reset. */
  private static final int MOST = 64;

  private final Endpoints endpoints;
  private final int listener;
  private final SocketIo io = new SocketIo();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment buffer = Pair.buffer(arena);
  private final SockAddr peer = new SockAddr();
  private final List<Pair> pairs = new ArrayList<>();
  private final Tally tally;
  private Faults faults;
  private volatile int connections;

  StreamRelay(Endpoints endpoints, Faults faults, Tally tally) {
    this.endpoints = endpoints;
    this.faults = faults;
    this.tally = tally;
    listener = endpoints.listener();
  }

  @Override
  public void faults(Faults next) {
    faults = next;
    pairs.forEach(pair -> pair.faults(next));
  }

  @Override
  public void work(long nowNs) {
    for (int fd = accept(); fd >= 0; fd = accept()) {
      begin(fd);
    }
    for (Pair pair : pairs) {
      pair.work(nowNs);
    }
    end();
  }

  private int accept() {
    return endpoints.accept(listener, peer);
  }

  private void begin(int front) {
    int back = pairs.size() < MOST && endpoints.admits(peer) ? endpoints.connect() : -1;
    if (back < 0) {
      endpoints.reset(front);
      return;
    }
    endpoints.prompt(front);
    endpoints.prompt(back);
    pairs.add(new Pair(endpoints, io, buffer, front, back, faults, tally));
    connections = pairs.size();
  }

  private void end() {
    pairs.forEach(
        pair -> {
          if (pair.isOver()) {
            pair.close();
          }
        });
    if (pairs.removeIf(Pair::isOver)) {
      connections = pairs.size();
    }
  }

  @Override
  public int collect(PollSet set, int from) {
    set.set(from, listener, PollSet.POLLIN);
    int next = from + 1;
    for (Pair pair : pairs) {
      next = pair.collect(set, next);
    }
    return next;
  }

  @Override
  public long nextNs() {
    long next = Long.MAX_VALUE;
    for (Pair pair : pairs) {
      next = Math.min(next, pair.nextNs());
    }
    return next;
  }

  @Override
  public void cut() {
    pairs.forEach(
        pair -> {
          tally.add(Tally.Event.CUTS);
          pair.cut();
        });
    end();
  }

  @Override
  public int connections() {
    return connections;
  }

  @Override
  public void close() {
    pairs.forEach(Pair::close);
    endpoints.close(listener);
    arena.close();
  }
}
