package io.isle.fabric.ring.process;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.process.wire.Answer;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.settings.PathAddress;
import java.util.List;
import java.util.Optional;

/** Reports of processes, for tests. */
public final class Reported {
  private Reported() {}

  /** A report of a running node whose links have sent and received {@code number} packets. */
  public static Answer.Report report(long number, String node, NodeSettings settings) {
    return report(
        number,
        node,
        settings,
        link(RingSide.PREV, settings.listen(), number),
        link(RingSide.NEXT, List.of(settings.next()), number));
  }

  static Answer.Report report(
      long number, String node, NodeSettings settings, LinkInfo prev, LinkInfo next) {
    return new Answer.Report(
        number,
        new RingNodeInfo(
            node,
            settings.ring(),
            settings.role(),
            NodeState.RUNNING,
            "",
            settings.packetBytes(),
            settings.layers(),
            Optional.of(new LayerRange(3, 9, true)),
            Optional.of(settings.stage()),
            prev,
            next,
            0,
            1,
            2),
        Optional.of(new HopTimes(12, 34)),
        0,
        111,
        "");
  }

  static LinkInfo link(RingSide side, List<PathAddress> addresses, long frames) {
    return new LinkInfo(
        side,
        Dialect.LEAP,
        addresses.stream().map(PathAddress::toString).toList(),
        PortState.UP,
        "",
        Optional.of("127.0.0.1:4"),
        List.of("a note"),
        new LinkCounters(frames, 0, frames, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1));
  }
}
