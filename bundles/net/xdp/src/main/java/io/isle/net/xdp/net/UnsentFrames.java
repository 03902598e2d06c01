package io.isle.net.xdp.net;

import io.isle.api.net.NetFinding;
import io.isle.lib.tile.TileState;
import io.isle.lib.tile.TxDrop;
import java.util.ArrayList;
import java.util.List;

/** Explains frames of apps that were not sent. */
final class UnsentFrames {
  private UnsentFrames() {}

  static List<NetFinding> findings(List<TilePart> parts) {
    List<NetFinding> findings = new ArrayList<>();
    for (TxDrop reason : TxDrop.values()) {
      long frames = parts.stream().mapToLong(part -> dropped(part, reason)).sum();
      if (frames > 0) {
        findings.add(new NetFinding(false, "sending", frames + " frames: " + words(reason)));
      }
    }
    return findings;
  }

  private static long dropped(TilePart part, TxDrop reason) {
    long sum = 0;
    for (int slot = 0; slot < TileState.TX_LINKS; slot++) {
      sum += part.words().get(TileState.link(slot, TileState.TX_DROPS + reason.ordinal()));
    }
    return sum;
  }

  private static String words(TxDrop reason) {
    return switch (reason) {
      case NO_ROUTE -> "no_route: no route to the address; see net:routes";
      case ROUTE_TYPE -> "route_type: the route is neither unicast nor local; see net:routes";
      case INTERFACE -> "interface: the route leaves by an interface without this net";
      case NO_SOURCE -> "no_source: the frame names no source, and the route has none";
      case NO_NEIGHBOR ->
          "no_neighbor: the next hop's hardware address was unknown; the kernel is asked, so later"
              + " frames leave if the host answers";
      case RING_FULL -> "ring_full: the kernel sends more slowly than apps do; enlarge tx_queue";
      case INVALID -> "invalid: an app wrote a place or size outside of its link, or no IPv4";
      case OVERRUN -> "overrun: an app overwrote the frame while the tile copied it";
    };
  }
}
