package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.DeviceState;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.DriverHandle.OpenRequest;
import io.isle.core.drivers.DriverHandle.Opened;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One device: opens it, plugs it in, notices its end, closes it, and reports each step. A device
 * that ended by itself is FAILED until it is reloaded. Thread-safe.
 */
final class DeviceSlot {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceSlot.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final DriverHandle driver;
  private final Consumer<DeviceReport> reports;
  private final Executor background;
  private DeviceSpec spec;
  private DevicePort port;
  private DevicePort.Plug plug;
  private Opened opened;
  private int epoch;
  private boolean failed;

  /**
   * @param port where it is plugged in; null while there is none
   * @param background runs what follows the end of a host
   * @param epoch how often the device was opened before
   */
  DeviceSlot(
      DriverHandle driver,
      DeviceSpec spec,
      DevicePort port,
      Consumer<DeviceReport> reports,
      Executor background,
      int epoch) {
    this.driver = driver;
    this.spec = spec;
    this.port = port;
    this.reports = reports;
    this.background = background;
    this.epoch = epoch;
  }

  /** Brings the device to what {@code wanted} says; reopens it if anything changed. */
  void apply(DeviceSpec wanted) {
    lock.lock();
    try {
      boolean same = wanted.equals(spec) && opened != null;
      spec = wanted;
      if (!same) {
        shut("its settings changed");
        open();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Closes and opens, whatever its state. */
  void reload(DeviceSpec wanted) {
    lock.lock();
    try {
      spec = wanted;
      shut("it was reloaded");
      open();
    } finally {
      lock.unlock();
    }
  }

  /** The place to plug into came or went (null). */
  void port(DevicePort now) {
    lock.lock();
    try {
      if (now != port) {
        shut("the accelerator core stopped");
        port = now;
        if (!failed) {
          open();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Closes it for good. */
  void close(String why) {
    lock.lock();
    try {
      shut(why);
    } finally {
      lock.unlock();
    }
  }

  private void open() {
    failed = false;
    if (!spec.enabled()) {
      report(DeviceState.DISABLED, "");
      return;
    }
    if (port == null) {
      report(DeviceState.FAILED, "the accelerator core is not running");
      return;
    }
    epoch++;
    int opening = epoch;
    plug = port.plug(spec.id());
    plug.onFailure(why -> background.execute(() -> lost(opening, why.text())));
    try {
      opened =
          driver.open(
              new OpenRequest(
                  spec, epoch, plug, why -> background.execute(() -> lost(opening, why.text()))));
      plug.rebuild(opened.device(), epoch);
      plug.thaw();
      report(DeviceState.ACTIVE, "");
    } catch (IsleException e) {
      LOG.warn("{}: cannot be opened: {}", spec.id(), e.getMessage());
      shut(e.getMessage());
      fail(e.getMessage());
    }
  }

  private void lost(int opening, String why) {
    lock.lock();
    try {
      if (opening == epoch && opened != null) {
        LOG.warn("{}: {}", spec.id(), why);
        shut(why);
        fail(why + "; run 'driver:reload " + spec.id() + "'");
      }
    } finally {
      lock.unlock();
    }
  }

  private void fail(String why) {
    failed = true;
    report(DeviceState.FAILED, why);
  }

  private void shut(String why) {
    if (plug != null) {
      plug.freeze(new RecoveryCause(RecoveryCause.Kind.RESET, why));
      plug.fail(false);
    }
    if (opened != null) {
      try {
        opened.device().close();
      } catch (DriverException e) {
        if (e.code() != Errno.ENODEV) {
          LOG.warn("{}: closing: {}", spec.id(), e.getMessage());
        }
      }
      opened = null;
    }
    if (plug != null) {
      plug.close();
      plug = null;
    }
  }

  private void report(DeviceState state, String error) {
    Optional<DeviceInfo> info = Optional.ofNullable(opened).map(open -> open.device().info());
    reports.accept(
        new DeviceReport(
            spec.id(),
            state,
            error,
            epoch,
            opened == null ? Optional.empty() : opened.hostPid(),
            Optional.empty(),
            info,
            opened == null ? List.of() : opened.services(),
            opened == null ? List.of() : opened.interfaces()));
  }
}
