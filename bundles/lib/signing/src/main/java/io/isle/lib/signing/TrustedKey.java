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
 * @param ed25519 the one key
 * @param mlDsa65 the other
 */
public record TrustedKey(KeyInfo info, PublicKey ed25519, PublicKey mlDsa65) {
  private static final String KIND = "isle-public-key";
  private static final List<String> FIELDS =
      List.of(KIND, "name", "not-before", "not-after", "algorithm", "ed25519", "ml-dsa-65");
  private static final int SHOWN = 16;

  /** Longest key file, in bytes. */
  public static final int MAX_BYTES = KeyFields.MAX_BYTES;

  /**
   * Reads a file.
   *
   * @throws SigningException EINVAL naming the line or field that is wrong
   */
  public static TrustedKey parse(byte[] file) {
    KeyFields fields = KeyFields.of(file, FIELDS);
    fields.expect(KIND, "1");
    fields.expect("algorithm", SigningKey.ALGORITHM);
    return new TrustedKey(
        KeyInfo.of(fields),
        key(fields, "ed25519", Algorithm.ED25519),
        key(fields, "ml-dsa-65", Algorithm.ML_DSA_65));
  }

  private static PublicKey key(KeyFields fields, String field, Algorithm algorithm) {
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
        + "algorithm: %s%n".formatted(SigningKey.ALGORITHM)
        + "ed25519: %s%n".formatted(base64.encodeToString(ed25519.getEncoded()))
        + "ml-dsa-65: %s%n".formatted(base64.encodeToString(mlDsa65.getEncoded()));
  }

  /** SHA-256 of both keys in X.509's form, the Ed25519 key first: 64 hexadecimal digits. */
  public String id() {
    MessageDigest digest = Crypto.sha256();
    digest.update(ed25519.getEncoded());
    return HexFormat.of().formatHex(digest.digest(mlDsa65.getEncoded()));
  }

  /** The name and the beginning of the id, for messages. */
  public String label() {
    return info.name() + " (" + shortened(id()) + ")";
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
