package io.isle.lib.signing;

import io.isle.api.base.Errno;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.time.LocalDate;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * The public half of a hybrid key, as it stands in a {@code .pub} file. Immutable.
 *
 * @param info name and validity
 * @param algorithm one of {@link Algorithm#hybrids}
 * @param ed25519 the one key
 * @param mlDsa the other
 */
public record TrustedKey(KeyInfo info, Algorithm algorithm, PublicKey ed25519, PublicKey mlDsa) {
  private static final String KIND = "isle-public-key";
  private static final String ED25519 = Algorithm.ED25519.field();
  private static final List<String> FIELDS =
      List.of(KIND, "name", "not-before", "not-after", "algorithm", ED25519);
  private static final int SHOWN = 16;

  /** Longest key file, in bytes. */
  public static final int MAX_BYTES = KeyFields.MAX_BYTES;

  /**
   * Reads a file.
   *
   * @throws SigningException EINVAL naming the line or field that is wrong
   */
  public static TrustedKey parse(byte[] file) {
    List<String> seconds =
        Algorithm.hybrids().stream().map(hybrid -> hybrid.second().field()).toList();
    KeyFields fields = KeyFields.of(file, FIELDS, seconds);
    fields.expect(KIND, "1");
    Algorithm algorithm = fields.hybrid("algorithm");
    fields.requireOnly(algorithm, "");
    return new TrustedKey(
        KeyInfo.of(fields),
        algorithm,
        key(fields, Algorithm.ED25519),
        key(fields, algorithm.second()));
  }

  private static PublicKey key(KeyFields fields, Algorithm algorithm) {
    String field = algorithm.field();
    byte[] encoded = fields.base64(field);
    try {
      return Crypto.publicKey(algorithm, encoded);
    } catch (SigningException e) {
      throw new SigningException(e.code(), field + ": " + e.getMessage(), e);
    }
  }

  /** The file's contents. */
  public String text() {
    Base64.Encoder base64 = Base64.getEncoder();
    return KIND
        + ": 1%n".formatted()
        + info.text()
        + "algorithm: %s%n".formatted(algorithm.idText())
        + "%s: %s%n".formatted(ED25519, base64.encodeToString(ed25519.getEncoded()))
        + "%s: %s%n"
            .formatted(algorithm.second().field(), base64.encodeToString(mlDsa.getEncoded()));
  }

  /** The Ed25519 key as RFC 8032 has it. */
  public byte[] rawEd25519() {
    return Crypto.raw(Algorithm.ED25519, ed25519);
  }

  /** The ML-DSA key as FIPS 204 has it. */
  public byte[] rawMlDsa() {
    return Crypto.raw(algorithm.second(), mlDsa);
  }

  /** SHA-256 of both keys in X.509's form, the Ed25519 key first: 64 hexadecimal digits. */
  public String id() {
    MessageDigest digest = Crypto.sha256();
    digest.update(ed25519.getEncoded());
    return HexFormat.of().formatHex(digest.digest(mlDsa.getEncoded()));
  }

  /** The name and the beginning of the id, for messages. */
  public String label() {
    return info.name() + " (" + shortened(id()) + ")";
  }

  /**
   * Refuses a key of another algorithm.
   *
   * @param use what needs the algorithm, for the message
   * @throws SigningException EACCES
   */
  public void require(Algorithm needed, String use) {
    if (algorithm != needed) {
      throw new SigningException(
          Errno.EACCES,
          "key " + label() + " is of " + algorithm.text() + ", but " + use + " " + needed.text());
    }
  }

  /** As much of an id as messages show. */
  static String shortened(String id) {
    return id.substring(0, SHOWN);
  }

  /**
   * Whether the key counts on a day.
   *
   * @throws SigningException EACCES saying since when or from when on it does not
   */
  public void requireValid(LocalDate today) {
    if (today.isAfter(info.notAfter())) {
      throw new SigningException(
          Errno.EACCES, "key " + label() + " has expired: not-after is " + info.notAfter());
    }
    if (today.isBefore(info.notBefore())) {
      throw new SigningException(
          Errno.EACCES, "key " + label() + " is not valid yet: not-before is " + info.notBefore());
    }
  }
}
