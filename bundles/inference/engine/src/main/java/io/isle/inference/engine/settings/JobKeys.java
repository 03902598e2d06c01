package io.isle.inference.engine.settings;

import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import java.util.List;

/**
 * The file that marks the model of a job as long as the job runs: {@code io.isle.modeljob-NAME}.
 */
public final class JobKeys {
  /** The only key. */
  public static final Setting MODEL =
      Setting.string("sha256", "", "hash of the model; the platform writes it");

  private static final String FACTORY_PID = "io.isle.modeljob";

  @SettingsSchema(pid = FACTORY_PID + "-NAME")
  static final List<Setting> SCHEMA = List.of(MODEL);

  private JobKeys() {}

  /** PID of the mark for a decision. */
  public static String pid(String decision) {
    return FACTORY_PID + "-" + decision;
  }
}
