package io.isle.api.net;

import java.util.Optional;

/**
 * One setting of an interface or of the loopback.
 *
 * @param interfaceName the interface that has the setting
 * @param setting its name, as sysctl and ethtool say it
 * @param is the value now; empty where the setting does not exist
 * @param wanted the value for nets, or at the end of a configuration the one from before
 * @param persistent whether the value is set again after a restart of the machine
 * @param unsupported what lacks the setting, for example a driver; then nothing is wanted
 * @param action what was done; empty after a check
 */
public record ConfiguredSetting(
    ConfigureStage stage,
    String interfaceName,
    String setting,
    String is,
    String wanted,
    boolean persistent,
    Optional<String> unsupported,
    String action) {
  /** Whether the setting is as wanted, or cannot be. */
  public boolean isFine() {
    return unsupported.isPresent() || is.equals(wanted);
  }
}
