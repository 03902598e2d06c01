package io.isle.fabric.ring.link;

import static io.isle.api.base.Errno.EAGAIN;
import static io.isle.api.base.Errno.ENOTCONN;

import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingTransport;
import io.isle.lib.ffi.MappedArena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Function;

/** A link of dialect leap: one port that may change. */
public final class PacketLink implements Link {
  /** Looks of a third of a microsecond each, for which no other thread drives the link. */
  private static final int LOOKS = 8;

  /** Packets with more bytes take longer to arrive than a look takes. */
  private static final int LARGE_BYTES = 4096;

  /** Pauses of the processor between two looks for a large packet: about half a microsecond. */
  private static final int PAUSES = 40;

  private volatile LinkSpec spec;
  private final MappedArena arena = new MappedArena();
  private final LinkMeter meter = new LinkMeter();
  private final PortHolder holder = new PortHolder();
  private final LinkPort port;
  private final Direction receiving;
  private final Direction sending;
  private final LinkWatch watch;
  private final int pauses;
  private volatile String missing;

  /** A link without a port. */
  public PacketLink(LinkSpec spec) {
    this.spec = spec;
    pauses = spec.packetBytes() > LARGE_BYTES ? PAUSES : 0;
    port = new LinkPort(spec, holder, meter, arena);
    watch = new LinkWatch(holder);
    receiving = new Direction(holder, RingPort.READABLE, spec.spinNs());
    sending = new Direction(holder, RingPort.WRITABLE, spec.spinNs());
    holder.onNews(
        () -> {
          receiving.nudge();
          sending.nudge();
          watch.renew();
        });
    missing = LinkReport.missing(spec.path());
  }

  @Override
  public LinkSpec spec() {
    return spec;
  }

  @Override
  public long receive(MemorySegment into, long offset, long timeoutNs, Caller caller) {
    receiving.begin();
    holder.lock().enter();
    Framing begun = null;
    try {
      while (true) {
        long result = -ENOTCONN;
        if (holder.port() != null) {
          if (begun != holder.framing()) {
            begun = holder.framing();
            begun.beginReceive(into, offset);
          }
          result = look(begun, into, offset, timeoutNs);
          if (result > 0) {
            begun = null;
            return result;
          }
        }
        if (result != -EAGAIN && result != -ENOTCONN) {
          return result;
        }
        result = receiving.pause(result, timeoutNs, timer(), caller);
        if (result < 0) {
          return result;
        }
      }
    } catch (RuntimeException e) {
      begun = null;
      broken();
      throw e;
    } finally {
      if (begun != null && begun == holder.framing()) {
        begun.endReceive(into, offset);
      }
      holder.lock().leave();
    }
  }

  /**
   * A call that waits looks several times before it does what else is to be done. A look takes the
   * lock of the socket, which arriving bytes need, too: with pauses, a large packet is here sooner.
   */
  private long look(Framing framing, MemorySegment into, long offset, long timeoutNs) {
    long now = System.nanoTime();
    int looks = timeoutNs == 0 ? 1 : LOOKS;
    long result;
    do {
      result = framing.receive(holder.port(), into, offset, now);
    } while (result == -EAGAIN && --looks > 0 && pause());
    return result;
  }

  private boolean pause() {
    for (int i = 0; i < pauses; i++) {
      Thread.onSpinWait();
    }
    return true;
  }

  @Override
  public long send(
      MemorySegment head,
      long headLength,
      MemorySegment data,
      long offset,
      long length,
      long timeoutNs,
      Caller caller) {
    sending.begin();
    holder.lock().enter();
    try {
      while (true) {
        Framing begun = holder.framing();
        long result = -ENOTCONN;
        if (holder.port() != null) {
          result =
              begun.send(holder.port(), head, headLength, data, offset, length, System.nanoTime());
        }
        if (result != -EAGAIN && result != -ENOTCONN) {
          return result;
        }
        result = sending.pause(result, timeoutNs, Long.MAX_VALUE, caller);
        if (result < 0) {
          long kept = begun == null ? 0 : begun.endSend(head, headLength, data, offset, length);
          return kept > 0 ? kept : result;
        }
      }
    } catch (RuntimeException e) {
      broken();
      throw e;
    } finally {
      holder.lock().leave();
    }
  }

  /** The memory of a call ended during the call: the rest of its packet is not known. */
  private void broken() {
    Framing framing = holder.framing();
    if (framing == null) {
      return;
    }
    boolean midway = framing.isMidway();
    framing.reset();
    if (midway && holder.port() != null) {
      holder.port().disconnect("the memory of a call was closed during the call");
    }
  }

  @Override
  public long take(Wanted wanted) {
    holder.lock().enter();
    try {
      MemorySegment packet =
          holder.port() == null ? null : holder.framing().peek(holder.port(), System.nanoTime());
      if (packet == null || !wanted.accepts(packet, true)) {
        return -EAGAIN;
      }
      holder.framing().take();
      return packet.byteSize();
    } finally {
      holder.lock().leave();
    }
  }

  /** Nanoseconds of the next work of the link itself; the driving thread asks. */
  private long timer() {
    return holder.framing() == null ? Long.MAX_VALUE : holder.framing().deadlineNs();
  }

  @Override
  public long leftNs(long timeoutNs) {
    return receiving.leftNs(timeoutNs);
  }

  @Override
  public boolean mayBeControl() {
    return true;
  }

  @Override
  public long number() {
    return 0;
  }

  @Override
  public long sendControl(MemorySegment packet, long timeoutNs, Caller caller) {
    return send(packet, 0, packet, 0, spec.packetBytes(), timeoutNs, caller);
  }

  @Override
  public void attach(String transport, RingTransport service) {
    if (!spec.uses(transport)) {
      return;
    }
    try {
      port.attach(service);
    } catch (RingException e) {
      missing = e.getMessage();
      throw e;
    } finally {
      wake();
    }
  }

  /** Closes the port, then opens another one. */
  @Override
  public void change(LinkSpec to, Function<String, RingTransport> transports) {
    port.close();
    port.change(to);
    spec = to;
    missing = LinkReport.missing(to.path());
    wake();
    RingTransport service = transports.apply(to.path().transport());
    if (service != null) {
      attach(to.path().transport(), service);
    }
  }

  @Override
  public void detach(String transport) {
    if (spec.uses(transport)) {
      port.detach();
      missing = LinkReport.missing(spec.path());
      wake();
    }
  }

  @Override
  public void dropParked(String transport) {
    if (spec.uses(transport)) {
      port.drop();
    }
  }

  @Override
  public void wake() {
    receiving.wake();
    sending.wake();
  }

  @Override
  public LinkWatch watch() {
    return watch;
  }

  @Override
  public Optional<RingLoss> lastLoss() {
    Framing framing = holder.framing();
    return framing == null ? Optional.empty() : framing.loss();
  }

  @Override
  public Optional<HopTimes> hop() {
    Framing framing = holder.framing();
    return framing == null ? Optional.empty() : framing.hop();
  }

  @Override
  public int failure() {
    RingPort now = holder.port();
    return now == null ? 0 : now.failure();
  }

  @Override
  public long counted() {
    RingPort now = holder.port();
    return meter.sum() + (now == null ? 0 : now.foreign() + now.strays() + now.paths());
  }

  @Override
  public LinkInfo info() {
    Framing framing = holder.framing();
    String wrong = framing == null ? "" : framing.reason();
    return LinkReport.of(spec, holder.port(), missing, wrong, meter);
  }

  @Override
  public void close() {
    port.close();
    receiving.close();
    sending.close();
    arena.close();
  }
}
