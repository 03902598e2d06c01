package io.isle.lib.signing;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * What is signed of a bundle of handlers: a {@link DriverStatement} with the profile {@link
 * #PROFILE}, whose hash is of the header and of the hash of each image, in their order.
 */
public final class HandlerStatements {
  /** The header that names images, and what they are for. */
  public static final String HEADER = "Isle-Handlers";

  /** No sandbox has this name. */
  public static final String PROFILE = "handlers";

  private HandlerStatements() {}

  /**
   * The statement of a bundle.
   *
   * @param header value of {@link #HEADER}
   * @param images bytes of its {@link #entries}
   * @throws SigningException EINVAL for a bad name or version
   */
  public static DriverStatement of(
      String name, String version, String header, List<byte[]> images) {
    MessageDigest all = digest();
    all.update(digest().digest(header.strip().getBytes(StandardCharsets.UTF_8)));
    for (byte[] image : images) {
      all.update(digest().digest(image));
    }
    return new DriverStatement(name, version, PROFILE, HexFormat.of().formatHex(all.digest()));
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** The entries that a header names. */
  public static List<String> entries(String header) {
    return parts(header, ',').stream().map(clause -> parts(clause, ';').getFirst()).toList();
  }

  /** Parts between separators that stand outside of quotes; an open quote reaches to the end. */
  public static List<String> parts(String text, char separator) {
    List<String> parts = new ArrayList<>();
    boolean quoted = false;
    int begin = 0;
    for (int i = 0; i < text.length(); i++) {
      char at = text.charAt(i);
      quoted ^= at == '"';
      if (at == separator && !quoted) {
        parts.add(text.substring(begin, i).strip());
        begin = i + 1;
      }
    }
    parts.add(text.substring(begin).strip());
    return parts;
  }
}
