package io.isle.fabric.ring.admin;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingFinding;
import io.isle.api.fabric.RingFinding.Topic;
import io.isle.api.fabric.RingFinding.Verdict;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingProcess;
import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.settings.PathAddress;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.leap.ChunkHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** The preflight of one node, from what its ports have met and from the node's neighbours here. */
public final class NodeCheck {
  private static final int ETIMEDOUT = 110;

  /** Headers of IPv4 and UDP, and of IPv6 and UDP. */
  private static final int IPV4_UDP = 28;

  private static final int IPV6_UDP = 48;

  private final RingNodeInfo node;
  private final List<RingNodeInfo> all;
  private final Set<String> transports;
  private final ToIntFunction<RingSide> failure;
  private final Function<String, OptionalInt> mtu;
  private final List<RingFinding> findings = new ArrayList<>();
  private String processReason = "";

  /**
   * @param all nodes of this platform
   * @param transports names of the installed ones
   * @param failure error number of the kernel for the last failure of a link; 0 if not known
   */
  public NodeCheck(
      RingNodeInfo node,
      List<RingNodeInfo> all,
      Set<String> transports,
      ToIntFunction<RingSide> failure) {
    this(node, all, transports, failure, RouteMtu::of);
  }

  /**
   * @param mtu largest packet of IP on the way to a place
   */
  NodeCheck(
      RingNodeInfo node,
      List<RingNodeInfo> all,
      Set<String> transports,
      ToIntFunction<RingSide> failure,
      Function<String, OptionalInt> mtu) {
    this.node = node;
    this.all = all;
    this.transports = transports;
    this.failure = failure;
    this.mtu = mtu;
  }

  /** A file that is not in force. */
  public static RingFinding refused(String name, String why, boolean inForce) {
    return new RingFinding(
        Optional.empty(),
        Topic.SETTINGS,
        Verdict.FAILED,
        why + (inForce ? "; the last good settings are in force" : "; there is no such node"),
        "correct the file io.isle.ring-" + name + ".cfg");
  }

  /** With the process of the node, if it has one of its own. */
  public NodeCheck process(Optional<RingProcess> process) {
    process.ifPresent(
        own -> {
          processReason = own.reason();
          add(
              Optional.empty(),
              Topic.PROCESS,
              own.reason().isEmpty() ? Verdict.OK : Verdict.FAILED,
              own.reason().isEmpty() ? "process " + own.pid().orElse(0) + " runs" : own.reason());
        });
    return this;
  }

  /** All findings but those of the file. */
  public List<RingFinding> run() {
    if (node.stage().isPresent() && processReason.isEmpty()) {
      String stage = node.stage().get();
      String why = node.reason();
      add(
          Optional.empty(),
          Topic.STAGE,
          why.isEmpty() ? Verdict.OK : Verdict.FAILED,
          why.isEmpty() ? "stage " + stage + " is installed" : why);
    }
    link(node.prev());
    link(node.next());
    return List.copyOf(findings);
  }

  private void link(LinkInfo link) {
    Optional<RingSide> side = Optional.of(link.side());
    boolean installed = true;
    for (String address : link.addresses()) {
      installed &= transport(side, PathAddress.of(address).transport());
    }
    if (installed) {
      path(link, side);
    }
    dialect(link, side);
    if (link.side() == RingSide.NEXT) {
      link.addresses().stream().map(PathAddress::of).forEach(address -> mtu(side, address));
    }
    for (String note : link.notes()) {
      if (note.contains(" buffer ")) {
        boolean less = note.contains("; ");
        add(side, Topic.BUFFERS, less ? Verdict.WARNING : Verdict.OK, note);
      }
    }
  }

  private boolean transport(Optional<RingSide> side, String name) {
    boolean installed = transports.contains(name);
    if (installed) {
      add(side, Topic.TRANSPORT, Verdict.OK, "transport " + name + " is installed");
    } else {
      add(
          side,
          Topic.TRANSPORT,
          Verdict.FAILED,
          "transport "
              + name
              + " is not installed; install its bundle, or choose one of "
              + String.join(", ", transports.stream().sorted().toList()));
    }
    return installed;
  }

  private void path(LinkInfo link, Optional<RingSide> side) {
    String address = String.join(", ", link.addresses());
    switch (link.state()) {
      case UP -> up(link, side, address);
      case LISTENING -> listening(link, side);
      case CONNECTING -> connecting(link, side, address);
      case FAILED, CLOSED -> add(side, Topic.PATH, Verdict.FAILED, link.reason());
    }
  }

  /** Datagrams have no connection: a failure shows only once packets travel. */
  private void up(LinkInfo link, Optional<RingSide> side, String address) {
    boolean unconnected =
        link.side() == RingSide.NEXT
            && link.dialect() == Dialect.LEAP
            && address.startsWith("udp://");
    if (!link.reason().isEmpty()) {
      connecting(link, side, address);
    } else if (unconnected) {
      add(side, Topic.PATH, Verdict.OK, "datagrams go to " + link.peer().orElse(address));
    } else {
      add(side, Topic.PATH, Verdict.OK, "connected with " + link.peer().orElse(address));
    }
  }

