package io.isle.net.xdp.settings;

import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.api.net.NetAdmin;
import java.util.List;

/** The keys of {@code io.isle.net-NAME.cfg}. */
final class NetKeys {
  static final Setting INTERFACE =
      Setting.string(
          "interface",
          "",
          "name of the network interface, or pcap:FILE, the absolute path of a capture file whose"
              + " frames arrive");
  static final Setting PCAP_SENT =
      Setting.string(
          "pcap_sent",
          "",
          "of an interface pcap:FILE: absolute path of the capture file for sent frames, which is"
              + " replaced; empty: they are only counted");
  static final Setting NETNS =
      Setting.string(
          "netns",
          "",
          "network namespace of the interface: a name of ip netns, the path of a file such as"
              + " /proc/PID/ns/net, or lab:NAME; empty for the platform's own");
  static final Setting TILES =
      Setting.integer("tiles", 1, NetAdmin.TILES, 1, "tiles, one for each queue of the interface");
  static final Setting QUEUE =
      Setting.integer("queue", 0, 1023, 0, "queue of the first tile; further tiles have the next");
  static final Setting MODE =
      Setting.choice(
          "mode",
          List.of("auto", "drv", "skb"),
          "auto",
          "where the kernel runs the program: in the driver, behind the driver, or in the driver"
              + " where it can");
  static final Setting ZERO_COPY =
      Setting.bool(
          "zero_copy", false, "whether the device moves frames itself, where its driver can");
  static final Setting POLL =
      Setting.choice(
          "poll",
          List.of("auto", "softirq", "prefbusy"),
          "auto",
          "who takes frames from the device: interrupts, or the tile by preferred busy polling;"
              + " auto: prefbusy with zero copy, else softirq");
  static final Setting RX_QUEUE =
      Setting.integer(
          "rx_queue", 64, 1 << 18, 32768, "frames that wait for a tile, a power of two");
  static final Setting TX_QUEUE =
      Setting.integer(
          "tx_queue", 64, 1 << 18, 32768, "frames that wait for the kernel, a power of two");
  static final Setting APP_FRAMES =
      Setting.integer(
          "app_frames", 0, 1 << 20, 32768, "frames of a tile that the links of apps may hold");
  static final Setting FLUSH_US =
      Setting.integer(
          "flush_us",
          0,
          1_000_000,
          20,
          "longest wait of a frame to send for more, in microseconds");
  static final Setting ADDRESS =
      Setting.string(
          "address", "", "destination address of frames for apps; empty for any address");
  static final Setting LOOPBACK =
      Setting.bool(
          "loopback",
          false,
          "whether tile 0 also has the interface lo of the namespace, for senders and receivers on"
              + " this machine");
  static final Setting CPU =
      Setting.string(
          "cpu",
          "",
          "processors that tiles run on: one a tile, such as 2,3 or 2-3; auto: those with the"
              + " fewest agents; empty: as in io.isle.agents");
  static final Setting CONFIGURE =
      Setting.choice(
          "configure",
          List.of("check", "auto", "off"),
          "check",
          "settings of the interface that nets need: check tells which differ, auto sets them and"
              + " puts them back when the net ends, off leaves them alone; see net:configure");
  static final Setting UDP_CHECKSUM =
      Setting.choice(
          "udp_checksum",
          List.of("off", "drop"),
          "off",
          "drop: frames with a wrong checksum of UDP are dropped; local senders leave checksums"
              + " unfinished");

  static final Setting SOCKET =
      Setting.string(
          "socket",
          "",
          "path of the socket file where processes attach, at most 107 bytes; empty:"
              + " net-NAME.sock in the folder of the instance");

  static final Setting PLACEMENT =
      Setting.choice(
          "placement",
          List.of("agent", "process"),
          "agent",
          "where tiles run: agent: in the platform; process: each in a confined process of its"
              + " own");
  static final Setting STANDBY =
      Setting.bool(
          "standby",
          true,
          "whether each tile in a process has a warm standby: a further process that takes over"
              + " when the tile's process ends");

  @SettingsSchema(pid = NetSettings.FACTORY_PID + "-NAME")
  static final List<Setting> SCHEMA =
      List.of(
          INTERFACE,
          PCAP_SENT,
          NETNS,
          TILES,
          QUEUE,
          MODE,
          ZERO_COPY,
          POLL,
          RX_QUEUE,
          TX_QUEUE,
          APP_FRAMES,
          FLUSH_US,
          ADDRESS,
          LOOPBACK,
          CPU,
          CONFIGURE,
          UDP_CHECKSUM,
          SOCKET,
          PLACEMENT,
          STANDBY);

  private NetKeys() {}
}
