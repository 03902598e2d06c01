package io.isle.lib.signing;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Algorithms by their ids in files. A signature of a driver is always {@link #HYBRID}; a signature
 * of a model is one of the two hybrid ones.
 */
public enum Algorithm {
  ED25519(0x0001, "Ed25519", 32, 64),
  ML_DSA_44(0x0100, "ML-DSA-44", 1312, 2420),
  ML_DSA_65(0x0101, "ML-DSA-65", 1952, 3309),
  ML_DSA_87(0x0102, "ML-DSA-87", 2592, 4627),
  /** Both must hold: the one for today, the other against quantum computers. */
  HYBRID(0x0200, ED25519, ML_DSA_65),
  /** The same with the largest parameter set. */
  HYBRID_87(0x0201, ED25519, ML_DSA_87);

  private final int id;
  private final String text;
  private final int keyBytes;
  private final int signatureBytes;
  private final Algorithm second;

  Algorithm(int id, String text, int keyBytes, int signatureBytes) {
    this.id = id;
    this.text = text;
    this.keyBytes = keyBytes;
    this.signatureBytes = signatureBytes;
    this.second = null;
  }

  Algorithm(int id, Algorithm first, Algorithm second) {
    this.id = id;
    this.text = first.text + "+" + second.text;
    this.keyBytes = first.keyBytes + second.keyBytes;
    this.signatureBytes = first.signatureBytes + second.signatureBytes;
    this.second = second;
  }

  /** 16 bits, unsigned. */
  public int id() {
    return id;
  }

  /** The id as key files have it, such as {@code 0x0200}. */
  public String idText() {
    return "0x%04x".formatted(id);
  }

  /** The usual name; of the single ones also what {@code java.security} calls it. */
  public String text() {
    return text;
  }

  /** Bytes of a raw public key; of a hybrid one the sum. */
  public int keyBytes() {
    return keyBytes;
  }

  /** Bytes of a signature; of a hybrid one the sum. */
  public int signatureBytes() {
    return signatureBytes;
  }

  /** All hybrid ones. */
  public static List<Algorithm> hybrids() {
    return Arrays.stream(values()).filter(algorithm -> algorithm.second != null).toList();
  }

  /** The algorithm beside Ed25519, of a hybrid one. */
  public Algorithm second() {
    if (second == null) {
      throw new IllegalStateException(text + " is a single algorithm");
    }
    return second;
  }

  /** The name in lower case, such as {@code ml-dsa-65}: the field of a key file. */
  String field() {
    return text.toLowerCase(Locale.ROOT);
  }

  /** Empty for an id that nobody has defined. */
  public static Optional<Algorithm> of(int id) {
    return Arrays.stream(values()).filter(algorithm -> algorithm.id == id).findFirst();
  }
}
