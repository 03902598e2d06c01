package io.isle.core.drivers.supervision;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceState;
import io.isle.api.device.HostFault;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryCause.Kind;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.recovery.BoundedParticipant;
import io.isle.lib.agent.SerialExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Keeps one device open: does what administrators ask for, and recovers the device from whatever
 * befalls its driver. All of it runs on a thread of the device's own, one thing after the other, so
 * that no device waits for another. Thread-safe: requests return futures that end when the device
 * is no longer on its way.
 */
public final class DeviceSupervisor {
  /** What befalls devices when another version of their driver comes. */
  public static final RecoveryCause UPDATED =
      new RecoveryCause(Kind.UPDATE, "the device's driver was updated, restarted or replaced");

  private static final String ASKED = "an administrator requested a reload or reset";

  private final String id;
  private final SerialExecutor lane;
  private final DeviceOpener opener;
  // Belongs to the lane.
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
  private boolean over;

  /**
   * @param port port that the device is attached to; null while there is none
   * @param epoch how often the device was opened before
   */
  public DeviceSupervisor(
      String id, DevicePort port, int epoch, SharedParts shared, Consumer<DeviceReport> reports) {
    this.id = id;
    this.lane = new SerialExecutor("isle-device-" + id);
    this.opener = new DeviceOpener(id, port, epoch, lane, shared, reports, this::settle);
  }

  /** Brings the device to what {@code spec} says; reopens it if anything changed. */
  public CompletableFuture<Void> apply(DriverHandle driver, DeviceSpec spec) {
    return request(
        () -> {
          boolean same = opener.wants(spec) && opener.isOpen();
          if (opener.want(driver, spec)) {
            opener.reopen(UPDATED, true, true);
          } else if (!same) {
            opener.reopen(
                new RecoveryCause(Kind.SETTINGS, "the settings of the device changed"),
                true,
                false);
          }
        });
  }

  /** Closes in order and opens, whatever its state. */
  public CompletableFuture<Void> reload(DriverHandle driver, DeviceSpec spec) {
    return request(
        () -> {
          boolean ignored = opener.want(driver, spec);
          opener.reopen(new RecoveryCause(Kind.RELOAD, ASKED), false, true);
        });
  }

  /** As after a crash. */
  public CompletableFuture<Void> reset(DriverHandle driver, DeviceSpec spec) {
    return request(
        () -> {
          boolean ignored = opener.want(driver, spec);
          opener.reopen(new RecoveryCause(Kind.RESET, ASKED), false, true);
        });
  }

  /** Fails with ENODEV when it is not open. */
  public CompletableFuture<Void> suspend() {
    return request(
        () -> {
          DeviceState state = opener.state();
          if (state == DeviceState.ACTIVE) {
            opener.suspend();
          } else if (state != DeviceState.SUSPENDED) {
            throw new DriverException(Errno.ENODEV, id + " is " + state.text() + ", not open");
          }
        });
  }

  /** Fails with EINVAL when it is not suspended. One that is not open now comes back active. */
  public CompletableFuture<Void> resume() {
    return request(
        () -> {
          if (!opener.isSuspended()) {
            throw new DriverException(Errno.EINVAL, id + " is not suspended");
          }
          opener.resume();
        });
  }

  /** Harms the driver's process: fails with ENODEV when the device is not open, else ENOTSUP. */
  public CompletableFuture<Void> injectFault(HostFault fault) {
    return request(() -> opener.injectFault(fault));
  }

  /** As {@link #injectFault(HostFault)}, of a group's process: ENOENT when it has none. */
  public CompletableFuture<Void> injectFault(String group, HostFault fault) {
    return request(() -> opener.injectFault(group, fault));
  }

  /** The port came, or is about to go (null). */
  public CompletableFuture<Void> port(DevicePort now) {
    return request(
        () -> {
          if (now != opener.port()) {
            opener.port(now);
          }
        });
  }

  /** The driver goes; contexts wait for the next one. Nothing is done afterwards. */
  public CompletableFuture<Void> depart(RecoveryCause cause) {
    return request(
            () -> {
              over = true;
              opener.leave(cause);
            })
        .whenComplete((done, failure) -> lane.shut());
  }

  /** Closes it for good, and its contexts with it. Nothing is done afterwards. */
  public CompletableFuture<Void> remove() {
    return request(
            () -> {
              over = true;
              opener.remove(new RecoveryCause(Kind.SETTINGS, "the device was removed"));
            })
        .whenComplete((done, failure) -> lane.shut());
  }

  /** What runs instead of the driver's own version, and why; empty if that one runs. */
  public String rollback() {
    return opener.rollback();
  }

  /** Takes new settings of the service. */
  public void tuned() {
    boolean ignored = lane.post(opener::tuned);
  }

  /** One that takes part in recoveries has come: it is told of the device, if that is open. */
  public CompletableFuture<Void> join(BoundedParticipant bounded) {
    return request(() -> opener.join(bounded));
  }

  private CompletableFuture<Void> request(Runnable work) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    boolean taken =
        lane.post(
            () -> {
              if (over) {
                // it came behind the end: what it opened would never be closed
                going(done);
                return;
              }
              try {
                work.run();
                waiting.add(done);
              } catch (DriverException refused) {
                done.completeExceptionally(refused);
              } catch (RuntimeException | Error defect) {
                done.completeExceptionally(defect);
                throw defect;
              } finally {
                settle();
              }
            });
    if (!taken) {
      going(done);
    }
    return done;
  }

  private void going(CompletableFuture<Void> done) {
    done.completeExceptionally(new DriverException(Errno.ENODEV, id + " is being removed"));
  }

  /** Those who wait need not wait any longer, unless the device is on its way. */
  private void settle() {
    if (!opener.isOnItsWay()) {
      waiting.forEach(
          done -> {
            boolean ignored = done.complete(null);
          });
      waiting.clear();
    }
  }
}
