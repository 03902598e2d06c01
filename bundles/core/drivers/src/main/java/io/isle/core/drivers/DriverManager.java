package io.isle.core.drivers;

import io.isle.api.base.IsleException;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry;
import io.isle.api.driver.Drivers;
import io.isle.api.driver.RecoveryParticipant;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.recovery.BoundedParticipant;
import io.isle.core.drivers.recovery.DriverTuning;
import io.isle.core.drivers.recovery.HostWatch;
import io.isle.core.drivers.recovery.Participants;
import io.isle.core.drivers.recovery.RecoveryBook;
import io.isle.core.drivers.recovery.RecoveryServices;
import io.isle.core.drivers.session.ServiceThreads;
import io.isle.core.drivers.session.SessionBoard;
import io.isle.core.drivers.supervision.DeviceSupervisor;
import io.isle.core.drivers.supervision.PendingHandovers;
import io.isle.core.drivers.supervision.SharedParts;
import io.isle.core.drivers.threads.Background;
import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The drivers that are here, each bound to the device registry. Drivers come and go on the threads
 * of their bundles; all changes run one after another on this object's executor. What a change
 * throws is told to whoever waits, else logged, and the next one is made.
 */
final class DriverManager implements Drivers, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DriverManager.class);

  private static final Duration LOOK = Duration.ofMillis(50);

  private final DeviceRegistry registry;
  private final Delays delays;
  private final SerialExecutor changes = new SerialExecutor("isle-drivers");
  private final Background background = new Background();
  private final ServiceThreads serviceThreads = new ServiceThreads();
  private final Participants participants =
      new Participants(serviceThreads, () -> this.tuning.participant());
  private final SessionBoard sessions =
      new SessionBoard(serviceThreads, () -> this.tuning.participant());
  private final RecoveryBook book = new RecoveryBook();
  private final HostWatch watch;
  // Belong to the thread of changes.
  private final DriverTable drivers;
  private final Map<Object, Object> returning = new HashMap<>();
  private volatile DriverTuning tuning;
  private volatile RecoveryCause handover = DeviceSupervisor.UPDATED;

  /**
   * Waits of this object.
   *
   * @param back how long a driver that was stopped for an update goes on without its bundle
   * @param ask when a driver that was believed what it said earlier is asked after all, and how
   *     often it is looked whether something has changed
   */
  record Delays(Duration back, Duration ask) {
    static final Delays USUAL = new Delays(Duration.ofSeconds(5), Duration.ofSeconds(1));
  }

  /**
   * @param ended hears of each recovery that came to an end
   */
  DriverManager(
      DeviceRegistry registry, DriverTuning tuning, Delays delays, Consumer<Recovery> ended) {
    this.registry = registry;
    this.delays = delays;
    this.tuning = tuning;
    this.watch = new HostWatch(MonotonicClock.SYSTEM, () -> this.tuning.hang());
    this.drivers =
        new DriverTable(
            registry,
            new SharedParts(
                new RecoveryServices(participants, sessions, watch, background, () -> this.tuning),
                book,
                new PendingHandovers(),
                MonotonicClock.SYSTEM,
                ended),
            this::askLater);
    background.every(LOOK, watch::look);
  }

  /** Runs {@code work}, which may block, soon after what {@code state} says has changed. */
  void whenChanged(Supplier<String> state, Runnable work) {
    AtomicReference<String> last = new AtomicReference<>(state.get());
    background.every(
        delays.ask,
        () -> {
          String now = state.get();
          if (!now.equals(last.getAndSet(now))) {
            boolean ignored = background.execute(work);
          }
        });
  }

  /** The devices that are open, and who hears of them. */
  SessionBoard sessions() {
    return sessions;
  }

  /** Takes part in recoveries from now on; is told of the devices that are open, soon. */
  void join(RecoveryParticipant participant) {
    BoundedParticipant bounded = participants.add(participant);
    post(() -> drivers.bound(driver -> driver.join(bounded)));
  }

  /** It is not called any more once this returns. */
  void leave(RecoveryParticipant participant) {
    participants.remove(participant);
  }

  RecoveryBook book() {
    return book;
  }

  /** Takes new settings of the service. */
  void tune(DriverTuning now) {
    tuning = now;
    changes.execute(() -> drivers.bound(BoundDriver::tuned));
  }

  /**
   * Adds a driver, soon. If this key has one already, the new one takes over its devices.
   *
   * @param key by which it is removed again
   * @param source what brought it, for messages
   * @param look finds out who it is; may block and refuse
   * @param gone runs when nothing uses it any more
   */
  void add(Object key, String source, Supplier<DriverHandle> look, Runnable gone) {
    changes.execute(
        () -> {
          returning.remove(key);
          drivers
              .add(key, new DriverTable.Arrival(source, look, gone))
              .ifPresent(this::afterSettling);
        });
  }

  private void afterSettling(Runnable work) {
    boolean ignored =
        background.execute(
            () -> {
              try {
                registry.settle();
                work.run();
              } catch (IsleException e) {
                LOG.debug("files of a removed driver stay until the next start", e);
              }
            });
  }

  private void askLater(Object key, DriverHandle driver) {
    background.after(
        delays.ask,
        () -> {
          try {
            driver
                .versions()
                .changed()
                .ifPresent(now -> post(() -> drivers.changed(key, driver, now)));
          } catch (IsleException e) {
            LOG.warn("{}: a new search for devices failed: {}", driver.source(), e.getMessage());
          }
        });
  }

  /** Removes a driver; returns when its devices are closed. Their contexts wait for the next. */
  void remove(Object key) {
    unlessClosed(
        () -> {
          returning.remove(key);
          drivers.remove(key, handover);
        });
  }

  /** A driver's bundle stopped to come back at once: the driver goes on for a while. */
  void awaitReturn(Object key) {
    Object stop = new Object();
    post(() -> returning.put(key, stop));
    background.after(
        delays.back,
        () ->
            post(
                () -> {
                  if (returning.remove(key, stop)) {
                    drivers.remove(key, handover);
                  }
                }));
  }

  /** From now on drivers go because this service stops. */
  void stopping() {
    handover = new RecoveryCause(RecoveryCause.Kind.SERVICE, "the driver service stopped");
  }

  /** The accelerator core came, or is about to go (null); then returns when nothing uses it. */
  void port(DevicePort now) {
    unlessClosed(() -> drivers.port(now));
  }

  @Override
  public List<DriverStatus> list() {
    return await(drivers::statuses);
  }

  @Override
  public void settle() {
    int ignored = list().size();
    registry.settle();
  }

  /** SCR unbinds references after deactivation: then there is nothing left to change. */
  private void unlessClosed(Runnable change) {
    if (!changes.isShut()) {
      await(
          () -> {
            change.run();
            return true;
          });
    }
  }

  private void post(Runnable change) {
    if (!changes.post(change)) {
      LOG.debug("a change of drivers came after the end of the driver service and is ignored");
    }
  }

  private <T> T await(Callable<T> change) {
    try {
      return changes.submit(change).get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted during a change of drivers", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /** Closes every device and ends every thread. */
  @Override
  public void close() {
    book.close();
    try {
      await(
          () -> {
            drivers.clear(handover);
            return true;
          });
    } finally {
      changes.finish();
      background.close();
      serviceThreads.close();
    }
  }
}
