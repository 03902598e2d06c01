package io.isle.core.devices;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceException;
import io.isle.api.device.DeviceListener;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.HostFault;
import io.isle.api.driver.DeviceRegistry;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import io.isle.api.observe.AuditEvent;
import io.isle.lib.agent.BoundedWait;
import io.isle.lib.agent.SerialExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The device tree with its threads: the model belongs to {@code isle-devices}, events go out on
 * {@code isle-device-events}. Thread-safe.
 */
public class Devices implements DeviceRegistry, DeviceTree, DeviceAdmin, AutoCloseable {
  /** Factory PID of devices' settings; {@code io.isle.device-soft0.cfg} is a file of it. */
  public static final String FACTORY_PID = "io.isle.device";

  private static final Logger LOG = LoggerFactory.getLogger(Devices.class);
  private static final BoundedWait WAIT =
      new BoundedWait(
          Duration.ofSeconds(120),
          what -> "the device tree is stopped; see bundle:list",
          DeviceException::new);

  private final Map<String, BoundDriver> bound = new ConcurrentHashMap<>();
  private final Listeners listeners = new Listeners();
  private final SerialExecutor thread = new SerialExecutor("isle-devices");
  private final DeviceLanes lanes = new DeviceLanes(thread);
  private final Epochs epochs = new Epochs();
  private final DeviceModel model;
  private final DeviceSettings settings;
  private volatile Snapshot snapshot = Snapshot.EMPTY;

  Devices(ConfigFiles files, DeviceFiles source) {
    this.model =
        new DeviceModel(
            event -> {
              refresh();
              listeners.tell(event);
            },
            (id, why) -> LOG.warn("settings of {} refused: {}", id, why),
            (id, work, done) ->
                lanes.call(
                    id,
                    work,
                    failure -> {
                      done.accept(failure);
                      refresh();
                    }),
            epochs);
    this.settings = new DeviceSettings(files, source, model, this::edited);
  }

  /** Runs later; not at all once the devices go away, when nothing depends on it any more. */
  private void post(Runnable work) {
    boolean ignored = thread.post(work);
  }

  /** Hears of changes of files that were not asked for here, on the registry's thread. */
  void edited(AuditEvent event) {}

  /** The files may have changed; they are read again soon. */
  final void filesChanged() {
    post(this::sync);
  }

  @Override
  public final Binding bind(DriverInfo driver, List<DeviceSeed> seeds, DeviceControl control) {
    check(driver);
    BoundDriver made = new BoundDriver(driver, seeds, control);
    if (bound.putIfAbsent(driver.name(), made) != null) {
      throw new DriverException(
          Errno.EEXIST, "a driver named " + driver.name() + " exists already");
    }
    post(
        () -> {
          if (bound.get(made.name()) == made) {
            sync();
            model.bind(made);
            refresh();
          }
        });
    return new Bound(made);
  }

  private static void check(DriverInfo driver) {
    SettingsCheck.badDriver(driver)
        .ifPresent(
            why -> {
              throw new DriverException(Errno.EINVAL, why);
            });
  }

  @Override
  public final List<DeviceNode> nodes() {
    return snapshot.nodes();
  }

  @Override
  public final Optional<DeviceNode> find(String id) {
    return snapshot.nodes().stream().filter(node -> node.id().equals(id)).findFirst();
  }

  @Override
  public final Map<String, String> settings(String id) {
    return snapshot.settings().getOrDefault(id, Map.of());
  }

  @Override
  public final void configure(String id, Map<String, String> changes) {
    String what = "the change of " + id;
    call(
        what,
        () -> {
          settings.change(id, changes);
          refresh();
          return null;
        });
    WAIT.result(what, lanes.settled(id));
  }

  @Override
  public final void reload(String id) {
    ask("the reload of " + id, done -> model.requests().reload(id, done));
  }

  @Override
  public final void reset(String id) {
    ask("the reset of " + id, done -> model.requests().reset(id, done));
  }

  @Override
  public final void suspend(String id) {
    ask("the suspension of " + id, done -> model.requests().suspend(id, done));
  }

  @Override
  public final void resume(String id) {
    ask("the resumption of " + id, done -> model.requests().resume(id, done));
  }

  @Override
  public final void injectFault(String id, HostFault fault) {
    ask("the fault of " + id, done -> model.requests().injectFault(id, fault, done));
  }

  @Override
  public final void injectFault(String id, String group, HostFault fault) {
    ask("the fault of " + id, done -> model.requests().injectFault(id, group, fault, done));
  }

  /** A call from a task of the registry's thread runs at once. */
  private <T> T call(String what, Callable<T> work) {
    return WAIT.result(what, thread.submit(work));
  }

  /** Asks the model for something that takes time, and waits for it off the registry's thread. */
  private void ask(String what, Consumer<Consumer<RuntimeException>> request) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    call(
        what,
        () -> {
          request.accept(
              failure -> {
                boolean ignored =
                    failure == null ? done.complete(null) : done.completeExceptionally(failure);
              });
          return null;
        });
    WAIT.result(what, done);
  }

  final void add(DeviceListener listener) {
    listeners.add(listener);
  }

  final void remove(DeviceListener listener) {
    listeners.remove(listener);
  }

  @Override
  public void close() {
    lanes.close();
    thread.close();
    listeners.close();
  }

  @Override
  public final void settle() {
    call("settling", () -> null);
    WAIT.result("settling", lanes.settled());
  }

  private void sync() {
    settings.refresh();
    refresh();
  }

  private void refresh() {
    snapshot = model.snapshot();
  }

  private final class Bound implements Binding {
    private final BoundDriver driver;

    Bound(BoundDriver driver) {
      this.driver = driver;
    }

    @Override
    public int epoch(String deviceId) {
      return epochs.of(deviceId);
    }

    @Override
    public void report(DeviceReport report) {
      Runnable work =
          () -> {
            if (!model.report(driver, report)) {
              LOG.debug("the report of {} came too late and is ignored", report.id());
            }
            refresh();
          };
      if (thread.isCurrent()) {
        work.run();
      } else {
        post(work);
      }
    }

    @Override
    public void succeed(DriverInfo next, List<DeviceSeed> seeds) {
      check(next);
      if (!next.name().equals(driver.name())) {
        throw new DriverException(
            Errno.EINVAL, "driver " + next.name() + " is not a version of driver " + driver.name());
      }
      post(
          () -> {
            if (bound.get(driver.name()) == driver) {
              driver.succeed(next, seeds);
              model.bind(driver);
              refresh();
            }
          });
    }

    @Override
    public void close() {
      driver.gone = true;
      if (!bound.remove(driver.name(), driver)) {
        return;
      }
      try {
        call(
            "the unbinding of " + driver.name(),
            () -> {
              model.unbind(driver);
              refresh();
              return null;
            });
      } catch (DeviceException e) {
        LOG.debug("driver {} was removed while the devices were stopping", driver.name(), e);
      }
    }
  }
}
