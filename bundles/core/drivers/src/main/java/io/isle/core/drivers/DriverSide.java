package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.Isolation;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.DriverHandle.OpenRequest;
import io.isle.core.drivers.RecoverySequence.Surroundings;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a device from a version of its driver, from the standby where there is one, and gives it
 * back. In between it is watched. One thread at a time.
 */
final class DriverSide {
  private static final Logger LOG = LoggerFactory.getLogger(DriverSide.class);

  private final String device;
  private final Openings openings;
  private final StandbyKeeper standby;
  private final Surroundings around;
  private final GroupEvents groups;

  DriverSide(
      String device,
      Openings openings,
      StandbyKeeper standby,
      Surroundings around,
      GroupEvents groups) {
    this.device = device;
    this.groups = groups;
    this.openings = openings;
    this.standby = standby;
    this.around = around;
  }

  /**
   * Opens the device.
   *
   * @param opening its number
   * @throws RuntimeException when the driver or the device failed; then nothing of it is left
   */
  OpenedDevice open(
      RecoveryRun run, DriverHandle driver, DeviceSpec spec, DevicePort.Plug plug, int opening) {
    Optional<StandbyKeeper.Taken> taken = standby.take(driver, spec.tier());
    run.attempt(taken.map(StandbyKeeper.Taken::warm).orElse(false));
    OwnCompletions completions = new OwnCompletions(plug.completions());
    OpenedDevice root =
        driver.open(
            new OpenRequest(
                spec,
                opening,
                plug,
                cause -> openings.lost(opening, cause),
                taken.map(StandbyKeeper.Taken::standby),
                completions));
    OpenedDevice now;
    try {
      now =
          isApart(root, spec)
              ? apart(root, completions, new Opening(driver, spec, plug, opening))
              : root;
    } catch (RuntimeException | Error e) {
      end(root, false);
      throw e;
    }
    around.watch().add(now);
    try {
      if (!run.isFirst() && !run.cause().kind().orderly()) {
        reset(now.device());
      }
      openings.check();
      return now;
    } catch (RuntimeException | Error e) {
      end(now, false);
      throw e;
    }
  }

  /**
   * Whether groups get processes of their own.
   *
   * @throws DriverException ENOTSUP when they shall and cannot
   */
  private static boolean isApart(OpenedDevice root, DeviceSpec spec) {
    boolean asked = spec.isolation() == Isolation.GROUP;
    if (spec.isolation() == Isolation.SHARED || !asked && !root.runsKernelsInProcess()) {
      return false;
    }
    String why =
        root.hostPid().isEmpty()
            ? "the driver has no process of its own; only one in tier 2 has"
            : root.device().extension(Display.class).isPresent()
                ? "a device with screens is shared: they show memory of its one process"
                : "";
    if (asked && !why.isEmpty()) {
      throw new DriverException(Errno.ENOTSUP, "isolation: 'group' cannot be: " + why);
    }
    return why.isEmpty();
  }

  private OpenedDevice apart(OpenedDevice root, OwnCompletions completions, Opening from) {
    GroupHosts hosts = new GroupHosts(new Processes(from), root, completions);
    GroupSums sums = new GroupSums(hosts::groupPorts, around.background()::execute);
    return new GroupedOpened(root, hosts, new GroupedDevice(hosts, sums));
  }

  /** With what a device was opened, and each process of a group on it is. */
  private record Opening(DriverHandle driver, DeviceSpec spec, DevicePort.Plug plug, int number) {}

  /** The processes of groups on one opening of the device. */
  private final class Processes implements GroupHosts.Parts {
    private final Opening from;

    Processes(Opening from) {
      this.from = from;
    }

    @Override
    public OwnCompletions completions() {
      return new OwnCompletions(from.plug.completions());
    }

    @Override
    public GroupHosts.Started start(OwnCompletions completions, Consumer<RecoveryCause> lost) {
      Optional<StandbyKeeper.Taken> taken = standby.take(from.driver, from.spec.tier());
      OpenedDevice process =
          from.driver.open(
              new OpenRequest(
                  from.spec,
                  from.number,
                  from.plug,
                  lost,
                  taken.map(StandbyKeeper.Taken::standby),
                  completions));
      around.watch().add(process);
      return new GroupHosts.Started(process, taken.map(StandbyKeeper.Taken::warm).orElse(false));
    }

    @Override
    public void end(OpenedDevice process, boolean orderly) {
      DriverSide.this.end(process, orderly);
    }

    @Override
    public void admit(String group) {
      groups.admit(group);
    }

    @Override
    public void lost(GroupHost host, RecoveryCause cause) {
      groups.lost(from.number, host, cause);
    }

    @Override
    public void changed() {
      groups.changed(from.number);
    }

    @Override
    public void after(Duration delay, Runnable work) {
      around.background().after(delay, work);
    }

    @Override
    public boolean execute(Runnable work) {
      return around.background().execute(work);
    }
  }

  /** What the last driver left in the device is gone afterwards. */
  private static void reset(AccelDevice device) {
    try {
      device.resetDevice();
    } catch (DriverException e) {
      if (e.code() != Errno.ENOTSUP) {
        throw e;
      }
    }
  }

  /** As {@link OpenedDevice#end}; what it shared with the core is unmapped soon. */
  void end(OpenedDevice old, boolean orderly) {
    around.watch().remove(old);
    try {
      old.end(orderly);
    } catch (IsleException e) {
      if (e.code() != Errno.ENODEV) {
        LOG.warn("{}: closing: {}", device, e.getMessage());
      }
    }
    // unmapping waits for whoever still reads; nobody has to wait for that
    if (!around.background().execute(old::release)) {
      old.release();
    }
  }
}
