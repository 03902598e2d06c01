package io.isle.fabric.ring.isle;

import io.isle.api.fabric.RingPort;
import io.isle.fabric.ring.link.Shape;
import io.isle.lib.leap.isle.Goodbye;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The paths of a link, and which one carries its numbered frames. One thread at a time. */
final class Lanes {
  private final IsleSpec spec;
  private final Outbound out;
  private final List<Lane> all = new ArrayList<>();
  private final AtomicLong view = new AtomicLong();

  /** The lane of numbered frames; null while no path is up. */
  private volatile Lane current;

  /** The newest lane that is up; takes over once all frames of the current one are acknowledged. */
  private Lane preferred;

  Lanes(IsleSpec spec, Outbound out) {
    this.spec = spec;
    this.out = out;
  }

  Lane add(Lane lane) {
    all.add(lane);
    return lane;
  }

  void remove(Lane lane) {
    all.remove(lane);
  }

  /** The lane of numbered frames; null while no path is up. Any thread. */
  Lane current() {
    return current;
  }

  /** Whether numbered frames may begin on this lane. */
  boolean carries(Lane lane) {
    return lane == current && preferred == current;
  }

  /** A number that changes with the state. Any thread. */
  long view() {
    return view.get();
  }

  /** A frame was delivered, by any lane. */
  void delivered(long number, long nowNs) {
    for (int i = 0; i < all.size(); i++) {
      all.get(i).delivered(number, nowNs);
    }
  }

  /** Reads all lanes. */
  void read(long nowNs) {
    for (int i = 0; i < all.size(); i++) {
      all.get(i).read(nowNs);
    }
  }

  /** Reads lanes until the receiving call has its packet. */
  void readOne(Inbound in, long nowNs) {
    for (int i = 0; i < all.size() && !in.isServed(); i++) {
      all.get(i).read(nowNs);
    }
  }

  /** Sends what is due on the current lane. */
  void pump(long nowNs) {
    Lane lane = current;
    if (lane != null) {
      lane.pump(nowNs);
    }
  }

  /** Frames that waited for room in the queue go on. */
  void release() {
    for (int i = 0; i < all.size(); i++) {
      all.get(i).release();
    }
  }

  /** Moves to the preferred lane once nothing is under way on the current one. */
  void promoteSettled(long nowNs) {
    if (preferred != current && preferred != null && (current == null || out.isSettled())) {
      promote(nowNs);
    }
  }

  private void promote(long nowNs) {
    Lane before = current;
    current = preferred;
    out.rewind();
    if (before != null && spec.connects()) {
      before.leave(Goodbye.Reason.SWITCHED, nowNs);
    }
  }

  /** The greetings of a lane are exchanged. */
  void greeted(Lane lane, long nowNs) {
    view.getAndIncrement();
    preferred = lane;
    if (current == null) {
      promote(nowNs);
    }
  }

  /** A lane is down. */
  void ended(Lane lane) {
    if (lane == preferred || lane == current) {
      Lane other = null;
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i).isUp()) {
          other = all.get(i);
        }
      }
      preferred = other;
      if (lane == current) {
        current = other;
        out.rewind();
      }
    }
    view.getAndIncrement();
  }

  /** Whether a path beside {@code lane} is up, and shows signs of life. */
  boolean hasOther(Lane lane, long nowNs) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i) != lane && all.get(i).isAlive(nowNs)) {
        return true;
      }
    }
    return false;
  }

  /** Another session of the neighbour begins on {@code lane}: the paths of the one before end. */
  void endOthers(Lane lane, long nowNs) {
    for (int i = 0; i < all.size(); i++) {
      Lane other = all.get(i);
      if (other != lane && other.wasUp()) {
        other.down(nowNs, false, "the neighbour has begun anew on another path");
      }
    }
  }

  void poll(long nowNs) {
    for (int i = 0; i < all.size(); i++) {
      all.get(i).forgivePause(nowNs);
    }
    for (int i = 0; i < all.size(); i++) {
      all.get(i).poll(nowNs);
    }
  }

  /**
   * The time of the next poll without an event.
   *
   * @param ackNs time of the next acknowledgement, which the current lane sends
   */
  long deadline(long ackNs) {
    long next = Long.MAX_VALUE;
    for (int i = 0; i < all.size(); i++) {
      Lane lane = all.get(i);
      next = Math.min(next, lane.deadline(lane == current ? ackNs : Long.MAX_VALUE));
    }
    return next;
  }

  /** Whether bytes wait for room on a path. */
  boolean isSending() {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).isSending()) {
        return true;
      }
    }
    return false;
  }

  void interests(RingPort.Interests interests, boolean reads) {
    for (int i = 0; i < all.size(); i++) {
      all.get(i).interests(interests, reads);
    }
  }

  /**
   * Heartbeats of the neighbour alone are no events from now on, if only one path is in use, and no
   * frame waits for an acknowledgement.
   *
   * @return false if that is not possible now
   */
  boolean rest() {
    Lane lane = current;
    return lane != null && isAlone(lane) && out.isQuiet() && lane.rest();
  }

  /** Whether there is no lane but the current one. */
  boolean hasOne() {
    return all.size() == 1 && all.getFirst() == current;
  }

  private boolean isAlone(Lane lane) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i) != lane && !all.get(i).isDown()) {
        return false;
      }
    }
    return true;
  }

  /** Each byte of the neighbour is an event. */
  void attend() {
    for (int i = 0; i < all.size(); i++) {
      all.get(i).attend();
    }
  }

  void shape(Shape shape) {
    for (int i = 0; i < all.size(); i++) {
      shape.add(all.get(i).port());
    }
  }

  /** Ends the access to all memory that was claimed. */
  void revoke() {
    for (int i = 0; i < all.size(); i++) {
      all.get(i).revoke();
    }
  }

  /** Ends all paths on purpose. */
  void leave(Goodbye.Reason why, long nowNs) {
    for (int i = 0; i < all.size(); i++) {
      all.get(i).leave(why, nowNs);
    }
  }
}
