package io.isle.fabric.ring.isle;

import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.fabric.ring.link.LinkReport;
import io.isle.fabric.ring.link.LinkSpec;
import io.isle.lib.leap.isle.Hello;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Snapshots of links of dialect isle, for any thread. */
final class IsleReport {
  private IsleReport() {}

  static LinkInfo of(
      LinkSpec spec, IsleSpec isle, IsleMachine machine, LanePorts ports, LinkMeter meter) {
    List<LanePorts.Entry> entries = ports.views();
    Optional<LanePorts.Entry> up = entries.stream().filter(one -> one.lane.isCurrent()).findFirst();
    LanePorts.Entry shown = up.orElseGet(entries::getLast);
    RingPort port = shown.lane.port();
    long foreign = meter.get(LinkMeter.FOREIGN);
    long strays = meter.get(LinkMeter.STRAYS);
    for (LanePorts.Entry entry : entries) {
      RingPort each = entry.lane.port();
      foreign += each == null ? 0 : each.foreign();
      strays += each == null ? 0 : each.strays();
    }
    return new LinkInfo(
        isle.side(),
        spec.dialect(),
        spec.addresses(),
        up.isPresent() ? PortState.UP : state(isle, port),
        reason(
            shown,
            port,
            up.isPresent(),
            machine.stuck().isEmpty() ? ports.failedSwitch() : machine.stuck()),
        port == null ? Optional.empty() : port.peer(),
        notes(entries, machine),
        LinkReport.counters(meter, foreign, strays, meter.get(LinkMeter.PATHS)));
  }

  /** A port that is up without greetings is no path. */
  private static PortState state(IsleSpec isle, RingPort port) {
    if (port == null) {
      return PortState.FAILED;
    }
    PortState state = port.state();
    return state != PortState.UP
        ? state
        : isle.connects() ? PortState.CONNECTING : PortState.LISTENING;
  }

  private static String reason(
      LanePorts.Entry shown, RingPort port, boolean up, String failedSwitch) {
    if (port == null) {
      return up ? failedSwitch : shown.missing;
    }
    if (up) {
      return failedSwitch.isEmpty() ? port.reason() : failedSwitch;
    }
    return port.reason().isEmpty() ? shown.lane.reason() : port.reason();
  }

  private static List<String> notes(List<LanePorts.Entry> entries, IsleMachine machine) {
    List<String> notes = new ArrayList<>();
    Hello peer = machine.peer();
    if (peer != null) {
      notes.add("neighbour " + peer.node() + " of ring " + peer.ring());
    }
    for (LanePorts.Entry entry : entries) {
      RingPort port = entry.lane.port();
      if (port != null) {
        notes.addAll(port.notes());
      }
    }
    return notes;
  }
}
