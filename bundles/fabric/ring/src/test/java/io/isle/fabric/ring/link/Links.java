package io.isle.fabric.ring.link;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingSide;
import java.util.List;
import java.util.Map;

/** Settings of links for tests. */
final class Links {
  private Links() {}

  static LinkSpec spec(RingSide side, String address, int packetBytes) {
    PortSpec port =
        new PortSpec(
            "n",
            side,
            address,
            "",
            Dialect.LEAP,
            packetBytes,
            "",
            List.of(),
            false,
            1 << 16,
            Map.of());
    return new LinkSpec(
        side,
        Dialect.LEAP,
        packetBytes,
        List.of(new PathSpec("pipe://" + address, "pipe", port)),
        20_000,
        1_000_000_000,
        1 << 20);
  }
}
