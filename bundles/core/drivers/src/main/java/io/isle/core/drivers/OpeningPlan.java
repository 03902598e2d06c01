package io.isle.core.drivers;

import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.Setting;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The ways to open a device, best first: what is wanted; then the last version of the driver that
 * worked; then the last settings that worked. One thread.
 */
final class OpeningPlan {
  private final DriverHandle driver;
  private final Deque<Way> others = new ArrayDeque<>();
  private Way current;
  private DeviceSpec good;

  /** A way to open it; the note says what is wrong with it. */
  record Way(DriverHandle driver, DeviceSpec spec, String note) {}

  OpeningPlan(DriverHandle driver) {
    this.driver = driver;
  }

  /** Plans anew, for what is wanted now. */
  void choose(DeviceSpec wanted) {
    others.clear();
    current = new Way(driver, wanted, "");
    driver
        .lastGood()
        .ifPresent(
            older ->
                others.add(
                    new Way(
                        older,
                        fitting(older.info(), wanted),
                        older.source() + " runs in the place of " + driver.source())));
    if (good != null && !good.equals(wanted)) {
      others.add(new Way(driver, good, "the last good settings stay in force"));
    }
  }

  /** Whether another version than the bundle's is the current one. */
  boolean isFallback() {
    return current.driver != driver;
  }

  Way current() {
    return current;
  }

  /** The current way failed for good; whether there is another, which is the current one now. */
  boolean next(String why) {
    Optional<Way> other = Optional.ofNullable(others.pollFirst());
    other.ifPresent(way -> current = new Way(way.driver, way.spec, why + "; " + way.note));
    return other.isPresent();
  }

  /** The current way worked; it is the only one until the next choice. */
  void worked() {
    current.driver.proven();
    good = current.spec;
    others.clear();
  }

  /** The spec in the terms of another version's settings. */
  private static DeviceSpec fitting(DriverInfo version, DeviceSpec spec) {
    Map<String, String> settings = new HashMap<>();
    for (Setting setting : version.settings()) {
      String value = spec.settings().get(setting.key());
      boolean fits = value != null && setting.refusal(value).isEmpty();
      settings.put(setting.key(), fits ? value : setting.normalise(setting.defaultValue()));
    }
    return new DeviceSpec(spec.id(), spec.seed(), spec.tier(), spec.enabled(), settings);
  }
}
