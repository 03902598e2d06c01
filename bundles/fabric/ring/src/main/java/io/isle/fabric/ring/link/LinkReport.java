package io.isle.fabric.ring.link;

import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Snapshots of links, for any thread. */
public final class LinkReport {
  private LinkReport() {}

  /** Why a path has no port. */
  static String missing(PathSpec path) {
    return "transport " + path.transport() + " is not installed";
  }

  /**
   * A link as it is now.
   *
   * @param port null without a port
   * @param missing why there is no port
   */
  static LinkInfo of(LinkSpec spec, RingPort port, String missing, LinkMeter meter) {
    return new LinkInfo(
        spec.side(),
        spec.dialect(),
        spec.addresses(),
        port == null ? PortState.FAILED : port.state(),
        port == null ? missing : port.reason(),
        port == null ? Optional.empty() : port.peer(),
        notes(port == null ? List.of() : port.notes(), meter),
        counters(
            meter,
            meter.get(LinkMeter.FOREIGN) + (port == null ? 0 : port.foreign()),
            meter.get(LinkMeter.STRAYS) + (port == null ? 0 : port.strays()),
            meter.get(LinkMeter.PATHS) + (port == null ? 0 : port.paths())));
  }

  /** Adds the parts of counters that stand for several kinds of chunks. */
  private static List<String> notes(List<String> ofPort, LinkMeter meter) {
    List<String> notes = new ArrayList<>(ofPort);
    add(notes, meter.get(LinkMeter.WRONG_MAGIC), "without the marker of the dialect");
    add(notes, meter.get(LinkMeter.WRONG_TOTAL), "of frames with another number of chunks");
    add(notes, meter.get(LinkMeter.WRONG_LENGTH), "with a wrong length");
    add(notes, meter.get(LinkMeter.OVERFLOW), "without room, because packets were taken too late");
    return notes;
  }

  private static void add(List<String> notes, long count, String kind) {
    if (count > 0) {
      notes.add(count + " chunks " + kind);
    }
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
        meter.get(LinkMeter.STALE) + meter.get(LinkMeter.OVERFLOW),
        meter.get(LinkMeter.MALFORMED)
            + meter.get(LinkMeter.WRONG_MAGIC)
            + meter.get(LinkMeter.WRONG_TOTAL)
            + meter.get(LinkMeter.WRONG_LENGTH),
        foreign,
        strays,
        meter.get(LinkMeter.CUT),
        paths);
  }
}
