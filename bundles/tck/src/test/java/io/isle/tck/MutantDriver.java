package io.isle.tck;

import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.Driver;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.DriverServices;
import io.isle.drivers.sim.SimDriver;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sim driver with a hook before everything that it says and does. */
final class MutantDriver implements Driver {
  private final Driver real = new SimDriver();
  private final Hook hook;
  private final Driver hooked;

  MutantDriver(Hook hook) {
    this.hook = hook;
    this.hooked = Hook.wrap(Driver.class, new Opener(), hook, new World(null));
  }

  @Override
  public DriverInfo info() {
    return hooked.info();
  }

  @Override
  public List<DeviceSeed> probe() {
    return hooked.probe();
  }

  @Override
  public AccelDevice open(DeviceSeed seed, Map<String, String> settings, DriverServices core) {
    return hooked.open(seed, settings, core);
  }

  /** Opens the real driver and wraps all that belongs to the device. */
  private final class Opener implements Driver {
    @Override
    public DriverInfo info() {
      return real.info();
    }

    @Override
    public List<DeviceSeed> probe() {
      return real.probe();
    }

    @Override
    public AccelDevice open(DeviceSeed seed, Map<String, String> settings, DriverServices core) {
      World world = new World(core);
      CompletionSink sink = Hook.wrap(CompletionSink.class, core.completions(), hook, world);
      DriverServices services =
          Hook.wrap(
              DriverServices.class,
              core,
              (what, args, call, same) ->
                  what.equals("DriverServices.completions")
                      ? sink
                      : hook.on(what, args, call, same),
              world);
      AccelDevice device = real.open(seed, settings, services);
      return Hook.wrap(AccelDevice.class, device, this::follow, world);
    }

    private Object follow(String what, Object[] args, Hook.Real call, World world)
        throws Throwable {
      if (what.equals("AccelDevice.submit")) {
        world.sent.put((Long) args[1], World.Sent.of(args));
      }
      Hook.Real real =
          now -> {
            Object result = call.call(now);
            world.saw(what, now, result);
            return what.equals("AccelDevice.extension")
                ? extension((Class<?>) now[0], result, world)
                : result;
          };
      return hook.on(what, args, real, world);
    }

    private Object extension(Class<?> type, Object result, World world) {
      return ((Optional<?>) result).map(found -> tracked(type, found, world));
    }

    private <T> T tracked(Class<T> type, Object target, World world) {
      return Hook.wrap(
          type,
          type.cast(target),
          (what, args, call, same) ->
              hook.on(
                  what,
                  args,
                  now -> {
                    Object result = call.call(now);
                    world.saw(what, now, result);
                    return result;
                  },
                  world),
          world);
    }
  }
}
