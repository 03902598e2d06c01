package io.isle.fabric.ring.process.wire;

import java.util.List;
import java.util.Locale;

/**
 * A transport or stage for the process of a node, as a class with a constructor without arguments.
 * Immutable.
 *
 * @param name name of the transport or stage
 * @param type name of the class
 * @param jars files of the class that the class path of the process does not have
 */
public record Part(Kind kind, String name, String type, List<String> jars) {
  /** Kinds of parts. */
  public enum Kind {
    /** A {@link io.isle.api.fabric.RingTransport}. */
    TRANSPORT,
    /** A {@link io.isle.api.fabric.RingStage}. */
    STAGE;

    /** In messages. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Part {
    jars = List.copyOf(jars);
  }
}
