package io.isle.net.xdp.net;

import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetState;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TileState;
import io.isle.net.xdp.netlink.InterfaceAddress;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.settings.NetSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says in words why nothing arrives or leaves. */
final class Explanation {
  private static final int FILL_EMPTY = 4;
  private static final int RING_FULL = 3;

  private final NetInfo info;
  private final NetSettings settings;
  private final Optional<OpenNet> opened;
  private final String waiting;
  private final List<NetFinding> findings = new ArrayList<>();

  /**
   * @param waiting what a file waits for; empty if it does not wait
   */
  Explanation(NetInfo info, NetSettings settings, Optional<OpenNet> opened, String waiting) {
    this.info = info;
    this.settings = settings;
    this.opened = opened;
    this.waiting = waiting;
  }

  List<NetFinding> findings() {
    if (opened.isEmpty()) {
      bad("net", info.reason() + "; the platform tries again each second");
      return findings;
    }
    OpenNet open = opened.get();
    tiles();
    if (open.file().isPresent()) {
      findings.addAll(
          FileFindings.of(open.file().get(), settings.file().orElseThrow().toString(), waiting));
      open.parts().forEach(this::drops);
      findings.addAll(UnsentFrames.findings(open.parts()));
      return findings;
    }
    link(open);
    program(open);
    address(open);
    queues(open);
    open.parts().forEach(this::kernel);
    open.parts().forEach(this::drops);
    findings.addAll(UnsentFrames.findings(open.parts()));
    findings.addAll(new WrongFrames(info.name(), settings, open).findings());
    return findings;
  }

  private void good(String subject, String text) {
    findings.add(new NetFinding(true, subject, text));
  }

  private void bad(String subject, String text) {
    findings.add(new NetFinding(false, subject, text));
  }

  private void tiles() {
    if (info.state() == NetState.RUNNING || info.state() == NetState.ENDED) {
      good("tiles", settings.tiles() + " of " + settings.tiles() + " run");
    } else {
      bad("tiles", info.reason() + ": frames wait in the rings of the kernel, and then are lost");
    }
  }

  private void link(OpenNet open) {
    Optional<Link> link = open.view().link(settings.interfaceName());
    if (link.isEmpty() || !link.get().isUp()) {
      bad(
          "link",
          settings.interfaceName()
              + " is down: no frame arrives or leaves; 'ip link set "
              + settings.interfaceName()
              + " up'");
    } else if ((link.get().flags() & Link.RUNNING) == 0) {
      bad("link", settings.interfaceName() + " has no carrier: the other side is down");
    } else {
      good("link", settings.interfaceName() + " is up");
    }
  }

  private void program(OpenNet open) {
    if (info.ports().isEmpty()) {
      bad("program", "no app has a port: the kernel gets all frames; see net:app-create");
    } else if (!open.redirect().isAttached()) {
      bad("program", "not attached: " + info.reason());
    } else {
      good(
          "program",
          "takes UDP to ports "
              + info.ports().stream().map(String::valueOf).collect(Collectors.joining(", "))
              + settings.address().stream()
                  .mapToObj(address -> " of " + Ipv4.text(address))
                  .collect(Collectors.joining())
              + ", in mode "
              + (info.mode().isEmpty() ? "unknown" : info.mode()));
    }
  }

  private void address(OpenNet open) {
    if (settings.address().isEmpty()) {
      return;
    }
    int address = settings.address().getAsInt();
    boolean own =
        open.view().addresses().stream()
            .map(InterfaceAddress::address)
            .anyMatch(one -> one == address);
    if (own) {
      good("address", Ipv4.text(address) + " belongs to the namespace");
    } else {
      bad(
          "address",
          Ipv4.text(address)
              + " is no address of the namespace: frames arrive only if the sender routes them here");
    }
  }

  private void queues(OpenNet open) {
    long missed = open.redirect().missed();
    if (missed == 0) {
      good("queues", "no matching frame came by a queue without a tile");
    } else {
      bad(
          "queues",
          missed
              + " matching frames came by queues without a tile, and went to the kernel: set tiles to"
              + " the number of queues, or steer the traffic");
    }
  }

  private void kernel(TilePart part) {
    long empty = kernel(part, FILL_EMPTY);
    long full = kernel(part, RING_FULL);
    if (empty > 0) {
      bad(
          place(part, "fill ring"),
          "was empty for "
              + empty
              + " frames, which are lost: the tile was away too long, or rx_queue is small");
    }
    if (full > 0) {
      bad(
          place(part, "rx ring"),
          "was full for " + full + " frames, which are lost: enlarge rx_queue");
    }
    long wakes = part.words().get(TileState.port(0, TileState.FAILED_WAKES));
    if (wakes > 0) {
      bad(
          place(part, "wake-ups"),
          wakes
              + " were refused, the last with error "
              + part.words().get(TileState.port(0, TileState.WAKE_ERROR)));
    }
  }

  private void drops(TilePart part) {
    for (RxDrop reason : RxDrop.values()) {
      long count = part.figures().dropped(reason);
      if (count > 0) {
        bad(place(part, "drops"), count + " frames: " + words(reason));
      }
    }
  }

  private static String words(RxDrop reason) {
    return switch (reason) {
      case UNDERSIZE -> "undersize: shorter than headers of Ethernet, IPv4 and UDP";
      case NOT_IPV4 -> "not_ipv4: another type or version";
      case BAD_IHL -> "bad_ihl: a header of IPv4 of less than 20 bytes";
      case NOT_UDP -> "not_udp: another protocol";
      case BAD_UDP_LENGTH -> "bad_udp_length: the length of UDP does not fit into the frame";
      case FRAGMENT -> "fragment: parts of larger packets; lower the MTU of the sender";
      case MULTICAST_SOURCE -> "multicast_source: the source is the address of a group";
      case NO_APP -> "no_app: no app has the port";
      case CHECKSUM -> "checksum: wrong, or unfinished; see udp_checksum";
      case INVALID -> "invalid: the kernel named memory that is not its own";
    };
  }

  private static String place(TilePart part, String what) {
    return what + " of queue " + part.queue();
  }

  private static long kernel(TilePart part, int word) {
    return part.words().get(TileState.port(0, TileState.KERNEL + word));
  }
}
