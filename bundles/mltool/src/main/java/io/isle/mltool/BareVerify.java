package io.isle.mltool;

import io.isle.lib.model.verify.SignatureCheck;
import io.isle.lib.model.verify.Verdict;
import io.isle.lib.signing.Algorithm;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@code verify --alg ALGORITHM --key HEX --msg HEX --sig HEX [--ctx HEX]}: one signature by a raw
 * public key. Exit code 0 only if it is valid.
 */
final class BareVerify {
  private static final String ALG = "--alg";
  private static final String KEY = "--key";
  private static final String MESSAGE = "--msg";
  private static final String SIGNATURE = "--sig";
  private static final String CONTEXT = "--ctx";

  /** All have a value. */
  static final Set<String> OPTIONS = Set.of(ALG, KEY, MESSAGE, SIGNATURE, CONTEXT);

  /** By the names on the command line. */
  static final Map<String, Algorithm> ALGORITHMS =
      Map.of(
          "ed25519", Algorithm.ED25519,
          "ml-dsa-44", Algorithm.ML_DSA_44,
          "ml-dsa-65", Algorithm.ML_DSA_65,
          "ml-dsa-87", Algorithm.ML_DSA_87);

  /** For messages: the names. */
  static final String NAMES = "ed25519, ml-dsa-44, ml-dsa-65 or ml-dsa-87";

  private BareVerify() {}

  static int run(Words words, Tool tool) {
    if (!words.others().isEmpty()) {
      throw new UsageException("verify " + ALG + " takes no file");
    }
    Algorithm algorithm = ALGORITHMS.get(words.needed(ALG));
    if (algorithm == null) {
      throw new UsageException(ALG + ": '" + words.needed(ALG) + "' is not " + NAMES);
    }
    if (algorithm == Algorithm.ED25519 && words.has(CONTEXT)) {
      throw new UsageException(CONTEXT + ": ed25519 has no context");
    }
    byte[] key = hex(KEY, words.needed(KEY));
    byte[] message = hex(MESSAGE, words.needed(MESSAGE));
    byte[] signature = hex(SIGNATURE, words.needed(SIGNATURE));
    byte[] context = hex(CONTEXT, words.value(CONTEXT).orElse(""));
    Verdict verdict = SignatureCheck.verify(algorithm, key, message, signature, context);
    tell(tool, verdict);
    return verdict.valid() ? 0 : 1;
  }

  private static void tell(Tool tool, Verdict verdict) {
    if (!tool.json()) {
      tool.out().println(verdict.text());
      return;
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("valid", verdict.valid());
    fields.put("reason", verdict.text());
    tool.out().println(Json.object(fields));
  }

  private static byte[] hex(String option, String text) {
    return bytes(text)
        .orElseThrow(
            () -> new UsageException(option + ": the value is not pairs of hexadecimal digits"));
  }

  /** The bytes of hexadecimal digits in pairs, or nothing. */
  static Optional<byte[]> bytes(String text) {
    try {
      return Optional.of(HexFormat.of().parseHex(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
