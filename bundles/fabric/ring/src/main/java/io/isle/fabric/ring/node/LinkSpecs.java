package io.isle.fabric.ring.node;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.isle.IsleSpec;
import io.isle.fabric.ring.link.LinkSpec;
import io.isle.fabric.ring.link.PathSpec;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.settings.PathAddress;
import java.util.List;
import java.util.Map;

/** The settings of both links of a node. Immutable. */
final class LinkSpecs {
  private final String node;
  private final LinkSpec prev;
  private final LinkSpec next;

  LinkSpecs(String node, NodeSettings settings) {
    this.node = node;
    prev =
        link(
            settings,
            RingSide.PREV,
            settings.prevDialect(),
            settings.listen().stream().map(address -> prev(settings, address)).toList());
    next =
        link(
            settings,
            RingSide.NEXT,
            settings.nextDialect(),
            List.of(next(settings, settings.next())));
  }

  LinkSpec prev() {
    return prev;
  }

  LinkSpec next() {
    return next;
  }

  /** What a link of dialect isle needs besides. */
  IsleSpec isle(RingSide side, NodeSettings settings) {
    return new IsleSpec(
        side,
        settings.ring(),
        node,
        settings.role().ordinal(),
        settings.packetBytes(),
        settings.isle().window(),
        settings.buffers().reassemblyBytes(),
        settings.isle().heartbeatMs(),
        settings.isle().stallNs(),
        shown(settings.listen().getFirst()));
  }

  /** An address as long as a greeting has room for. */
  static String shown(PathAddress address) {
    String text = address.toString();
    return text.length() <= 64 ? text : "";
  }

  private PathSpec prev(NodeSettings settings, PathAddress address) {
    PortSpec port =
        new PortSpec(
            node,
            RingSide.PREV,
            address.place(),
            "",
            settings.prevDialect(),
            settings.packetBytes(),
            settings.source(),
            settings.allow(),
            settings.plaintext(),
            settings.buffers().kernelBytes(),
            Map.of());
    return new PathSpec(address.toString(), address.transport(), port);
  }

  private PathSpec next(NodeSettings settings, PathAddress address) {
    String local =
        settings.listen().stream()
            .filter(any -> any.transport().equals(address.transport()))
            .map(PathAddress::place)
            .findFirst()
            .orElse("");
    PortSpec port =
        new PortSpec(
            node,
            RingSide.NEXT,
            address.place(),
            local,
            settings.nextDialect(),
            settings.packetBytes(),
            "",
            List.of(),
            settings.plaintext(),
            settings.buffers().kernelBytes(),
            Map.of());
    return new PathSpec(address.toString(), address.transport(), port);
  }

  private static LinkSpec link(
      NodeSettings settings, RingSide side, Dialect dialect, List<PathSpec> paths) {
    return new LinkSpec(
        side,
        dialect,
        settings.packetBytes(),
        paths,
        settings.waits().spinNs(),
        settings.waits().frameNs(),
        settings.buffers().reassemblyBytes());
  }
}
