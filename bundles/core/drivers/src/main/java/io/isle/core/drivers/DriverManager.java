package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.Drivers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The drivers that are here, each bound to the device registry. Drivers come and go on the threads
 * of their bundles; all changes run one after another on this object's executor.
 */
final class DriverManager implements Drivers, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DriverManager.class);

  private static final Duration LOOK = Duration.ofMillis(50);

  private final DeviceRegistry registry;
  private final ExecutorService changes =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("isle-drivers").factory());
  private final Background background = new Background();
  private final Participants participants = new Participants();
  private final RecoveryBook book = new RecoveryBook();
  private final HostWatch watch;
  private final DeviceOpener.Shared shared;
  private final Map<Object, Entry> entries = new LinkedHashMap<>();
  private volatile DriverTuning tuning;
  private volatile RecoveryCause departure =
      new RecoveryCause(RecoveryCause.Kind.UPDATE, "its driver was updated, restarted or replaced");
  private DevicePort port;

  /**
   * A driver that was added: bound, or refused with a reason.
   *
   * @param again a driver that was refused because another of its name is there; else null
   */
  private record Entry(BoundDriver bound, DriverStatus refused, DriverHandle again) {}

  /**
   * @param ended hears of each recovery that came to an end
   */
  DriverManager(DeviceRegistry registry, DriverTuning tuning, Consumer<Recovery> ended) {
    this.registry = registry;
    this.tuning = tuning;
    this.watch = new HostWatch(MonotonicClock.SYSTEM, () -> this.tuning.hang());
    this.shared =
        new DeviceOpener.Shared(
            new RecoverySequence.Surroundings(participants, watch, background, () -> this.tuning),
            book,
            new Departures(),
            MonotonicClock.SYSTEM,
            ended);
    background.every(LOOK, watch::look);
  }

  Participants participants() {
    return participants;
  }

  RecoveryBook book() {
    return book;
  }

  /** Takes new settings of the service. */
  void tune(DriverTuning now) {
    tuning = now;
    changes.execute(
        () -> {
          for (Entry entry : entries.values()) {
            if (entry.bound != null) {
              entry.bound.tuned();
            }
          }
        });
  }

  /**
   * Adds a driver, soon.
   *
   * @param key by which it is removed again
   * @param source what brought it, for messages
   * @param look finds out who it is; may block and refuse
   */
  void add(Object key, String source, Supplier<DriverHandle> look) {
    changes.execute(() -> entries.put(key, bind(source, look)));
  }

  private Entry bind(String source, Supplier<DriverHandle> look) {
    DriverHandle driver = null;
    try {
      driver = look.get();
      DriverInfo info = driver.info();
      BoundDriver bound = new BoundDriver(driver, port, shared);
      bound.bind(registry);
      LOG.info("driver {} {} of {} {}", info.name(), info.version(), source, driver.note());
      return new Entry(bound, null, null);
    } catch (IsleException e) {
      LOG.warn("the driver of {} was refused: {}", source, e.getMessage());
      DriverInfo info = driver == null ? new DriverInfo("", "", 0, List.of(), true) : driver.info();
      return new Entry(
          null,
          new DriverStatus(info, source, e.getMessage(), List.of()),
          e.code() == Errno.EEXIST ? driver : null);
    }
  }

  /** Removes a driver; returns when its devices are closed. Their contexts wait for the next. */
  void remove(Object key) {
    unlessClosed(
        () -> {
          Entry entry = entries.remove(key);
          if (entry != null && entry.bound != null) {
            entry.bound.close(departure);
            bindWaiting();
          }
        });
  }

  /** Drivers that were refused because of one that went. */
  private void bindWaiting() {
    entries.replaceAll(
        (key, entry) ->
            entry.again == null ? entry : bind(entry.refused.source(), () -> entry.again));
  }

  /** From now on drivers go because this service stops. */
  void stopping() {
    departure = new RecoveryCause(RecoveryCause.Kind.SERVICE, "the driver service stops");
  }

  /** The accelerator core came, or is about to go (null); then returns when nothing uses it. */
  void port(DevicePort now) {
    unlessClosed(
        () -> {
          port = now;
          for (Entry entry : entries.values()) {
            if (entry.bound != null) {
              entry.bound.port(now);
            }
          }
        });
  }

  @Override
  public List<DriverStatus> list() {
    return await(
        () -> {
          List<DriverStatus> all = new ArrayList<>();
          for (Entry entry : entries.values()) {
            all.add(entry.bound == null ? entry.refused : status(entry.bound));
          }
          all.sort(Comparator.comparing(status -> status.info().name()));
          return all;
        });
  }

  @Override
  public void settle() {
    int ignored = list().size();
    registry.settle();
  }

  private static DriverStatus status(BoundDriver bound) {
    return new DriverStatus(
        bound.driver().info(), bound.driver().source(), bound.trouble(), bound.devices());
  }

  /** SCR unbinds references after deactivation: then there is nothing left to change. */
  private void unlessClosed(Runnable change) {
    if (!changes.isShutdown()) {
      await(
          () -> {
            change.run();
            return true;
          });
    }
  }

  private <T> T await(java.util.concurrent.Callable<T> change) {
    try {
      return changes.submit(change).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a change of drivers was under way", e);
    } catch (java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Closes every device and ends every thread. */
  @Override
  public void close() {
    book.close();
    await(
        () -> {
          for (Entry entry : entries.values()) {
            if (entry.bound != null) {
              entry.bound.close(departure);
            }
          }
          entries.clear();
          return true;
        });
    changes.close();
    background.close();
  }
}
