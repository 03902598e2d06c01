package io.isle.inference.engine.store;

import java.util.regex.Pattern;

/**
 * The model of a job that runs.
 *
 * @param sha256 hash in its header, also the name of the file
 * @param platform the start of the platform that the job belongs to
 * @param owner number of the job's resource, as long as the platform runs
 * @param key text of the file of the key that counts for the model
 */
public record StoredJob(String sha256, String platform, int owner, String key) {
  private static final Pattern WORD = Pattern.compile("[\\x21-\\x7e]{1,64}");

  /** Refuses what cannot be a file name or a word. */
  public StoredJob {
    if (!StoredModel.isHash(sha256)) {
      throw new IllegalArgumentException("'" + sha256 + "' is no hash of a model");
    }
    if (!WORD.matcher(platform).matches()) {
      throw new IllegalArgumentException("'" + platform + "' is no start of the platform");
    }
  }

  /** The file of the model. */
  public StoredModel model() {
    return new StoredModel(sha256, false);
  }
}
