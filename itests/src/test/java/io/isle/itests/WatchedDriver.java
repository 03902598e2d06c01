package io.isle.itests;

import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.Driver;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.DriverServices;
import io.isle.drivers.sim.SimDriver;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** The simulated device's driver, which notices control calls that overlap. */
final class WatchedDriver implements Driver {
  /** Methods of a device that are data calls, and may run beside a control call. */
  private static final Set<String> DATA = Set.of("submit", "poll", "preempt", "alive");

  /** How long each control call takes at least: what can overlap shall. */
  private static final long CALL_NS = 200_000;

  private final SimDriver sim = new SimDriver();
  final ConcurrentLinkedQueue<String> overlaps = new ConcurrentLinkedQueue<>();

  /** Names of control calls that were made. */
  final Set<String> made = ConcurrentHashMap.newKeySet();

  private volatile DriverServices services;

  @Override
  public DriverInfo info() {
    return sim.info();
  }

  @Override
  public List<DeviceSeed> probe() {
    return sim.probe();
  }

  @Override
  public AccelDevice open(DeviceSeed seed, Map<String, String> settings, DriverServices core) {
    services = core;
    AtomicReference<String> inside = new AtomicReference<>();
    return watched(AccelDevice.class, sim.open(seed, settings, core), inside);
  }

  /** The device that was opened last is lost. */
  void lose() {
    services.lost("planned");
  }

  private <T> T watched(Class<T> type, T device, AtomicReference<String> inside) {
    Object watched =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> {
              if (type == AccelDevice.class && DATA.contains(method.getName())) {
                return call(method, device, args);
              }
              String mine = method.getName() + " on " + Thread.currentThread().getName();
              String other = inside.getAndSet(mine);
              if (other != null) {
                overlaps.add(mine + " while " + other);
              }
              try {
                made.add(method.getName());
                LockSupport.parkNanos(CALL_NS);
                Object result = call(method, device, args);
                return method.getName().equals("extension")
                    ? ((Optional<?>) result).map(part -> part((Class<?>) args[0], part, inside))
                    : result;
              } finally {
                inside.set(null);
              }
            });
    return type.cast(watched);
  }

  private <T> Object part(Class<T> type, Object part, AtomicReference<String> inside) {
    return watched(type, type.cast(part), inside);
  }

  private static Object call(java.lang.reflect.Method method, Object device, Object[] args)
      throws Throwable {
    try {
      return method.invoke(device, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
