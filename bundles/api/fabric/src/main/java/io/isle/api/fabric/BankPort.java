package io.isle.api.fabric;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A port of a transport that carries frames in banks of memory shared with the neighbour: one frame
 * a bank, in order. The neighbour is not trusted: the port checks each number of the neighbour and
 * ends the path at a wrong one; the contents of frames are to be checked by their reader.
 *
 * <p>A thread that is to sleep calls {@link #interests} first: without this call, the neighbour
 * does not ring.
 */
@ConsumerType
public non-sealed interface BankPort extends RingPort {
  /** Largest frame in bytes. */
  int maxFrame();

  /** Banks of a direction: most frames that the neighbour has not taken. */
  int banks();

  /**
   * Claims the bank of the next frame to the neighbour, until {@link #publish} or {@link #abandon}.
   * A claim on a claim is the same claim, unless a new path came up.
   *
   * @return 0; -EAGAIN while all banks are full; -ENOTCONN without a neighbour
   */
  int claim();

  /**
   * The memory of the claimed bank, {@link #maxFrame} bytes, for any thread. The neighbour can read
   * and change it. It stays mapped until the end of the claim or of its loan, also without a
   * neighbour and after the port was closed or parked. An access afterwards is an
   * IllegalStateException, or one to another frame; after {@link #revoke}, always the former.
   *
   * @throws IllegalStateException without a claim
   */
  MemorySegment bank();

  /**
   * Sends the frame in the claimed bank.
   *
   * @param length bytes of the frame, 0 to {@link #maxFrame}
   * @return {@code length}; -EMSGSIZE for another length, the claim stays; -ENOTCONN if the path of
   *     the claim has ended, and without a claim
   */
  int publish(int length);

  /** Gives the claim up. Nothing without a claim. */
  void abandon();

  /**
   * Lends the claimed bank to its writer until {@link #giveBack}, and ends the claim: the neighbour
   * gets an empty frame in the place of the bank, and again whenever its turn comes, so that other
   * frames pass meanwhile. One bank at a time is lent; another loan ends the one before.
   *
   * @return 0; -ENOTCONN if the path of the claim has ended, the bank is lent nevertheless; and
   *     -ENOTCONN without a claim
   */
  int lend();

  /** Ends the loan. Nothing without one. */
  void giveBack();

  /**
   * Ends claim and loan, and the access by all segments of {@link #bank} so far, as their user may
   * not see the frames of the next one.
   */
  void revoke();

  /**
   * Bytes of the next frame of the neighbour, which may change the number: callers keep the first
   * answer until {@link #take}. An empty frame has no meaning but its place.
   *
   * @return 0 to {@link #maxFrame}; -EAGAIN without a frame; -ENOTCONN without a neighbour, once
   *     all frames of a path that ended are taken
   */
  int next();

  /**
   * Copies a part of the next frame, after {@link #next}. The neighbour may change the frame until
   * then, so each byte is copied once and checked in the copy.
   *
   * @param from offset in the frame; with {@code bytes} at most {@link #maxFrame}
   * @throws IndexOutOfBoundsException for a part beyond the bank or beyond {@code into}
   * @throws IllegalStateException without a path
   */
  void copy(int from, MemorySegment into, long offset, int bytes);

  /**
   * Gives the bank of the next frame back to the neighbour, after {@link #next}. A neighbour that
   * sleeps until a bank is free is woken by this call, or at the latest by a later one: {@link
   * #next} without a frame, {@link #poll}, {@link #interests}, or the sixteenth call.
   *
   * @return 0; -ENOTCONN if the neighbour has broken the protocol: what was copied is void
   */
  int take();
}
