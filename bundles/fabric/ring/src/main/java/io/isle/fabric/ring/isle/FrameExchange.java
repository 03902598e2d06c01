package io.isle.fabric.ring.isle;

import io.isle.api.fabric.RingPort;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.lib.leap.isle.Ack;
import io.isle.lib.leap.isle.FrameException;
import io.isle.lib.leap.isle.Heartbeat;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;
import io.isle.lib.leap.isle.Notice;
import io.isle.lib.leap.isle.RollCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * What the paths of a link share: the effect of each frame on the link, and the frames that the
 * link has to send. One thread at a time.
 */
final class FrameExchange {
  private final IsleSpec spec;

  /** Memory of a lane, which ends with it. */
  private final Supplier<Arena> arenas;

  private final LinkMeter meter;
  private final LinkEvents events;
  private final Inbound in;
  private final Outbound out;
  private final Lanes lanes;
  private final Sessions sessions;
  private final HopLog hop = new HopLog();
  private final NewsQueue news = new NewsQueue();

  FrameExchange(
      IsleSpec spec,
      long session,
      Supplier<Arena> arenas,
      LinkMeter meter,
      LinkEvents events,
      Inbound in,
      Outbound out,
      Lanes lanes) {
    this.spec = spec;
    this.arenas = arenas;
    this.meter = meter;
    this.events = events;
    this.in = in;
    this.out = out;
    this.lanes = lanes;
    sessions = new Sessions(spec, session, in, out, lanes);
  }

  Lane lane() {
    return new Lane(this, spec, arenas.get());
  }

  Wire wire(RingPort port, Wire before, Arena arena) {
    return Wires.of(port, before, spec, arena, meter);
  }

  Inbound in() {
    return in;
  }

  LinkEvents events() {
    return events;
  }

  Neighbour neighbour() {
    return sessions.neighbour();
  }

  HopLog hop() {
    return hop;
  }

  boolean isCurrent(Lane lane) {
    return lanes.current() == lane;
  }

  long written() {
    return out.written();
  }

  void countMalformed() {
    meter.add(LinkMeter.MALFORMED, 1);
  }

  /**
   * A numbered frame.
   *
   * @return empty, or its fault
   */
  String deliver(MemorySegment frame, long at, int kind, int length, long nowNs) {
    long before = in.delivered();
    String fault = in.take(frame, at, kind, length, nowNs);
    if (in.delivered() != before) {
      sessions.confirmed();
      lanes.delivered(in.delivered(), nowNs);
    }
    return fault;
  }

  /**
   * A frame without an effect on its path.
   *
   * @param at offset of its payload
   * @return empty, or its fault
   */
  String take(Lane lane, int kind, MemorySegment frame, long at, int length, long nowNs) {
    return switch (kind) {
      case IsleFrame.ACK -> acknowledged(lane, frame, at, nowNs);
      case IsleFrame.HEARTBEAT -> beaten(lane, frame, at, nowNs);
      case IsleFrame.NACK -> lane.wire().missing(frame, at, length, out.window());
      default -> news(kind, frame, at, length);
    };
  }

  /** A notice or a roll call. */
  private String news(int kind, MemorySegment frame, long at, int length) {
    try {
      if (kind == IsleFrame.NOTICE) {
        events.noticed(Notice.read(frame, at));
      } else {
        events.called(RollCall.read(frame, at, length));
      }
      return "";
    } catch (FrameException e) {
      return e.getMessage();
    }
  }

  private String acknowledged(Lane lane, MemorySegment frame, long at, long nowNs) {
    String fault = Ack.fault(frame, at, out.written());
    if (fault.isEmpty()) {
      sessions.confirmed();
      acknowledge(lane, Ack.delivered(frame, at), Ack.window(frame, at));
      measure(lane, Ack.echo(frame, at), Ack.heldNs(frame, at), nowNs);
    }
    return fault;
  }

