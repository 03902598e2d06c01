package io.isle.spin.nic.manage;

import io.isle.api.base.ConfigFiles;
import java.util.function.BooleanSupplier;

/**
 * The setting {@code signatures} of drivers, as drivers read it: a value that cannot be counts as
 * required at first, and changes nothing later.
 */
public final class SignatureSetting implements BooleanSupplier {
  private static final String PID = "io.isle.drivers";
  private static final String KEY = "signatures";
  private static final String OFF = "off";
  private static final String REQUIRED = "required";

  private final ConfigFiles files;
  private boolean required = true;

  public SignatureSetting(ConfigFiles files) {
    this.files = files;
  }

  @Override
  public synchronized boolean getAsBoolean() {
    String value =
        files.read(PID).map(settings -> settings.getOrDefault(KEY, OFF)).orElse(OFF).strip();
    if (value.equals(OFF)) {
      required = false;
    } else if (value.equals(REQUIRED)) {
      required = true;
    }
    return required;
  }
}
