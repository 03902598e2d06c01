package io.isle.net.xdp.net;

import io.isle.api.net.NetException;
import io.isle.api.net.NetFinding;
import io.isle.lib.tile.TileState;
import io.isle.net.xdp.netlink.Link;
import io.isle.net.xdp.settings.NetSettings;
import io.isle.net.xdp.socket.Umem;
import java.util.ArrayList;
import java.util.List;

/** Explains frames that are no whole frames of a network: superpackets, unfinished checksums. */
final class WrongFrames {
  private static final int OTHER = 0;
  private static final int FILL_EMPTY = 4;
  private static final int ETHERNET = 14;
  private static final List<String> JOINS = List.of("rx-gro", "rx-udp-gro-forwarding");

  private final String net;
  private final NetSettings settings;
  private final OpenNet open;
  private final List<NetFinding> findings = new ArrayList<>();

  WrongFrames(String net, NetSettings settings, OpenNet open) {
    this.net = net;
    this.settings = settings;
    this.open = open;
  }

  List<NetFinding> findings() {
    superpackets();
    checksums();
    return findings;
  }

  private void superpackets() {
    // the kernel counts a frame without an entry of FILL in both words
    long large = sum(TileState.KERNEL + OTHER) - sum(TileState.KERNEL + FILL_EMPTY);
    if (large > 0) {
      bad("superpackets", large + " frames were too large" + tooLarge());
    } else if (open.mode().equals("drv")) {
      good("superpackets", "none was lost: with mode drv, the sender splits them");
    } else {
      good("superpackets", "none was lost");
    }
  }

  private String tooLarge() {
    String lost = " for a frame of " + Umem.FRAME_BYTES + " bytes, and are lost: ";
    int mtu = open.view().link(settings.interfaceName()).map(Link::mtu).orElse(0);
    if (mtu + ETHERNET > Umem.FRAME_BYTES) {
      return lost
          + "the MTU of "
          + settings.interfaceName()
          + " is "
          + mtu
          + "; 'ip link set "
          + settings.interfaceName()
          + " mtu "
          + (Umem.FRAME_BYTES - ETHERNET)
          + "'";
    }
    String joined = joined();
    return lost
        + "superpackets, which mode skb passes on whole, and mode drv has split; 'net:set "
        + net
        + " mode=drv', or "
        + (joined.isEmpty()
            ? "'ethtool -K PEER tx-udp-segmentation off' with PEER, the interface of the sender"
            : "'net:configure init " + net + " --stage offloads', since " + joined + " is on");
  }

  private String joined() {
    try {
      return String.join(", ", open.offloads(JOINS));
    } catch (NetException e) {
      return "";
    }
  }

  private void checksums() {
    long unfinished = sum(TileState.UNFINISHED);
    if (unfinished > 0) {
      bad(
          "checksums",
          unfinished
              + " frames were dropped with an unfinished checksum of UDP: a sender on this machine"
              + " leaves the checksum to a device; 'net:set "
              + net
              + " udp_checksum=off', or 'ethtool -K PEER tx-checksum-ip-generic off' with PEER, the"
              + " interface of the sender");
    }
  }

  private long sum(int word) {
    return open.parts().stream().mapToLong(part -> part.words().get(TileState.port(0, word))).sum();
  }

  private void good(String subject, String text) {
    findings.add(new NetFinding(true, subject, text));
  }

  private void bad(String subject, String text) {
    findings.add(new NetFinding(false, subject, text));
  }
}
