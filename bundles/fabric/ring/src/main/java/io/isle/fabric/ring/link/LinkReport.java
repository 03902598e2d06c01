package io.isle.fabric.ring.link;

import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import java.util.List;
import java.util.Optional;

/** Snapshots of links, for any thread. */
final class LinkReport {
  private LinkReport() {}

  /**
   * A link as it is now.
   *
   * @param port null without a port
   * @param missing why there is no port
   */
  static LinkInfo of(LinkSpec spec, RingPort port, String missing, LinkMeter meter) {
    return new LinkInfo(
        spec.port().side(),
        spec.port().dialect(),
        spec.addresses(),
        port == null ? PortState.FAILED : port.state(),
        port == null ? missing : port.reason(),
        port == null ? Optional.empty() : port.peer(),
        port == null ? List.of() : port.notes(),
        counters(port, meter));
  }

  private static LinkCounters counters(RingPort port, LinkMeter meter) {
    return new LinkCounters(
        meter.get(LinkMeter.FRAMES_SENT),
        meter.get(LinkMeter.BYTES_SENT),
        meter.get(LinkMeter.FRAMES_RECEIVED),
        meter.get(LinkMeter.BYTES_RECEIVED),
        meter.get(LinkMeter.LOST),
        0,
        meter.get(LinkMeter.DUPLICATES),
        meter.get(LinkMeter.STALE),
        meter.get(LinkMeter.MALFORMED),
        meter.get(LinkMeter.FOREIGN) + (port == null ? 0 : port.foreign()),
        meter.get(LinkMeter.STRAYS) + (port == null ? 0 : port.strays()),
        meter.get(LinkMeter.CUT),
        meter.get(LinkMeter.PATHS) + (port == null ? 0 : port.paths()));
  }
}
