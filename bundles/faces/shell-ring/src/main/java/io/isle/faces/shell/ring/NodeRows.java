package io.isle.faces.shell.ring;

import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.function.Function;

/** Nodes as rows: in short as a table, and with all that is known as JSON. */
final class NodeRows {
  private static final int HEADER = 8;

  private NodeRows() {}

  /** A row a node. */
  static Table<RingNodeInfo> list() {
    return named()
        .jsonOnly("packet_bytes", RingNodeInfo::packetBytes)
        .jsonOnly("layers", RingNodeInfo::layers)
        .jsonOnly("start", range(LayerRange::start))
        .jsonOnly("end", range(LayerRange::end))
        .shownOnly("layers", NodeRows::layers)
        .column("stage", node -> node.stage().orElse(null))
        .column("listen", "listen", node -> addresses(node.prev()), Table::plain)
        .column("prev_state", "prev", node -> node.prev().state().text(), Table::plain)
        .column("next_address", "next address", node -> addresses(node.next()), Table::plain)
        .column("next_state", "next", node -> node.next().state().text(), Table::plain)
        .column("error", "last error", NodeRows::error, Table::plain);
  }

  private static Table<RingNodeInfo> named() {
    return new Table<RingNodeInfo>("No nodes of rings; ring:create makes one.")
        .column("node", RingNodeInfo::name)
        .whole()
        .column("ring", RingNodeInfo::ring)
        .column("role", node -> node.role().text())
        .column("state", node -> node.state().text())
        .column("dim", NodeRows::dim);
  }

  private static Function<RingNodeInfo, Object> range(Function<LayerRange, Object> field) {
    return node -> node.range().map(field).orElse(null);
  }

  /** Numbers of 4 bytes in a payload; null where the payload is not a multiple. */
  static Integer dim(RingNodeInfo node) {
    int payload = node.packetBytes() - HEADER;
    return payload < 0 || payload % Float.BYTES != 0 ? null : payload / Float.BYTES;
  }

  /** Such as {@code 0-6 of 12, tail}; {@code -} if nothing is known. */
  static String layers(RingNodeInfo node) {
    String all = node.layers() == 0 ? "-" : Integer.toString(node.layers());
    return node.range().map(range -> words(range) + " of " + all).orElse(all);
  }

  /** Such as {@code 6-12, tail}. */
  static String words(LayerRange range) {
    return range.start() + "-" + range.end() + (range.tail() ? ", tail" : "");
  }

  static String addresses(LinkInfo link) {
    return String.join(", ", link.addresses());
  }

  /** The failure of the node, else of its links; null if there is none. */
  static String error(RingNodeInfo node) {
    return List.of(node.reason(), node.next().reason(), node.prev().reason()).stream()
        .filter(reason -> !reason.isEmpty())
        .findFirst()
        .orElse(null);
  }

  /**
   * The nodes with this name or of the ring with this name; all for null.
   *
   * @throws ShellException if there is none
   */
  static List<RingNodeInfo> named(Services services, String name) {
    List<RingNodeInfo> all = services.with(RingAdmin.class, RingAdmin::nodes);
    if (name == null) {
      return all;
    }
    List<RingNodeInfo> found = all.stream().filter(node -> node.name().equals(name)).toList();
    if (found.isEmpty()) {
      found = all.stream().filter(node -> node.ring().equals(name)).toList();
    }
    if (found.isEmpty()) {
      throw unknown(name, all);
    }
    return found;
  }

  /** No node or ring has this name. */
  static ShellException unknown(String name, List<RingNodeInfo> all) {
    String names = String.join(", ", all.stream().map(RingNodeInfo::name).toList());
    return ShellException.failed(
        "no node or ring is named '"
            + name
            + "'; the nodes are "
            + (names.isEmpty() ? "none: ring:create makes one" : names));
  }
}
