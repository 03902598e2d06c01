package io.isle.api.driver;

import io.isle.api.base.Setting;
import java.util.List;

/**
 * The description of a driver.
 *
 * @param name {@code [a-z][a-z0-9]{0,15}}, not ending with a digit; a device id is the name and a
 *     number
 * @param version free text, at most 47 characters
 * @param kabi version of the driver ABI, major in the upper 16 bits
 * @param settings schema of the settings of its devices
 * @param nativeCode true for a shared library, which may run in a process of its own (tier 2)
 */
public record DriverInfo(
    String name, String version, int kabi, List<Setting> settings, boolean nativeCode) {
  /** The driver ABI of this core: 1.0. */
  public static final int KABI = 1 << 16;

  public DriverInfo {
    settings = List.copyOf(settings);
  }
}
