package io.isle.lib.model.verify;

import io.isle.lib.signing.Algorithm;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/** A line of a file of {@code vectors}. */
record Vector(
    String id,
    Algorithm algorithm,
    byte[] key,
    byte[] message,
    byte[] signature,
    byte[] context,
    boolean valid) {

  static List<Vector> of(String file) {
    try (InputStream raw = Vector.class.getResourceAsStream("/vectors/" + file);
        InputStream in = file.endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .map(line -> line(line.split(" ", -1)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Vector line(String[] parts) {
    Algorithm algorithm =
        Arrays.stream(Algorithm.values())
            .filter(each -> each.text().toLowerCase(Locale.ROOT).equals(parts[1]))
            .findFirst()
            .orElseThrow();
    return new Vector(
        parts[0],
        algorithm,
        hex(parts[2]),
        hex(parts[3]),
        hex(parts[4]),
        hex(parts[5]),
        parts[6].equals("valid"));
  }

  private static byte[] hex(String text) {
    return text.equals("-") ? new byte[0] : HexFormat.of().parseHex(text);
  }

  Verdict verdict() {
    return SignatureCheck.verify(algorithm, key, message, signature, context);
  }
}
