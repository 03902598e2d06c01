package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.device.DeviceClass;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Mutants of {@link LifeCycleCases}. */
final class LifeCycleMutants {
  private LifeCycleMutants() {}

  static void add(Mutants to) {
    to.add(
        "life/driver-info-constant",
        () -> {
          AtomicInteger asked = new AtomicInteger();
          return (what, args, real, world) -> {
            Object result = real.call(args);
            return what.equals("Driver.info")
                ? version((DriverInfo) result, "1." + asked.incrementAndGet())
                : result;
          };
        });
    to.add(
        "life/settings-schema",
        () ->
            (what, args, real, world) ->
                switch (what) {
                  case "Driver.info" -> withTier((DriverInfo) real.call(args));
                  case "Driver.open" -> real.call(args[0], without(args[1], "tier"), args[2]);
                  default -> real.call(args);
                });
    to.result(
        "life/probe-names",
        "Driver.probe",
        seeds -> List.of(new DeviceSeed("a", "", ""), new DeviceSeed("a", "", "")));
    to.result("life/device-info-sane", "AccelDevice.info", info -> units((DeviceInfo) info, 0));
    to.add("life/device-info-constant", LifeCycleMutants::changing);
    to.add("life/open-again", LifeCycleMutants::once);
    to.result("life/alive", "AccelDevice.alive", alive -> false);
    to.loseDuring("life/close-ends-work", "AccelDevice.close");
    to.on("life/close-joins-threads", "AccelDevice.close", LifeCycleMutants::leakThread);
  }

  private static DriverInfo version(DriverInfo info, String version) {
    return new DriverInfo(info.name(), version, info.kabi(), info.settings(), info.nativeCode());
  }

  private static DriverInfo withTier(DriverInfo info) {
    List<Setting> settings = new ArrayList<>(info.settings());
    settings.add(Setting.integer("tier", 1, 2, 1, "taken by the core"));
    return new DriverInfo(info.name(), info.version(), info.kabi(), settings, false);
  }

  private static Object without(Object settings, String key) {
    Map<Object, Object> rest = new HashMap<>((Map<?, ?>) settings);
    rest.remove(key);
    return rest;
  }

  private static DeviceInfo units(DeviceInfo info, int units) {
    return new DeviceInfo(
        info.deviceClass(),
        units,
        info.localMemoryBytes(),
        info.maxContexts(),
        info.preemption(),
        info.maxCommandBytes(),
        info.memoryTypes(),
        false,
        false,
        false,
        false);
  }

  /** Another class once there was work. */
  private static Hook changing() {
    AtomicBoolean worked = new AtomicBoolean();
    return (what, args, real, world) -> {
      if (what.equals("AccelDevice.submit")) {
        worked.set(true);
      }
      Object result = real.call(args);
      if (!what.equals("AccelDevice.info") || !worked.get()) {
        return result;
      }
      DeviceInfo info = (DeviceInfo) result;
      return new DeviceInfo(
          DeviceClass.OTHER,
          info.computeUnits(),
          info.localMemoryBytes(),
          info.maxContexts(),
          info.preemption(),
          info.maxCommandBytes(),
          info.memoryTypes(),
          false,
          false,
          false,
          false);
    };
  }

  /** A device that has worked cannot be opened again. */
  private static Hook once() {
    AtomicBoolean worked = new AtomicBoolean();
    return (what, args, real, world) -> {
      if (what.equals("AccelDevice.submit")) {
        worked.set(true);
      }
      if (what.equals("Driver.open") && worked.get()) {
        throw new DriverException(Errno.EBUSY, "open already");
      }
      return real.call(args);
    };
  }

  private static Object leakThread(String what, Object[] args, Hook.Real real, World world)
      throws Throwable {
    CountDownLatch never = new CountDownLatch(1);
    Thread leak =
        new Thread(
            () -> {
              try {
                boolean ignored = never.await(2, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "leaked-by-a-mutant");
    leak.setDaemon(true);
    leak.start();
    return real.call(args);
  }
}
