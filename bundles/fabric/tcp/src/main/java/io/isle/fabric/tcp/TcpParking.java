package io.isle.fabric.tcp;

import io.isle.api.fabric.ParkedPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Format {@code tcp/1} of parked ports: a role for each descriptor, and facts. */
final class TcpParking {
  static final String FORMAT = "tcp/1";

  /** A connection that is up, or that has bytes left to read. */
  static final String PATH = "path";

  /** A listening socket. */
  static final String LISTENER = "listener";

  /** A connection that has sent nothing so far. */
  static final String SILENT = "silent";

  /** A connect without an outcome. */
  static final String CONNECTING = "connecting";

  private static final String ADDRESS = "address";
  private static final String SIDE = "side";
  private static final String ROLES = "roles";
  private static final String PEER = "peer";
  private static final String PATHS = "paths";
  private static final String FACTS = "facts";

  private final TcpPort port;
  private final List<String> roles = new ArrayList<>();
  private final List<Integer> descriptors = new ArrayList<>();

  TcpParking(TcpPort port) {
    this.port = port;
  }

  void add(String role, int descriptor) {
    roles.add(role);
    descriptors.add(descriptor);
  }

  ParkedPort parked() {
    return new ParkedPort(
        FORMAT,
        descriptors,
        Map.of(
            SIDE, side(port),
            ADDRESS, port.settings.address().toString(),
            ROLES, String.join(" ", roles),
            PEER, port.peer().orElse(""),
            PATHS, Long.toString(port.paths()),
            FACTS, String.join("\n", port.facts())));
  }

  /**
   * The role of each descriptor.
   *
   * @return empty if {@code parked} has another format or belongs to another port
   */
  static Optional<List<String>> roles(TcpPort port, ParkedPort parked) {
    Map<String, String> facts = parked.facts();
    if (!parked.format().equals(FORMAT)
        || !side(port).equals(facts.get(SIDE))
        || !port.settings.address().toString().equals(facts.get(ADDRESS))
        || !facts.containsKey(ROLES)
        || !facts.containsKey(PEER)) {
      return Optional.empty();
    }
    String text = facts.get(ROLES);
    List<String> roles = text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
    return roles.size() == parked.descriptors().size() ? Optional.of(roles) : Optional.empty();
  }

  /** Takes the number of paths over; false if the fact is no number. */
  static boolean restore(TcpPort port, ParkedPort parked) {
    String paths = parked.facts().getOrDefault(PATHS, "");
    if (!paths.matches("[0-9]{1,18}")) {
      return false;
    }
    port.paths(Long.parseLong(paths));
    port.facts(parked.facts().getOrDefault(FACTS, "").lines().toList());
    return true;
  }

  static String peer(ParkedPort parked) {
    return parked.facts().get(PEER);
  }

  private static String side(TcpPort port) {
    return port instanceof TcpListener ? "prev" : "next";
  }
}
