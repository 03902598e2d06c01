package io.isle.tck;

import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A subject with a hook before everything that its device says and does. */
record MutantSubject(Subject real, Hook hook) implements Subject {
  @Override
  public DriverInfo info() {
    return real.info();
  }

  @Override
  public List<DeviceSeed> probe() {
    return real.probe();
  }

  @Override
  public Opened open(DeviceSeed seed, Map<String, String> settings, Core core) {
    Opened opened = real.open(seed, settings, core);
    World world = new World(null, opened.device());
    AccelDevice device = Hook.wrap(AccelDevice.class, opened.device(), this::follow, world);
    return new Opened(device, opened.commands(), opened.afterClose());
  }

  private Object follow(String what, Object[] args, Hook.Real call, World world) throws Throwable {
    if (!what.equals("AccelDevice.extension")) {
      return hook.on(
          what,
          args,
          now -> {
            Object result = call.call(now);
            world.saw(what, now, result);
            return result;
          },
          world);
    }
    return ((Optional<?>) call.call(args)).map(found -> hooked((Class<?>) args[0], found, world));
  }

  private <T> T hooked(Class<T> type, Object target, World world) {
    return Hook.wrap(type, type.cast(target), hook, world);
  }
}
