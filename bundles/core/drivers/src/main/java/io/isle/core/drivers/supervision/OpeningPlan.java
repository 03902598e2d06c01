package io.isle.core.drivers.supervision;

import io.isle.api.base.Setting;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverInfo;
import io.isle.core.drivers.driver.DriverHandle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ways to open a device, best first: what is wanted; that with the last version of the driver
 * that worked; then the last settings that worked, with either version. One thread.
 */
final class OpeningPlan {
  private static final Logger LOG = LoggerFactory.getLogger(OpeningPlan.class);

  // Each is looked for only when it is its turn.
  private final Deque<Supplier<Optional<Way>>> others = new ArrayDeque<>();
  private DriverHandle driver;
  private DeviceSpec wanted;
  private Way current;
  // In terms of the driver's own version.
  private DeviceSpec good;
  // The driver's own version opened this device: what it refuses now is no reason to leave it.
  private boolean works;

  /**
   * A way to open it.
   *
   * @param asked settings as the driver's own version knows them
   * @param spec the same in terms of {@code version}
   * @param why what was wrong with the way before; empty for the first
   */
  private record Way(DriverHandle version, DeviceSpec asked, DeviceSpec spec, String why) {
    Way after(String failure) {
      return new Way(version, asked, spec, failure);
    }
  }

  /** The newest version of the driver; null before {@link #driver(DriverHandle)}. */
  DriverHandle driver() {
    return driver;
  }

  /** Another version came: the next choice is about that one. */
  void driver(DriverHandle next) {
    driver = next;
    good = null;
    works = false;
  }

  /** Plans anew, for what is wanted now. */
  void choose(DeviceSpec spec) {
    wanted = spec;
    current = new Way(driver, spec, spec, "");
    others.clear();
    others.add(() -> older(spec));
    if (good != null && !good.equals(spec)) {
      DeviceSpec before = good;
      others.add(() -> Optional.of(new Way(driver, before, before, "")));
      others.add(() -> older(before));
    }
  }

  private Optional<Way> older(DeviceSpec asked) {
    if (works) {
      return Optional.empty();
    }
    return driver
        .versions()
        .lastGood()
        .map(last -> new Way(last, asked, fitting(last.info(), asked), ""));
  }

  /** The version of the driver to open it with. */
  DriverHandle version() {
    return current.version;
  }

  /** The settings to open it with. */
  DeviceSpec spec() {
    return current.spec;
  }

  /** Why another version than the bundle's own is the current one; empty if none is. */
  String rollback() {
    return current.version == driver
        ? driver.note()
        : current.why + "; " + current.version.source() + " runs instead of " + driver.source();
  }

  /** In what the current way differs from what was asked for, and why; empty if in nothing. */
  String note() {
    if (current.asked.equals(wanted)) {
      return current.version == driver ? "" : rollback();
    }
    String settings = "the last good settings stay in force instead of " + refused();
    return (current.version == driver ? current.why : rollback()) + "; " + settings;
  }

  private Map<String, String> refused() {
    Map<String, String> refused = new TreeMap<>(wanted.settings());
    refused.entrySet().removeAll(current.asked.settings().entrySet());
    if (wanted.tier() != current.asked.tier()) {
      refused.put("tier", Integer.toString(wanted.tier()));
    }
    if (wanted.isolation() != current.asked.isolation()) {
      refused.put("isolation", wanted.isolation().text());
    }
    return refused;
  }

  /** The current way failed for good; whether there is another, which is the current one now. */
  boolean next(String failure) {
    while (!others.isEmpty()) {
      Optional<Way> other = found(others.removeFirst());
      if (other.isPresent()) {
        current = other.get().after(failure);
        return true;
      }
    }
    return false;
  }

  /** A way that cannot be looked for is none: the device is to end in some way. */
  private static Optional<Way> found(Supplier<Optional<Way>> way) {
    try {
      return way.get();
    } catch (RuntimeException | Error e) {
      LOG.error(
          "the search for another driver version or other settings failed because of a defect", e);
      return Optional.empty();
    }
  }

  /** The current way worked; it is the only one until the next choice. */
  void worked() {
    works |= current.version == driver;
    good = current.asked;
    others.clear();
    current.version.versions().proven();
  }

  /** The spec in the terms of another version's settings. */
  private static DeviceSpec fitting(DriverInfo version, DeviceSpec spec) {
    Map<String, String> settings = new HashMap<>();
    for (Setting setting : version.settings()) {
      String value = spec.settings().get(setting.key());
      boolean fits = value != null && setting.refusal(value).isEmpty();
      settings.put(setting.key(), fits ? value : setting.normalise(setting.defaultValue()));
    }
    return new DeviceSpec(
        spec.id(), spec.seed(), spec.tier(), spec.enabled(), spec.isolation(), settings);
  }
}
