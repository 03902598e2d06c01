package io.isle.core.drivers.recovery;

import io.isle.api.base.MonotonicClock;
import io.isle.api.device.RecoveryCause;
import io.isle.core.drivers.driver.DriverProcess;
import io.isle.core.drivers.driver.OpenedDevice;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices drivers that make no progress for longer than a bound: the data thread stays inside the
 * driver, leaves requests lying, or gives no sign of life while a control call waits or work is not
 * completed. A call or work that takes long in a process that lives is none of them. It reads what
 * the process writes into its channel, and calls no driver: so it needs no control lane. What
 * looking at one device throws keeps it from no other. Thread-safe; {@link #look} never blocks.
 */
public final class HostWatch {
  private static final Logger LOG = LoggerFactory.getLogger(HostWatch.class);

  private final MonotonicClock clock;
  private final Supplier<Duration> bound;
  private final Map<OpenedDevice, Seen> watched = new IdentityHashMap<>();

  /** Those whose look has failed, which is logged once. */
  private final Set<OpenedDevice> failed = Collections.newSetFromMap(new IdentityHashMap<>());

  /** The heartbeat, and since when it has not moved although there was something to do. */
  private record Seen(long heartbeat, long sinceNs) {}

  public HostWatch(MonotonicClock clock, Supplier<Duration> bound) {
    this.clock = clock;
    this.bound = bound;
  }

  synchronized void add(OpenedDevice device) {
    watched.put(
        device,
        new Seen(device.process().map(DriverProcess::heartbeat).orElse(0L), clock.nanoTime()));
  }

  /** Once this returns the device is not asked any more. */
  synchronized void remove(OpenedDevice device) {
    watched.remove(device);
    failed.remove(device);
  }

  /** Looks at each once; gives those up that hang. */
  public synchronized void look() {
    long now = clock.nanoTime();
    long limit = bound.get().toNanos();
    watched.replaceAll((device, seen) -> lookSafely(device, seen, now, limit));
  }

  private Seen lookSafely(OpenedDevice device, Seen seen, long now, long limit) {
    try {
      device.tellLog();
      Optional<DriverProcess> process = device.process();
      return process.isPresent() ? look(process.get(), seen, now, limit) : seen;
    } catch (RuntimeException | Error e) {
      if (failed.add(device)) {
        LOG.error("the check of a driver's progress failed because of a defect", e);
      }
      return seen;
    }
  }

  private static Seen look(DriverProcess process, Seen seen, long now, long limit) {
    long heartbeat = process.heartbeat();
    boolean inside = (heartbeat & 1) == 1;
    boolean lying = process.requestsWait();
    boolean probed = process.probe();
    if (heartbeat != seen.heartbeat || !inside && !lying && !probed) {
      return new Seen(heartbeat, now);
    }
    if (now - seen.sinceNs > limit) {
      process.abandon(
          new RecoveryCause(
              RecoveryCause.Kind.HANG,
              "the driver host made no progress for "
                  + Duration.ofNanos(now - seen.sinceNs).toMillis()
                  + " ms"
                  + (inside
                      ? " inside the driver"
                      : lying
                          ? " and did not read its requests"
                          : " with work or a control call to do")));
      return new Seen(heartbeat, now);
    }
    return seen;
  }
}
