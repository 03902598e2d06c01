package io.isle.fabric.ring.isle;

import io.isle.lib.leap.isle.Goodbye;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.Notice;
import io.isle.lib.leap.isle.RollCall;
import java.lang.foreign.MemorySegment;

/**
 * What a link of dialect isle learns about its neighbour. Called by the thread that drives the
 * link, which holds the link meanwhile: returns soon, and calls no link.
 */
public interface LinkEvents {
  /**
   * A path is up.
   *
   * @param restarted whether the neighbour has another session than before
   */
  default void greeted(Hello theirs, boolean restarted) {}

  /**
   * Another node has asked for the place of the neighbour, from which a path is up.
   *
   * @param why the refusal in words
   */
  default void refused(Hello theirs, String why) {}

  /**
   * The last path is gone.
   *
   * @param silent whether heartbeats are missing; else the path was reset or closed
   * @param reason in words
   * @param frame number of the last packet that was exchanged on the link, toward the next node
   * @param ageNs nanoseconds since the last sign of life
   */
  default void lost(boolean silent, String reason, long frame, long ageNs) {}

  /** The neighbour ends its path on purpose; {@link #lost} follows. */
  default void left(Goodbye goodbye) {}

  /**
   * A heartbeat.
   *
   * @param at offset of its payload in {@code frame}
   */
  default void beat(MemorySegment frame, long at, long nowNs) {}

  /** A notice of the neighbour. */
  default void noticed(Notice notice) {}

  /** A piece of a roll call. */
  default void called(RollCall piece) {}

  /**
   * The state of this node for a heartbeat, by {@link io.isle.lib.leap.isle.Heartbeat#node}.
   *
   * @param at offset of the payload
   */
  void state(MemorySegment heartbeat, long at, long nowNs);
}
