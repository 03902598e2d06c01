package io.isle.inference.engine.store;

import java.util.regex.Pattern;

/**
 * A kept file of a model.
 *
 * @param sha256 hash in its header, also the name of the file
 * @param unsigned whether an administrator has accepted it without signatures
 */
public record StoredModel(String sha256, boolean unsigned) {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  /** Refuses what cannot be a file name. */
  public StoredModel {
    if (!isHash(sha256)) {
      throw new IllegalArgumentException("'" + sha256 + "' is no hash of a model");
    }
  }

  static boolean isHash(String text) {
    return HASH.matcher(text).matches();
  }
}
