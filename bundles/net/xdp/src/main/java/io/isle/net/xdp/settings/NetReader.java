package io.isle.net.xdp.settings;

import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.net.NetException;
import io.isle.api.net.NetInfo;
import io.isle.net.xdp.bpf.XdpLink;
import io.isle.net.xdp.socket.XskWish;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the settings of a net, and checks what keys mean together. */
final class NetReader {
  /** Linux: 15 bytes without slash, space or colon. */
  private static final String INTERFACE = "[^/\\s:]{1,15}";

  private static final String LAB = "lab:";
  private static final String LOOPBACK = "lo";
  private static final String INTERFACE_KEY = NetKeys.INTERFACE.key();
  private static final int MOST_PATH = 107;
  private static final long NS_PER_US = 1000;

  private NetReader() {}

  static NetSettings read(Map<String, String> given) {
    Values values = new Values(NetKeys.SCHEMA, given, "a net");
    String name = interfaceName(values);
    if (name.startsWith(NetSettings.FILE)) {
      requireFile(values);
    } else if (!values.text(NetKeys.PCAP_SENT).isEmpty()) {
      throw Values.refused("pcap_sent: only with interface = pcap:FILE");
    } else if (name.equals(LOOPBACK) && values.flag(NetKeys.LOOPBACK)) {
      throw Values.refused("loopback: true, and the interface is lo; unset loopback");
    }
    return new NetSettings(
        name,
        namespace(values),
        values.number(NetKeys.TILES),
        values.number(NetKeys.QUEUE),
        XdpLink.Mode.valueOf(upper(values.text(NetKeys.MODE))),
        values.flag(NetKeys.ZERO_COPY),
        XskWish.Poll.valueOf(upper(values.text(NetKeys.POLL))),
        values.powerOfTwo(NetKeys.RX_QUEUE),
        values.powerOfTwo(NetKeys.TX_QUEUE),
        values.number(NetKeys.APP_FRAMES),
        values.number(NetKeys.FLUSH_US) * NS_PER_US,
        values.address(NetKeys.ADDRESS),
        values.text(NetKeys.UDP_CHECKSUM).equals("drop"),
        socket(values),
        values.flag(NetKeys.LOOPBACK),
        cpu(values),
        NetSettings.Configure.valueOf(upper(values.text(NetKeys.CONFIGURE))),
        path(values, NetKeys.PCAP_SENT, Integer.MAX_VALUE),
        values.text(NetKeys.PLACEMENT).equals("process"),
        values.flag(NetKeys.STANDBY));
  }

  private static String interfaceName(Values values) {
    String name = values.text(NetKeys.INTERFACE);
    if (name.isEmpty()) {
      throw Values.refused("interface: missing; a name that 'ip link' shows, such as eth0");
    }
    if (name.startsWith(NetSettings.FILE)) {
      return NetSettings.FILE
          + absolute(INTERFACE_KEY, name.substring(NetSettings.FILE.length()), Integer.MAX_VALUE);
    }
    if (!name.matches(INTERFACE) || name.equals(".") || name.equals("..")) {
      throw Values.refused(
          "interface: '" + Values.shown(name) + "' is no name of 1 to 15 characters");
    }
    return name;
  }

  private static String namespace(Values values) {
    String text = values.text(NetKeys.NETNS);
    if (text.startsWith(LAB) && !text.substring(LAB.length()).matches(NetInfo.NAME)) {
      throw Values.refused("netns: '" + Values.shown(text) + "' names no lab; lab:NAME");
    }
    if (text.indexOf('\0') >= 0) {
      throw Values.refused("netns: no path has a zero");
    }
    return text;
  }

  /** A file has neither a namespace nor queues nor a driver. */
  private static void requireFile(Values values) {
    String why = " goes with a network interface alone, not with interface = pcap:FILE";
    if (!values.text(NetKeys.NETNS).isEmpty()) {
      throw Values.refused("netns: a namespace" + why);
    }
    if (values.number(NetKeys.TILES) > 1) {
      throw Values.refused("tiles: more than 1" + why);
    }
    if (values.number(NetKeys.QUEUE) > 0) {
      throw Values.refused("queue: another number than 0" + why);
    }
    for (Setting setting : List.of(NetKeys.MODE, NetKeys.POLL)) {
      if (!values.text(setting).equals("auto")) {
        throw Values.refused(setting.key() + ": another value than auto" + why);
      }
    }
    for (Setting setting : List.of(NetKeys.ZERO_COPY, NetKeys.LOOPBACK)) {
      if (values.flag(setting)) {
        throw Values.refused(setting.key() + ": true" + why);
      }
    }
    if (values.text(NetKeys.PLACEMENT).equals("process")) {
      throw Values.refused("placement: process" + why);
    }
    if (values.text(NetKeys.CONFIGURE).equals("auto")) {
      throw Values.refused("configure: auto" + why);
    }
  }

  private static CpuWish cpu(Values values) {
    return CpuWish.read(values.text(NetKeys.CPU), values.number(NetKeys.TILES));
  }

  private static Optional<Path> socket(Values values) {
    return path(values, NetKeys.SOCKET, MOST_PATH);
  }

  private static Optional<Path> path(Values values, Setting setting, int most) {
    String text = values.text(setting);
    return text.isEmpty() ? Optional.empty() : Optional.of(absolute(setting.key(), text, most));
  }

  private static Path absolute(String key, String text, int most) {
    if (!text.startsWith("/") || text.getBytes(StandardCharsets.UTF_8).length > most) {
      throw Values.refused(
          key
              + ": '"
              + Values.shown(text)
              + "' is no absolute path"
              + (most == Integer.MAX_VALUE ? "" : " of at most " + most + " bytes"));
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new NetException(Errno.EINVAL, key + ": " + e.getReason(), e);
    }
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }
}
