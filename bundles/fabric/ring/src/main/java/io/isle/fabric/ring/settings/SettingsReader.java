package io.isle.fabric.ring.settings;

import io.isle.api.base.CheckedSettings;
import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingRole;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Checks the values of a file, each on its own and together. */
final class SettingsReader {
  private static final long NS_PER_MS = 1_000_000;
  private static final long NS_PER_US = 1_000;
  private static final int MOST_LISTEN = 4;

  private final CheckedSettings values;

  SettingsReader(Map<String, String> given) {
    for (String key : given.keySet()) {
      if (NodeKeys.SCHEMA.stream().noneMatch(setting -> setting.key().equals(key))) {
        throw refused(
            "'"
                + shown(key)
                + "' is not a key of a node; the keys are "
                + NodeKeys.SCHEMA.stream().map(Setting::key).collect(Collectors.joining(", ")));
      }
    }
    values =
        CheckedSettings.defaults(NodeKeys.SCHEMA)
            .change(
                given,
                why -> {
                  throw refused(why.substring(0, why.lastIndexOf("; ")));
                });
  }

  NodeSettings read() {
    RingRole role = RingRole.valueOf(values.text(NodeKeys.ROLE).toUpperCase(Locale.ROOT));
    int packet = packetBytes();
    int layers = (int) values.number(NodeKeys.LAYERS);
    return new NodeSettings(
        name(NodeKeys.RING),
        role,
        packet,
        layers,
        range(role, layers),
        name(NodeKeys.STAGE),
        listen(),
        address(NodeKeys.NEXT, values.text(NodeKeys.NEXT)),
        dialect(NodeKeys.PREV_DIALECT),
        dialect(NodeKeys.NEXT_DIALECT),
        values.text(NodeKeys.PREV_ADDRESS),
        list(NodeKeys.ALLOW),
        values.flag(NodeKeys.PLAINTEXT),
        new NodeSettings.Waits(
            values.number(NodeKeys.SPIN) * NS_PER_US,
            values.number(NodeKeys.PARK) * NS_PER_MS,
            values.number(NodeKeys.FRAME_TIMEOUT) * NS_PER_MS),
        new NodeSettings.Buffers(
            (int) values.number(NodeKeys.BUFFER_BYTES), reassemblyBytes(packet)),
        new NodeSettings.Isle(
            (int) values.number(NodeKeys.WINDOW),
            (int) values.number(NodeKeys.HEARTBEAT),
            values.number(NodeKeys.STALL) * NS_PER_MS),
        place(role));
  }

  private NodeSettings.Place place(RingRole role) {
    boolean own = values.text(NodeKeys.PROCESS).equals("own");
    if (own && role == RingRole.MASTER) {
      throw refused(
          "process: own is for workers, tails and relays; a master runs in the process of its"
              + " tenant: set process = shared");
    }
    return new NodeSettings.Place(own, own ? values.number(NodeKeys.HEAP_BYTES) : 0);
  }

  private int packetBytes() {
    long dim = values.number(NodeKeys.DIM);
    long bytes = values.number(NodeKeys.PACKET_BYTES);
    if (dim > 0 && bytes > 0 && bytes != 8 + 4 * dim) {
      throw refused("dim and packet_bytes: " + dim + " and " + bytes + "; set one of both");
    }
    if (dim == 0 && bytes == 0) {
      throw refused("dim: missing; set dim, or packet_bytes");
    }
    long packet = bytes > 0 ? bytes : 8 + 4 * dim;
    if (packet > NodeSettings.MAX_PACKET) {
      throw new RingException(
          Errno.EMSGSIZE,
          "dim: "
              + dim
              + " needs packets of "
              + packet
              + " bytes; at most "
              + NodeSettings.MAX_PACKET
              + " are possible");
    }
    return (int) packet;
  }

  private LayerRange range(RingRole role, int layers) {
    int start = (int) values.number(NodeKeys.START);
    int end = (int) values.number(NodeKeys.END);
    if (end < start) {
      throw refused("end: " + end + " is less than start, " + start);
    }
    if (layers > 0 && end > layers) {
      throw refused("end: " + end + " is beyond layers, " + layers);
    }
    return new LayerRange(start, end, role == RingRole.TAIL);
  }

  private long reassemblyBytes(int packet) {
    long bytes = values.number(NodeKeys.REASSEMBLY_BYTES);
    if (bytes < packet) {
      throw refused("reassembly_bytes: " + bytes + " is less than a packet, " + packet);
    }
    return bytes;
  }

  private String name(Setting setting) {
    String text = values.text(setting);
    if (!text.matches(RingNodeInfo.NAME)) {
      throw refused(
          setting.key()
              + ": '"
              + shown(text)
              + "' is not a name of 1 to 32 letters, digits, . _ -");
    }
    return text;
  }

  private List<PathAddress> listen() {
    List<String> parts = list(NodeKeys.LISTEN);
    int most = dialect(NodeKeys.PREV_DIALECT) == Dialect.ISLE ? MOST_LISTEN : 1;
    if (parts.size() > most) {
      throw refused(
          "listen: "
              + parts.size()
              + " addresses; dialect leap takes one, dialect isle "
              + MOST_LISTEN
              + ", see prev.dialect");
    }
    return parts.isEmpty()
        ? List.of(address(NodeKeys.LISTEN, ""))
        : parts.stream().map(part -> address(NodeKeys.LISTEN, part)).toList();
  }

  private PathAddress address(Setting setting, String text) {
    if (text.isEmpty()) {
      throw refused(setting.key() + ": missing; an address such as tcp://127.0.0.1:9999");
    }
    try {
      return PathAddress.of(text);
    } catch (IllegalArgumentException e) {
      throw refused(setting.key() + ": " + e.getMessage());
    }
  }

  private Dialect dialect(Setting setting) {
    return Dialect.valueOf(values.text(setting).toUpperCase(Locale.ROOT));
  }

  private List<String> list(Setting setting) {
    return Arrays.stream(values.text(setting).split(","))
        .map(String::strip)
        .filter(part -> !part.isEmpty())
        .toList();
  }

  private static String shown(String text) {
    return text.length() > 60 ? text.substring(0, 60) + "..." : text;
  }

  private static RingException refused(String why) {
    return new RingException(Errno.EINVAL, why);
  }
}
