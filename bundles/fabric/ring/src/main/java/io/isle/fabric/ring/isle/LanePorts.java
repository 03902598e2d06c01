package io.isle.fabric.ring.isle;

import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.fabric.ring.link.LinkReport;
import io.isle.fabric.ring.link.PathSpec;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.Sockets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The paths of a link as settings and transports come and go. The thread that holds the link calls;
 * {@link #views} is for any thread.
 */
final class LanePorts {
  /** Longest time that another path may need to come up. */
  static final long SWITCH_NS = 5_000_000_000L;

  private final IsleMachine machine;
  private final LinkMeter meter;
  private final boolean connects;
  private final List<Entry> entries = new ArrayList<>();
  private volatile List<Entry> views = List.of();
  private volatile String failedSwitch = "";
  private long switchNs = Long.MAX_VALUE;

  /** A path with its settings. */
  static final class Entry {
    final PathSpec spec;
    final Lane lane;
    Optional<ParkedPort> parked = Optional.empty();
    volatile String missing;

    /** The settings have another path in its place. */
    boolean old;

    Entry(PathSpec spec, Lane lane) {
      this.spec = spec;
      this.lane = lane;
      missing = "transport " + spec.transport() + " is not installed";
    }
  }

  LanePorts(IsleMachine machine, LinkMeter meter, boolean connects) {
    this.machine = machine;
    this.meter = meter;
    this.connects = connects;
  }

  /** The paths, the wanted one of the next node last. Any thread. */
  List<Entry> views() {
    return views;
  }

  /** Why the last change of the address did not succeed; empty if it did. Any thread. */
  String failedSwitch() {
    return failedSwitch;
  }

  void add(PathSpec spec) {
    entries.add(new Entry(spec, machine.open()));
    views = List.copyOf(entries);
  }

  void attach(String transport, RingTransport service, long nowNs) {
    RingException failure = null;
    for (Entry entry : entries) {
      if (entry.spec.transport().equals(transport) && entry.lane.port() == null) {
        try {
          attach(entry, service, nowNs);
        } catch (RingException e) {
          entry.missing = e.getMessage();
          failure = e;
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static void attach(Entry entry, RingTransport service, long nowNs) {
    Optional<RingPort> adopted =
        entry.parked.flatMap(earlier -> service.adopt(entry.spec.port(), earlier));
    if (adopted.isPresent()) {
      entry.parked = Optional.empty();
      entry.lane.port(adopted.get(), true, nowNs);
      return;
    }
    drop(entry);
    RingPort port = service.open(entry.spec.port());
    try {
      entry.lane.port(port, false, nowNs);
    } catch (PosixException | OutOfMemoryError e) {
      port.close();
      throw LinkReport.noMemory(e);
    }
  }

  void detach(String transport, long nowNs) {
    for (Entry entry : entries) {
      RingPort port = entry.lane.port();
      if (entry.spec.transport().equals(transport) && port != null) {
        count(port);
        entry.missing = "transport " + transport + " is not installed";
        entry.lane.port(null, true, nowNs);
        entry.parked = port.park();
      }
    }
  }

  void dropParked(String transport, long nowNs) {
    for (Entry entry : entries) {
      if (entry.spec.transport().equals(transport) && entry.parked.isPresent()) {
        drop(entry);
        entry.lane.port(null, false, nowNs);
      }
    }
  }

  private static void drop(Entry entry) {
    Sockets sockets = new Sockets();
    entry.parked.ifPresent(port -> port.descriptors().forEach(sockets::close));
    entry.parked = Optional.empty();
  }

  /** Other paths: of the next node, the old path stays until the new one is up. */
  void change(List<PathSpec> to, Function<String, RingTransport> transports, long nowNs) {
    failedSwitch = "";
    switchNs = Long.MAX_VALUE;
    for (Entry entry : List.copyOf(entries)) {
      entry.old = !to.contains(entry.spec);
      if (entry.old && !(connects && machine.current() == entry.lane)) {
        close(entry, nowNs);
      }
    }
    RingException failure = null;
    for (PathSpec spec : to) {
      if (entries.stream().noneMatch(entry -> entry.spec.equals(spec))) {
        add(spec);
        RingTransport service = transports.apply(spec.transport());
        try {
          if (service != null) {
            attach(entries.getLast(), service, nowNs);
          }
        } catch (RingException e) {
          entries.getLast().missing = e.getMessage();
          failure = e;
        }
      }
    }
    if (entries.stream().anyMatch(entry -> entry.old)) {
      switchNs = nowNs + SWITCH_NS;
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Ends an old path once another one has taken over, or the attempt at the other one.
   *
   * @return the time of the next call
   */
  long settle(long nowNs) {
    if (switchNs == Long.MAX_VALUE) {
      return switchNs;
    }
    Entry old = null;
    Entry wanted = null;
    for (Entry entry : entries) {
      if (entry.old) {
        old = entry;
      } else {
        wanted = entry;
      }
    }
    if (old == null || wanted == null) {
      switchNs = Long.MAX_VALUE;
    } else if (wanted.lane.isUp()) {
      if (old.lane.isDown()) {
        close(old, nowNs);
        switchNs = Long.MAX_VALUE;
      }
    } else if (nowNs >= switchNs) {
      giveUp(old, wanted, nowNs);
      switchNs = Long.MAX_VALUE;
    }
    // behind the limit, an old path ends by an event: its last packets are confirmed
    return switchNs > nowNs ? switchNs : Long.MAX_VALUE;
  }

  private void giveUp(Entry old, Entry wanted, long nowNs) {
    RingPort port = wanted.lane.port();
    String why =
        port == null
            ? wanted.missing
            : wanted.lane.reason().isEmpty() ? port.reason() : wanted.lane.reason();
    failedSwitch =
        "next: "
            + wanted.spec.address()
            + " was not up within 5 s, packets stay on "
            + old.spec.address()
            + (why.isEmpty() ? "" : ": " + why);
    old.old = false;
    close(wanted, nowNs);
  }

  private void close(Entry entry, long nowNs) {
    RingPort port = entry.lane.port();
    if (port != null) {
      count(port);
      port.close();
    }
    drop(entry);
    entry.lane.port(null, false, nowNs);
    machine.forget(entry.lane);
    entries.remove(entry);
    views = List.copyOf(entries);
  }

  /** Counters of a port that goes stay in the link. */
  private void count(RingPort port) {
    meter.add(LinkMeter.FOREIGN, port.foreign());
    meter.add(LinkMeter.STRAYS, port.strays());
  }

  /** Closes all ports; the views stay, for a last look at the link. */
  void close(long nowNs) {
    List<Entry> last = views;
    List.copyOf(entries).forEach(entry -> close(entry, nowNs));
    views = last;
  }
}
