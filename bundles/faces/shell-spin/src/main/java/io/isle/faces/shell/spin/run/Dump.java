package io.isle.faces.shell.spin.run;

import io.isle.api.spin.MemoryRegion;
import io.isle.faces.shell.ShellException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A region that goes to a file at the end of a run. */
record Dump(MemoryRegion region, Path file) {
  private static final int PART = 1 << 16;

  /**
   * Reads {@code host:FILE}.
   *
   * @param path makes the file absolute
   */
  static Dump of(String text, Function<String, Path> path) {
    int colon = text.indexOf(':');
    for (MemoryRegion region : MemoryRegion.values()) {
      if (colon > 0 && text.substring(0, colon).equals(region.text())) {
        return new Dump(region, path.apply(text.substring(colon + 1)));
      }
    }
    throw ShellException.usage(
        "--dump '%s' is not REGION:FILE with one of the regions %s"
            .formatted(
                text,
                Arrays.stream(MemoryRegion.values())
                    .map(MemoryRegion::text)
                    .collect(Collectors.joining(", "))));
  }

  void write(MemorySegment bytes) throws IOException {
    byte[] part = new byte[PART];
    try (OutputStream stream = Files.newOutputStream(file)) {
      for (long at = 0; at < bytes.byteSize(); at += PART) {
        int length = (int) Math.min(PART, bytes.byteSize() - at);
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, part, 0, length);
        stream.write(part, 0, length);
      }
    }
  }
}
