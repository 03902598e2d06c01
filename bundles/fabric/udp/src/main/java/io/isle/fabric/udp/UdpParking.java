package io.isle.fabric.udp;

import io.isle.api.fabric.ParkedPort;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Format {@code udp/1} of parked ports: one socket, and facts. */
final class UdpParking {
  static final String FORMAT = "udp/1";
  private static final String SIDE = "side";
  private static final String ADDRESS = "address";
  private static final String LOCAL = "local";
  private static final String DIALECT = "dialect";
  private static final String PEER = "peer";
  private static final String PATHS = "paths";
  private static final String BUFFERS = "buffers";

  /** Absent in earlier versions, which left the answer in the socket. */
  private static final String UNCUT = "uncut";

  private final Map<String, String> facts;

  UdpParking(UdpPort port, Optional<UdpSocket> socket) {
    facts =
        Map.of(
            SIDE, port.side(),
            ADDRESS, port.settings.address().toString(),
            LOCAL, port.settings.local().map(Object::toString).orElse(""),
            DIALECT, port.settings.dialect().text(),
            PEER, port.peer().orElse(""),
            PATHS, Long.toString(port.paths()),
            BUFFERS, socket.map(any -> String.join("\n", any.buffers())).orElse(""),
            UNCUT, socket.map(UdpSocket::uncut).orElse(""));
  }

  ParkedPort parked(int descriptor) {
    return new ParkedPort(FORMAT, List.of(descriptor), facts);
  }

  /** Whether {@code parked} has this format and belongs to this port. */
  static boolean fits(UdpPort port, ParkedPort parked) {
    Map<String, String> facts = parked.facts();
    return parked.format().equals(FORMAT)
        && parked.descriptors().size() == 1
        && port.side().equals(facts.get(SIDE))
        && port.settings.address().toString().equals(facts.get(ADDRESS))
        && port.settings.local().map(Object::toString).orElse("").equals(facts.get(LOCAL))
        && port.settings.dialect().text().equals(facts.get(DIALECT))
        && facts.containsKey(PEER)
        && facts.getOrDefault(PATHS, "").matches("[0-9]{1,18}");
  }

  static long paths(ParkedPort parked) {
    return Long.parseLong(parked.facts().get(PATHS));
  }

  static String peer(ParkedPort parked) {
    return parked.facts().get(PEER);
  }

  /** Why the kernel did not cut batches; empty if it did. */
  static String uncut(ParkedPort parked) {
    return parked.facts().getOrDefault(UNCUT, "");
  }

  static List<String> buffers(ParkedPort parked) {
    return parked.facts().getOrDefault(BUFFERS, "").lines().toList();
  }
}
