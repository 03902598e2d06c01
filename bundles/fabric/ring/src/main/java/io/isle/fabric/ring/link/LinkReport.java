package io.isle.fabric.ring.link;

import io.isle.api.base.Errno;
import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingPort;
import java.util.List;
import java.util.Optional;

/** Snapshots of links, for any thread. */
public final class LinkReport {
  private LinkReport() {}

  /** There is too little memory for packets of this size. */
  public static RingException noMemory(Throwable cause) {
    return new RingException(
        Errno.ENOMEM,
        "the platform has too little memory for the packets: "
            + cause.getMessage()
            + "; choose a smaller dim, or smaller reassembly_bytes",
        cause);
  }

  /** Why a path has no port. */
  static String missing(PathSpec path) {
    return "transport " + path.transport() + " is not installed";
  }

  /**
   * A link as it is now.
   *
   * @param port null without a port
   * @param missing why there is no port
   * @param wrong what the neighbour does wrong; empty for nothing
   */
  static LinkInfo of(LinkSpec spec, RingPort port, String missing, String wrong, LinkMeter meter) {
    return new LinkInfo(
        spec.side(),
        spec.dialect(),
        spec.addresses(),
        port == null ? PortState.FAILED : port.state(),
        port == null ? missing : wrong.isEmpty() ? port.reason() : wrong,
        port == null ? Optional.empty() : port.peer(),
        port == null ? List.of() : port.notes(),
        counters(
            meter,
            meter.get(LinkMeter.FOREIGN) + (port == null ? 0 : port.foreign()),
            meter.get(LinkMeter.STRAYS) + (port == null ? 0 : port.strays()),
            meter.get(LinkMeter.PATHS) + (port == null ? 0 : port.paths())));
  }

  /** The counters of a link; those that its ports count, too, are given. */
  public static LinkCounters counters(LinkMeter meter, long foreign, long strays, long paths) {
    return new LinkCounters(
        meter.get(LinkMeter.FRAMES_SENT),
        meter.get(LinkMeter.BYTES_SENT),
        meter.get(LinkMeter.FRAMES_RECEIVED),
        meter.get(LinkMeter.BYTES_RECEIVED),
        meter.get(LinkMeter.LOST),
        meter.get(LinkMeter.REPAIRED),
        meter.get(LinkMeter.DUPLICATES),
        meter.get(LinkMeter.STALE),
        meter.get(LinkMeter.OVERFLOW),
        meter.get(LinkMeter.MALFORMED) + meter.get(LinkMeter.WRONG_MAGIC),
        meter.get(LinkMeter.WRONG_TOTAL),
        meter.get(LinkMeter.WRONG_LENGTH),
        foreign,
        strays,
        meter.get(LinkMeter.CUT),
        paths);
  }
}
