package io.isle.lib.drive;

import java.util.Optional;

/**
 * A packet without a reply. Immutable.
 *
 * @param index of the packet, from 0
 * @param position of the packet
 * @param cause how the loss was noticed
 * @param frame the lost frame, if the link to the previous node reported it
 */
public record Loss(long index, int position, Cause cause, Optional<LostFrame> frame) {
  /** How a loss is noticed. */
  public enum Cause {
    /** The link to the previous node lost the reply. */
    LINK("the link from the previous node lost the reply"),
    /** The reply of a later packet came. */
    OVERTAKEN("the reply of a later packet came; a node or link before has lost the packet"),
    /** No reply came in time. */
    SILENCE("no reply came in time");

    private final String text;

    Cause(String text) {
      this.text = text;
    }
  }

  /** The loss as a sentence without an end. */
  public String text() {
    return "payload "
        + index
        + " at position "
        + position
        + " has no reply: "
        + cause.text
        + frame.map(Loss::text).orElse("");
  }

  private static String text(LostFrame loss) {
    String chunks =
        loss.chunks() == 0
            ? "no chunk arrived"
            : loss.chunks() + " of " + loss.total() + " chunks arrived";
    return " (frame " + loss.number() + " of the link, " + chunks + ")";
  }
}
