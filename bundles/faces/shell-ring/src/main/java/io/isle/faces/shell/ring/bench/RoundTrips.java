package io.isle.faces.shell.ring.bench;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingEndpoint;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.ring.EndpointPath;
import io.isle.lib.drive.Refusals;
import io.isle.lib.leap.Packets;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** Times of packets that go round a ring one after the other, on the calling thread. */
public final class RoundTrips {
  /** Positions that are used again and again: workers may keep a cache of few positions. */
  public static final int POSITIONS = 64;

  private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long MOST_NS = TimeUnit.SECONDS.toNanos(60);
  private static final int DIGITS = 3;
  private static final int WARM = 200;

  private final RingEndpoint endpoint;
  private final Histogram times = new Histogram(MOST_NS, DIGITS);
  private long lost;

  /**
   * @param endpoint used by nobody else meanwhile
   */
  public RoundTrips(RingEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  /** Packets without a reply. */
  public long lost() {
    return lost;
  }

  /**
   * Measures; the first packets are not counted.
   *
   * @param lengthNs of the measurement
   * @param live receives the times so far after each packet
   * @return round trips in nanoseconds
   * @throws ShellException if nothing comes round, or the thread is interrupted
   */
  public Histogram run(long lengthNs, Consumer<Histogram> live) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packet = arena.allocate(endpoint.packetBytes(), Long.BYTES);
      MemorySegment reply = arena.allocate(endpoint.packetBytes(), Long.BYTES);
      for (int i = 0; i < WARM; i++) {
        long ignored = once(packet, reply, i);
      }
      times.reset();
      lost = 0;
      long begin = System.nanoTime();
      for (int i = WARM; System.nanoTime() - begin < lengthNs; i++) {
        long ns = once(packet, reply, i);
        if (ns >= 0) {
          times.recordValue(Math.min(MOST_NS, ns));
        }
        live.accept(times);
      }
      return times;
    }
  }

  /** Returns -1 for a lost packet. */
  private long once(MemorySegment packet, MemorySegment reply, int number) {
    int position = number % POSITIONS;
    Packets.header(packet, 0, position, Packets.NEED_REPLY);
    long begin = System.nanoTime();
    while (true) {
      long code = endpoint.sendNext(packet, 0, packet.byteSize(), SLICE_NS);
      if (code > 0) {
        break;
      }
      goesOn("sending", code, begin);
    }
    while (true) {
      long code = endpoint.recvPrev(reply, 0, reply.byteSize(), SLICE_NS);
      if (code > 0 && Packets.pos(reply, 0) == position) {
        return System.nanoTime() - begin;
      }
      if (code == -Errno.ENODATA) {
        lost++;
        return -1;
      }
      if (code <= 0) {
        goesOn("receiving", code, begin);
      }
    }
  }

  private void goesOn(String call, long code, long begin) {
    if (code == -Errno.ECANCELED) {
      throw ShellException.interrupted("the measurement was interrupted");
    }
    if (code != -Errno.ETIME && code != -Errno.EAGAIN && code != -Errno.EINTR) {
      throw Refusals.of(new EndpointPath(endpoint), call, code);
    }
    if (System.nanoTime() - begin > PATIENCE_NS) {
      throw ShellException.failed(
          "node "
              + endpoint.node()
              + ": no packet has come round for 5 s: "
              + endpoint.info().links());
    }
  }
}
