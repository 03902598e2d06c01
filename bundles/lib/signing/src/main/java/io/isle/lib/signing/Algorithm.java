package io.isle.lib.signing;

import java.util.Arrays;
import java.util.Optional;

/** Algorithms by their ids in files; a driver's signature is always {@link #HYBRID}. */
public enum Algorithm {
  ED25519(0x0001, "Ed25519"),
  ML_DSA_44(0x0100, "ML-DSA-44"),
  ML_DSA_65(0x0101, "ML-DSA-65"),
  /** Both must hold: the one for today, the other against quantum computers. */
  HYBRID(0x0200, "Ed25519+ML-DSA-65");

  private final int id;
  private final String text;

  Algorithm(int id, String text) {
    this.id = id;
    this.text = text;
  }

  /** 16 bits, unsigned. */
  public int id() {
    return id;
  }

  /** The usual name; of the single ones also what {@code java.security} calls it. */
  public String text() {
    return text;
  }

  /** Empty for an id that nobody has defined. */
  public static Optional<Algorithm> of(int id) {
    return Arrays.stream(values()).filter(algorithm -> algorithm.id == id).findFirst();
  }
}
