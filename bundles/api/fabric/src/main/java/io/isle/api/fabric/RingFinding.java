package io.isle.api.fabric;

import java.util.Locale;
import java.util.Optional;

/**
 * An outcome of the preflight of a node. Immutable.
 *
 * @param side the link; empty for the node itself
 * @param topic what was looked at
 * @param verdict the outcome
 * @param text the outcome in words
 * @param remedy what to do, in words; empty without a problem
 */
public record RingFinding(
    Optional<RingSide> side, Topic topic, Verdict verdict, String text, String remedy) {

  /** What a preflight looks at. */
  public enum Topic {
    /** The file of the node. */
    SETTINGS,
    /** The process of a node that has one of its own. */
    PROCESS,
    /** The stage of a worker. */
    STAGE,
    /** Whether a transport is installed that has the address. */
    TRANSPORT,
    /** Whether the neighbour accepts, or has come. */
    PATH,
    /** Whether both ends of the link have the same protocol. */
    DIALECT,
    /** Whether datagrams fit the way to the neighbour. */
    MTU,
    /** Buffers of the kernel: granted bytes of the wanted ones. */
    BUFFERS;

    /** Lower case, as in commands and JSON. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How an outcome is judged. */
  public enum Verdict {
    /** Nothing to do. */
    OK,
    /** Not known yet; a later preflight knows. */
    OPEN,
    /** Packets travel, but slower than wanted; or a neighbour is awaited. */
    WARNING,
    /** The other end answers, but no program listens there. */
    REFUSED,
    /** Nothing answers: the machine is off, or a firewall drops packets. */
    FILTERED,
    /** Packets cannot travel. */
    FAILED;

    /** Lower case, as in commands and JSON. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