  private String beaten(Lane lane, MemorySegment frame, long at, long nowNs) {
    String fault = Heartbeat.fault(frame, at, 0, out.written());
    if (fault.isEmpty()) {
      sessions.confirmed();
      acknowledge(lane, Heartbeat.delivered(frame, at), Heartbeat.window(frame, at));
      measure(lane, Heartbeat.echo(frame, at), Heartbeat.heldNs(frame, at), nowNs);
      lane.wire().announced(Heartbeat.sent(frame, at), in.delivered(), nowNs);
      sessions.neighbour().beaten(frame, at);
      events.beat(frame, at, nowNs);
    }
    return fault;
  }

  private void acknowledge(Lane lane, long to, int room) {
    if (out.acknowledge(to, room) > 0) {
      lane.wire().acknowledged(out.window().first());
    }
  }

  private void measure(Lane lane, long sent, long heldNs, long nowNs) {
    if (sent != 0 && sent - lane.begunNs() >= 0 && !lane.isResting()) {
      hop.add(nowNs - sent - heldNs);
    }
  }

  /** Sends the next numbered frame; false for none. */
  boolean sendNext(Lane lane, long nowNs) {
    if (lane.wire().repair(lane.port(), out.window(), nowNs)) {
      return true;
    }
    if (!lanes.carries(lane) || !out.isSendable()) {
      return false;
    }
    out.send(lane, nowNs);
    return true;
  }

  /** Composes the next frame without a number, but for greetings and heartbeats. */
  int own(Lane lane, OwnFrame own, long nowNs) {
    if (isCurrent(lane)) {
      in.ahead(lane.wire().ahead(lane.port()));
      if (in.isAckDue(nowNs)) {
        return in.acknowledgement(own, nowNs);
      }
    }
    int request = lane.wire().request(own, nowNs);
    if (request > 0) {
      return request;
    }
    return isCurrent(lane) ? news.compose(own, nowNs) : 0;
  }

  int heartbeat(OwnFrame own, long nowNs) {
    in.heartbeat(own, out.written(), nowNs);
    events.state(own.memory, OwnFrame.PAYLOAD, nowNs);
    return own.seal(IsleFrame.HEARTBEAT, Heartbeat.BYTES, nowNs);
  }

  /** A notice or a roll call for the neighbour. */
  void post(int kind, byte[] payload) {
    news.add(kind, payload);
  }

  Sessions sessions() {
    return sessions;
  }

  /**
   * Why a greeting is refused; empty if it fits.
   *
   * @param lane of the greeting
   */
  String refusal(Lane lane, Hello theirs, long nowNs) {
    String mismatch = sessions.hello(!spec.connects()).mismatch(theirs);
    if (!mismatch.isEmpty()) {
      return mismatch;
    }
    if (sessions.isTaken(lane, theirs, nowNs)) {
      String why = sessions.taken(theirs);
      meter.add(LinkMeter.STRAYS, 1);
      events.refused(theirs, why);
      return why;
    }
    return sessions.unknown(theirs);
  }

  /** The greetings of a lane are exchanged. */
  void greeted(Lane lane, Hello theirs, long nowNs) {
    boolean other = !sessions.isPeer(theirs);
    boolean restarted = sessions.restarts(theirs);
    long known = restarted ? 0 : sessions.known(theirs);
    if (restarted) {
      out.restart(nowNs);
      in.restart();
    }
    sessions.greeted(theirs);
    acknowledge(lane, known, 0);
    lane.wire().greeted(in.delivered(), nowNs);
    in.acknowledgeNow(nowNs);
    meter.add(LinkMeter.PATHS, 1);
    lanes.greeted(lane, nowNs);
    if (other && !spec.connects()) {
      lanes.endOthers(lane, nowNs);
    }
    events.greeted(theirs, restarted);
  }

  /**
   * A lane is down.
   *
   * @param ageNs nanoseconds since the last sign of life on it
   */
  void ended(Lane lane, boolean wasUp, boolean silent, String why, long ageNs) {
    lanes.ended(lane);
    if (wasUp && lanes.current() == null) {
      long frame = spec.connects() ? out.acknowledged() : in.delivered();
      events.lost(silent, why, frame, ageNs);
    }
  }
}
