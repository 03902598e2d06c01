package io.isle.core.drivers;

import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.Setting;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The ways to open a device, best first: what is wanted; then the last version of the driver that
 * worked; then the last settings that worked. One thread.
 */
final class OpeningPlan {
  private final DriverHandle driver;
  // Each is looked for only when it is its turn.
  private final Deque<Supplier<Optional<Way>>> others = new ArrayDeque<>();
  private Way current;
  private DeviceSpec good;

  /** A way to open it; the note says what is wrong with it. */
  record Way(DriverHandle driver, DeviceSpec spec, String note) {}

  OpeningPlan(DriverHandle driver) {
    this.driver = driver;
  }

  DriverHandle driver() {
    return driver;
  }

  /** Plans anew, for what is wanted now. */
  void choose(DeviceSpec wanted) {
    others.clear();
    current = new Way(driver, wanted, "");
    others.add(() -> driver.lastGood().map(older -> before(older, wanted)));
    if (good != null && !good.equals(wanted)) {
      Way unchanged = new Way(driver, good, "the last good settings stay in force");
      others.add(() -> Optional.of(unchanged));
    }
  }

  private Way before(DriverHandle older, DeviceSpec wanted) {
    return new Way(
        older,
        fitting(older.info(), wanted),
        older.source() + " runs in the place of " + driver.source());
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
    while (!others.isEmpty()) {
      Optional<Way> other = others.removeFirst().get();
      if (other.isPresent()) {
        Way way = other.get();
        current = new Way(way.driver, way.spec, why + "; " + way.note);
        return true;
      }
    }
    return false;
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
