package io.isle.tck;

import io.isle.api.base.Setting;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Who a driver is; open and close. */
final class LifeCycleCases {
  /** A thread that was joined is gone from the system's list a little later. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private LifeCycleCases() {}

  static List<Case> all() {
    return List.of(
        Case.of("life/driver-info-constant", LifeCycleCases::driverInfo),
        Case.of("life/settings-schema", LifeCycleCases::schema),
        Case.of("life/probe-names", LifeCycleCases::probe),
        Case.of("life/device-info-sane", LifeCycleCases::deviceInfo),
        Case.of("life/device-info-constant", LifeCycleCases::constant),
        Case.of("life/open-again", LifeCycleCases::reopen),
        Case.of("life/alive", rig -> Check.that(rig.device().alive(), "alive() is false")),
        Case.of("life/close-ends-work", LifeCycleCases::closeEnds),
        Case.of("life/close-joins-threads", LifeCycleCases::threads));
  }

  private static void driverInfo(Rig rig) {
    DriverInfo first = rig.subject().info();
    Check.that(first.name().matches("[a-z]([a-z0-9]{0,14}[a-z])?"), "name " + first.name());
    Check.that(first.version().length() <= 47, "version has more than 47 characters");
    Check.equal(DriverInfo.KABI >>> 16, first.kabi() >>> 16, "major version of the ABI");
    Check.equal(first, rig.subject().info(), "a second info()");
  }

  private static void schema(Rig rig) {
    Set<String> keys = new HashSet<>(List.of("driver", "tier", "enabled", "isolation"));
    for (Setting setting : rig.subject().info().settings()) {
      Check.that(setting.key().matches("[a-z][a-z0-9_]*"), "key " + setting.key());
      Check.that(keys.add(setting.key()), "key " + setting.key() + " is reserved or given twice");
      Check.that(
          setting.refusal(setting.defaultValue()).isEmpty(),
          "the default of " + setting.key() + " is not valid");
    }
  }

  private static void probe(Rig rig) {
    Set<String> names = new HashSet<>();
    for (DeviceSeed seed : rig.subject().probe()) {
      Check.that(
          !seed.name().isEmpty() && seed.name().length() <= 63, "seed name '" + seed.name() + "'");
      Check.that(names.add(seed.name()), "seed " + seed.name() + " is given twice");
    }
  }

  private static void deviceInfo(Rig rig) {
    DeviceInfo info = rig.device().info();
    Check.that(info.computeUnits() >= 1, "compute units: " + info.computeUnits());
    Check.that(info.maxContexts() >= 1, "contexts: " + info.maxContexts());
    Check.that(info.localMemoryBytes() >= 0, "memory: " + info.localMemoryBytes());
    Check.that(info.maxCommandBytes() >= 256, "command bytes: " + info.maxCommandBytes());
  }

  private static void constant(Rig rig) {
    DeviceInfo first = rig.device().info();
    long context = rig.context();
    rig.success(context, rig.noop(context), "a no-op");
    Check.equal(first, rig.device().info(), "info() after some work");
  }

  private static void reopen(Rig rig) {
    long context = rig.context();
    rig.success(context, rig.noop(context), "a no-op");
    rig.closeDevice();
    rig.open();
    long again = rig.context();
    rig.success(again, rig.noop(again), "a no-op after open, close, open");
  }

  private static void closeEnds(Rig rig) {
    long context = rig.context();
    Rig.Sub running = rig.submit(context, rig.busy(context));
    Rig.Sub queued = rig.submit(context, rig.busy(context));
    Core core = rig.core();
    rig.closeDevice();
    for (Rig.Sub sub : List.of(running, queued)) {
      Check.equal(0, sub.code(), "the result of submit");
      Check.equal(1, core.told(sub.tag()).size(), "completions of work in flight after close()");
      Check.that(core.told(sub.tag()).getFirst().status() != 0, "work that was cut off succeeded");
    }
  }

  private static void threads(Rig rig) {
    rig.closeDevice();
    Threads before = Threads.now();
    rig.open();
    long context = rig.context();
    rig.success(context, rig.noop(context), "a no-op");
    rig.closeDevice();
    String left = Threads.leftSince(before, GRACE);
    Check.that(left.isEmpty(), "after close() the process still has " + left);
  }
}
