package io.isle.fabric.ring.isle;

import io.isle.api.fabric.RingPort;
import io.isle.lib.leap.isle.Hello;
import java.lang.foreign.MemorySegment;

/**
 * Frames on a kind of port. A machine: one attempt a call, never a wait, no allocation on the way
 * of packets. One thread at a time.
 */
interface Wire {
  /** The fault of a peer whose first bytes are of another protocol. */
  String OTHER = "its first bytes are not of dialect isle";

  /** {@link #next}: a frame is at {@link #at}. */
  int FRAME = 1;

  /** {@link #next}: no whole frame is here. */
  int NOTHING = 0;

  /** The path has ended. */
  int ENDED = -1;

  /** {@link #next}: the peer violates the protocol, see {@link #fault}. */
  int FAULT = -2;

  /** {@link #send} and {@link #flush}: all bytes are sent. */
  int DONE = 1;

  /** {@link #send} and {@link #flush}: the rest is sent by {@link #flush}. */
  int PARTIAL = 0;

  /** The next frame, with a valid header and checksum. Ends the loan of the frame before. */
  int next(RingPort port, long nowNs);

  /**
   * As {@link #next}, with the right to place the packet where {@code in} wants it. Such a packet
   * is not in {@link #memory}, and the caller delivers its frame before anything else.
   */
  default int next(RingPort port, Inbound in, long nowNs) {
    return next(port, nowNs);
  }

  /**
   * Looks for a frame again and again for a moment, where a look is cheap.
   *
   * @return whether {@link #next} is worth a call
   */
  default boolean spin(RingPort port) {
    return false;
  }

  /**
   * Heartbeats alone are no events from now on, if the path can tell them from frames that must not
   * wait.
   *
   * @return false if the path cannot, or not now
   */
  default boolean rest(RingPort port) {
    return false;
  }

  /** Ends {@link #rest}: each byte is an event. */
  default void attend(RingPort port) {}

  /** The frame of the last {@link #next} comes again at the next call. */
  void again();

  /** The memory of the frame. */
  MemorySegment memory();

  /** Offset of the header of the frame. */
  long at();

  /** The violation in words. */
  String fault();

  /** Most numbered frames that may be under way to this node without a loss, at least 1. */
  default int ahead(RingPort port) {
    return Hello.MAX_WINDOW;
  }

  /** Bytes that arrived on all paths; a sign of life. */
  long arrived();

  /** Whether the last frame is sent as a whole. */
  boolean isIdle();

  /**
   * Sends a frame, which stays as it is until it is sent as a whole.
   *
   * @param number of the frame; 0 without one
   */
  int send(RingPort port, MemorySegment frame, int bytes, long number, long nowNs);

  /** Sends the rest of a frame. */
  int flush(RingPort port, long nowNs);

  /**
   * Claims memory of the neighbour for the packet of the next frame, until {@link #publish} or
   * {@link #abandon}; also beyond the end of the path.
   *
   * @return null if there is none
   */
  default MemorySegment claim(RingPort port) {
    return null;
  }

  /**
   * Sends the frame whose packet lies in the claimed memory.
   *
   * @param frame as kept: of it, only the header is copied
   * @return false if other frames have gone, or the path has ended, since the claim
   */
  default boolean publish(RingPort port, MemorySegment frame, int bytes) {
    return false;
  }

  /** Ends the claim. */
  default void abandon() {}

  /**
   * Ends the claim, and the access to all memory that was claimed.
   *
   * @param port the present one, or null
   */
  default void revoke(RingPort port) {}

  /** A new path begins, or a path is over: forgets frames in parts. */
  void reset();

  /**
   * The greetings are exchanged.
   *
   * @param delivered number of the last frame that was delivered
   */
  default void greeted(long delivered, long nowNs) {}

  /** A frame was delivered, by this path or another one. */
  default void delivered(long number, long nowNs) {}

  /** Whether greetings get lost, and ends of paths are not noticed. */
  default boolean isLossy() {
    return false;
  }

  /**
   * The peer lacks chunks of a frame.
   *
   * @return empty, or the fault of the request
   */
  default String missing(MemorySegment frame, long at, int length, SendWindow window) {
    return "a request for chunks on a path that loses none";
  }

  /**
   * Composes a request for chunks that are due.
   *
   * @return bytes of the frame; 0 for none
   */
  default int request(OwnFrame own, long nowNs) {
    return 0;
  }

  /**
   * Sends chunks that the peer asked for.
   *
   * @return whether bytes were sent or wait for room
   */
  default boolean repair(RingPort port, SendWindow window, long nowNs) {
    return false;
  }

  /** The frames below {@code first} are acknowledged. */
  default void acknowledged(long first) {}

  /** The peer says that it has sent frames up to {@code sent}. */
  default void announced(long sent, long delivered, long nowNs) {}

  /** The time of the next request, or {@link Long#MAX_VALUE}. */
  default long deadlineNs() {
    return Long.MAX_VALUE;
  }
}
