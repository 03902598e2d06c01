package io.isle.api.fabric;

import java.util.List;
import java.util.Optional;

/**
 * A link of a node to a neighbour. Immutable.
 *
 * @param side the neighbour
 * @param dialect protocol of the link
 * @param addresses as set: of {@code listen} or {@code next}
 * @param state state of the port
 * @param reason the last failure and its remedy, in words; empty without one
 * @param peer address of the connected neighbour, if any
 * @param notes further facts, such as granted buffer sizes, one a line
 * @param counters since the begin of the node
 */
public record LinkInfo(
    RingSide side,
    Dialect dialect,
    List<String> addresses,
    PortState state,
    String reason,
    Optional<String> peer,
    List<String> notes,
    LinkCounters counters) {
  public LinkInfo {
    addresses = List.copyOf(addresses);
    notes = List.copyOf(notes);
  }

  /** The link in words, such as {@code "next tcp://10.0.0.2:9999 is connecting: refused"}. */
  public String text() {
    String name = side.text() + " " + String.join(", ", addresses) + " is ";
    if (state == PortState.UP) {
      return name + "up" + peer.map(address -> " to " + address).orElse("");
    }
    return name + state.text() + (reason.isEmpty() ? "" : ": " + reason);
  }
}
