package io.isle.net.xdp.settings;

import io.isle.api.net.NetInfo;
import io.isle.net.xdp.bpf.XdpLink;
import io.isle.net.xdp.socket.XskWish;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the settings of a net, and checks what keys mean together. */
final class NetReader {
  /** Linux: 15 bytes without slash, space or colon. */
  private static final String INTERFACE = "[^/\\s:]{1,15}";

  private static final String LAB = "lab:";
  private static final int MOST_PATH = 107;
  private static final long NS_PER_US = 1000;

  private NetReader() {}

  static NetSettings read(Map<String, String> given) {
    Values values = new Values(NetKeys.SCHEMA, given, "a net");
    return new NetSettings(
        interfaceName(values),
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
        values.text(NetKeys.PLACEMENT).equals("process"),
        values.flag(NetKeys.STANDBY));
  }

  private static String interfaceName(Values values) {
    String name = values.text(NetKeys.INTERFACE);
    if (name.isEmpty()) {
      throw Values.refused("interface: missing; a name that 'ip link' shows, such as eth0");
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

  private static Optional<Path> socket(Values values) {
    String text = values.text(NetKeys.SOCKET);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (!text.startsWith("/")
        || text.indexOf('\0') >= 0
        || text.getBytes(StandardCharsets.UTF_8).length > MOST_PATH) {
      throw Values.refused(
          "socket: '"
              + Values.shown(text)
              + "' is no absolute path of at most "
              + MOST_PATH
              + " bytes");
    }
    return Optional.of(Path.of(text));
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }
}
