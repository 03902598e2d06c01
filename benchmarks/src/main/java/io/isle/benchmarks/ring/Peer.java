package io.isle.benchmarks.ring;

import io.isle.benchmarks.PeerMissingException;
import io.isle.benchmarks.Settings;
import java.io.IOException;

/** A program that does the same work between two processes with one processor each. */
interface Peer {
  /** What the peer is, for the table. */
  String name();

  /**
   * Looks for the program.
   *
   * @throws PeerMissingException naming what is to be installed
   */
  default void check() {}

  /**
   * Measures.
   *
   * @param rounds of a mean; a peer that measures for a time ignores them
   * @return nanoseconds of a round trip or of a frame, or bytes a second, as the case compares
   */
  double measure(Settings settings, int rounds) throws IOException, InterruptedException;
}
