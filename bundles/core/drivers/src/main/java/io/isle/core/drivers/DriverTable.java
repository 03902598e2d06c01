package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.Drivers.DriverStatus;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.supervision.DeviceSupervisor;
import io.isle.core.drivers.supervision.SharedParts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The drivers that are here, by what brought them. One thread. */
final class DriverTable {
  private static final Logger LOG = LoggerFactory.getLogger(DriverTable.class);
  private static final DriverInfo UNKNOWN = new DriverInfo("", "", 0, List.of(), true);

  private final DeviceRegistry registry;
  private final SharedParts shared;
  private final BiConsumer<Object, DriverHandle> inUse;
  private final Map<Object, Entry> entries = new LinkedHashMap<>();
  private DevicePort port;

  /**
   * A driver that arrived.
   *
   * @param source what brought it, for messages
   * @param look finds out who it is; may block and refuse
   * @param gone runs when nothing uses it any more
   */
  record Arrival(String source, Supplier<DriverHandle> look, Runnable gone) {}

  /**
   * A driver that was added: bound, or refused with a reason.
   *
   * @param again a driver that was refused because another of its name is there; else null
   */
  private record Entry(
      Arrival arrival, BoundDriver bound, DriverStatus refused, DriverHandle again) {}

  /**
   * @param inUse hears of each driver that is in use from now on, and of its key
   */
  DriverTable(DeviceRegistry registry, SharedParts shared, BiConsumer<Object, DriverHandle> inUse) {
    this.registry = registry;
    this.shared = shared;
    this.inUse = inUse;
  }

  /**
   * Adds a driver, or puts it in the place of the one that has this key.
   *
   * @return what is to be done once the devices are handed over
   */
  Optional<Runnable> add(Object key, Arrival arrival) {
    Entry before = entries.get(key);
    Entry now = before == null ? bind(arrival) : replace(before, arrival);
    entries.put(key, now);
    tell(key, now);
    if (before != null && before.bound != now.bound) {
      bindWaiting();
    }
    return Optional.ofNullable(before).map(old -> old.arrival.gone);
  }

  private Entry replace(Entry before, Arrival arrival) {
    DriverHandle next;
    try {
      next = arrival.look.get();
      if (before.bound != null && name(before.bound.driver()).equals(name(next))) {
        before.bound.succeed(next);
        LOG.info("{}", line(next));
        return new Entry(arrival, before.bound, null, null);
      }
    } catch (RuntimeException e) {
      close(before, DeviceSupervisor.UPDATED);
      return refused(arrival, null, e);
    }
    close(before, DeviceSupervisor.UPDATED);
    return bind(new Arrival(arrival.source, () -> next, arrival.gone));
  }

  private Entry bind(Arrival arrival) {
    DriverHandle driver = null;
    try {
      driver = arrival.look.get();
      BoundDriver bound = new BoundDriver(driver, port, shared);
      bound.bind(registry);
      LOG.info("{}", line(driver));
      return new Entry(arrival, bound, null, null);
    } catch (RuntimeException e) {
      return refused(arrival, driver, e);
    }
  }

  private static Entry refused(Arrival arrival, DriverHandle driver, RuntimeException why) {
    String text;
    if (why instanceof IsleException) {
      text = why.getMessage();
      LOG.warn("the driver of {} was refused: {}", arrival.source, text);
    } else {
      text = "the driver could not be bound: " + why;
      LOG.error("the driver of {} could not be bound because of a defect", arrival.source, why);
    }
    boolean again = why instanceof IsleException known && known.code() == Errno.EEXIST;
    DriverInfo info = driver == null ? UNKNOWN : driver.info();
    return new Entry(
        arrival,
        null,
        new DriverStatus(info, arrival.source, text, "", List.of()),
        again ? driver : null);
  }

  private static String name(DriverHandle driver) {
    return driver.info().name();
  }

  private static String line(DriverHandle driver) {
    DriverInfo info = driver.info();
    return String.format(
            "driver %s %s of %s %s", info.name(), info.version(), driver.source(), driver.note())
        .strip();
  }

  /** Removes a driver; when this returns its devices are closed. Their contexts wait. */
  void remove(Object key, RecoveryCause cause) {
    Entry entry = entries.remove(key);
    if (entry != null) {
      end(entry, cause);
      bindWaiting();
    }
  }

  private static void close(Entry entry, RecoveryCause cause) {
    if (entry.bound != null) {
      guarded(entry, () -> entry.bound.close(cause));
    }
  }

  private static void end(Entry entry, RecoveryCause cause) {
    close(entry, cause);
    guarded(entry, entry.arrival.gone);
  }

  /** The others go on whatever becomes of one. */
  private static void guarded(Entry entry, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      LOG.error("the driver of {}: a step failed because of a defect", entry.arrival.source, e);
    }
  }

  private void tell(Object key, Entry entry) {
    if (entry.bound != null) {
      inUse.accept(key, entry.bound.driver());
    }
  }

  /** Drivers that were refused because of one that went. */
  private void bindWaiting() {
    entries.replaceAll(
        (key, entry) -> {
          if (entry.again == null) {
            return entry;
          }
          Entry now =
              bind(new Arrival(entry.arrival.source, () -> entry.again, entry.arrival.gone));
          tell(key, now);
          return now;
        });
  }

  /** The driver itself has changed; nothing happens if that is not in use any more. */
  void changed(Object key, DriverHandle before, DriverHandle now) {
    Entry entry = entries.get(key);
    if (entry != null && entry.bound != null && entry.bound.driver() == before) {
      entry.bound.succeed(now);
    }
  }

  /** The accelerator core came, or is about to go (null); then returns when nothing uses it. */
  void port(DevicePort now) {
    port = now;
    bound(driver -> driver.port(now));
  }

  /** Tells all drivers that are in use. */
  void bound(Consumer<BoundDriver> what) {
    for (Entry entry : entries.values()) {
      if (entry.bound != null) {
        guarded(entry, () -> what.accept(entry.bound));
      }
    }
  }

  List<DriverStatus> statuses() {
    List<DriverStatus> all = new ArrayList<>();
    for (Entry entry : entries.values()) {
      all.add(entry.bound == null ? entry.refused : status(entry.bound));
    }
    all.sort(Comparator.comparing(status -> status.info().name()));
    return all;
  }

  private static DriverStatus status(BoundDriver bound) {
    DriverHandle driver = bound.driver();
    return new DriverStatus(
        driver.info(), driver.source(), "", bound.rollback(), bound.devices(), driver.missing());
  }

  /** Closes every device. */
  void clear(RecoveryCause cause) {
    entries.values().forEach(entry -> end(entry, cause));
    entries.clear();
  }
}
