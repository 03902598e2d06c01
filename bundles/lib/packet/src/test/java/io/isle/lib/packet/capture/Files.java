package io.isle.lib.packet.capture;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Hand-made files and what a reader says about them. */
final class Files {
  private Files() {}

  static byte[] hex(String... parts) {
    return HexFormat.of().parseHex(String.join("", parts).replace(" ", ""));
  }

  static CaptureReader open(byte[] file) throws IOException {
    return CaptureReader.open(new ByteArrayInputStream(file), "x.pcap");
  }

  /** A line a frame. */
  static List<String> frames(byte[] file) throws IOException {
    List<String> lines = new ArrayList<>();
    try (CaptureReader reader = open(file)) {
      while (reader.next()) {
        byte[] bytes = reader.memory().asSlice(0, reader.length()).toArray(ValueLayout.JAVA_BYTE);
        lines.add(
            reader.number()
                + " "
                + (reader.timeNs() == CaptureReader.NO_TIME ? "-" : reader.timeNs())
                + " "
                + HexFormat.of().formatHex(bytes)
                + "/"
                + reader.wireLength()
                + " link "
                + reader.linkType()
                + " if "
                + reader.interfaceId()
                + (reader.interfaceName().isEmpty() ? "" : " " + reader.interfaceName())
                + (reader.direction() == Direction.UNKNOWN ? "" : " " + reader.direction())
                + (reader.queue() < 0 ? "" : " queue " + reader.queue())
                + (reader.lost() == 0 ? "" : " lost " + reader.lost())
                + (reader.comment().isEmpty() ? "" : " '" + reader.comment() + "'"));
      }
    }
    return lines;
  }
}