  /** Of dialect leap, a neighbour is known from its first packet on. */
  private void listening(LinkInfo link, Optional<RingSide> side) {
    Optional<RingNodeInfo> here = neighbour(link).filter(one -> one.next().state() == PortState.UP);
    if (!link.reason().isEmpty()) {
      add(side, Topic.PATH, Verdict.FAILED, link.reason());
    } else if (here.isPresent()) {
      add(
          side,
          Topic.PATH,
          Verdict.OK,
          here.get().name() + " is connected, and has not sent a packet yet");
    } else {
      add(
          side,
          Topic.PATH,
          Verdict.WARNING,
          "no node has connected to "
              + String.join(", ", link.addresses())
              + " and sent a packet; start the previous node, and compare its next");
    }
  }

  /** The neighbour, if it is a node of this platform. */
  private Optional<RingNodeInfo> neighbour(LinkInfo link) {
    return link.side() == RingSide.NEXT
        ? RingOrder.next(node, all)
        : all.stream()
            .filter(
                one ->
                    RingOrder.next(one, all)
                        .filter(next -> next.name().equals(node.name()))
                        .isPresent())
            .findFirst();
  }

  private void connecting(LinkInfo link, Optional<RingSide> side, String address) {
    String reason = link.reason();
    switch (failure.applyAsInt(link.side())) {
      case SocketErrors.ECONNREFUSED ->
          add(
              side,
              Topic.PATH,
              Verdict.REFUSED,
              reason,
              "start the next node, or correct the address: ring:set " + node.name() + " next=...");
      case ETIMEDOUT ->
          add(
              side,
              Topic.PATH,
              Verdict.FILTERED,
              reason,
              "start the machine, open its firewall for " + address + ", or correct next");
      default -> {
        if (reason.isEmpty()) {
          add(side, Topic.PATH, Verdict.OPEN, "connecting to " + address);
        } else {
          add(
              side,
              Topic.PATH,
              Verdict.FAILED,
              reason,
              "check that this machine reaches " + address + ", or correct next");
        }
      }
    }
  }

  private void dialect(LinkInfo link, Optional<RingSide> side) {
    Dialect ours = link.dialect();
    Optional<RingNodeInfo> neighbour = neighbour(link);
    if (neighbour.isEmpty()) {
      if (link.reason().contains(link.side().text() + ".dialect = ")) {
        add(side, Topic.DIALECT, Verdict.FAILED, link.reason());
        return;
      }
      boolean known = ours == Dialect.ISLE && link.state() == PortState.UP;
      add(
          side,
          Topic.DIALECT,
          Verdict.OK,
          known
              ? "both ends use " + ours.text()
              : "this end uses " + ours.text() + "; the other end has to use it, too",
          "");
      return;
    }
    RingNodeInfo other = neighbour.get();
    LinkInfo end = link.side() == RingSide.NEXT ? other.prev() : other.next();
    if (end.dialect() == ours) {
      add(side, Topic.DIALECT, Verdict.OK, "both ends use " + ours.text(), "");
    } else {
      add(
          side,
          Topic.DIALECT,
          Verdict.FAILED,
          "this end uses " + ours.text() + ", but " + other.name() + " " + end.dialect().text(),
          "ring:set " + other.name() + " " + end.side().text() + ".dialect=" + ours.text());
    }
  }

  private void mtu(Optional<RingSide> side, PathAddress address) {
    if (!address.transport().equals("udp")) {
      return;
    }
    int headers = address.place().startsWith("[") ? IPV6_UDP : IPV4_UDP;
    int need =
        Math.min(ChunkHeader.DATAGRAM_BYTES, ChunkHeader.BYTES + node.packetBytes()) + headers;
    OptionalInt found = mtu.apply(address.place());
    if (found.isEmpty()) {
      add(side, Topic.MTU, Verdict.OPEN, "no way to " + address.place() + " is known");
    } else if (found.getAsInt() < need) {
      add(
          side,
          Topic.MTU,
          Verdict.FAILED,
          "the way takes packets of " + found.getAsInt() + " bytes, but datagrams need " + need,
          "raise the MTU of the interface to " + need + " or more, or use tcp");
    } else {
      add(
          side,
          Topic.MTU,
          Verdict.OK,
          "the way takes packets of " + found.getAsInt() + " bytes; datagrams need " + need,
          "");
    }
  }

  /** The part behind the first semicolon is the remedy. */
  private void add(Optional<RingSide> side, Topic topic, Verdict verdict, String words) {
    int end = verdict == Verdict.OK ? -1 : words.indexOf("; ");
    String text = end < 0 ? words : words.substring(0, end);
    add(side, topic, verdict, text, end < 0 ? "" : words.substring(end + 2));
  }

  private void add(
      Optional<RingSide> side, Topic topic, Verdict verdict, String text, String remedy) {
    findings.add(new RingFinding(side, topic, verdict, text, remedy));
  }
}
