package io.isle.inference.engine.load;

import io.isle.api.inference.DecisionSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What a file says of itself, before any proof: enough to find the slot that it is for. Pure
 * functions.
 */
public final class ModelPeek {
  /** Bytes before the parameters. */
  public static final int HEADER = 4790;

  private static final int HASH = 36;
  private static final int HASH_END = 68;
  private static final int DECISION = HEADER + 8;
  private static final int DECISION_END = DECISION + 32;

  private ModelPeek() {}

  /** The decision that it claims to be for; empty if there is no such name. */
  public static Optional<String> decision(byte[] file) {
    if (file.length < DECISION_END) {
      return Optional.empty();
    }
    byte[] field = Arrays.copyOfRange(file, DECISION, DECISION_END);
    int length = 0;
    while (length < field.length && field[length] != 0) {
      length++;
    }
    String name = new String(field, 0, length, StandardCharsets.ISO_8859_1);
    return DecisionSpec.NAME.matcher(name).matches() ? Optional.of(name) : Optional.empty();
  }

  /** The hash that it claims to have; empty in a file that is too short. */
  public static Optional<String> sha256(byte[] file) {
    return file.length < HEADER
        ? Optional.empty()
        : Optional.of(HexFormat.of().formatHex(file, HASH, HASH_END));
  }
}
