package io.isle.fabric.ring.link;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.RingSide;
import java.util.List;

/**
 * The settings of a link. Immutable.
 *
 * @param side the neighbour
 * @param dialect protocol of the link
 * @param packetBytes bytes of each packet
 * @param paths one, or of dialect isle and the previous node several
 * @param spinNs nanoseconds before a waiting thread sleeps
 * @param frameNs nanoseconds after which an incomplete frame of datagrams is lost
 * @param reassemblyBytes most bytes of incomplete frames
 */
public record LinkSpec(
    RingSide side,
    Dialect dialect,
    int packetBytes,
    List<PathSpec> paths,
    long spinNs,
    long frameNs,
    long reassemblyBytes) {
  public LinkSpec {
    paths = List.copyOf(paths);
  }

  /** The addresses as set. */
  public List<String> addresses() {
    return paths.stream().map(PathSpec::address).toList();
  }

  /** The first path. */
  public PathSpec path() {
    return paths.getFirst();
  }

  /** Whether a path has this transport. */
  public boolean uses(String transport) {
    return paths.stream().anyMatch(path -> path.transport().equals(transport));
  }
}
