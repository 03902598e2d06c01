package io.isle.core.drivers.recovery;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.Isolation;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.DriverHandle.OpenRequest;
import io.isle.core.drivers.driver.DriverProcess;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.groups.GroupEvents;
import io.isle.core.drivers.groups.GroupHost;
import io.isle.core.drivers.groups.GroupHosts;
import io.isle.core.drivers.groups.GroupSums;
import io.isle.core.drivers.groups.GroupedDevice;
import io.isle.core.drivers.groups.GroupedOpened;
import io.isle.core.drivers.groups.HostParts;
import io.isle.core.drivers.groups.OwnCompletions;
import io.isle.core.drivers.groups.OwnHost;
import io.isle.core.drivers.session.DeviceLane;
import io.isle.core.drivers.session.OpenSession;
import io.isle.core.drivers.session.OpeningHistory;
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
  private final RecoveryServices around;
  private final GroupEvents groups;
  private final OpeningHistory history;

  /**
   * @param history of the sessions of the device
   */
  DriverSide(
      String device,
      Openings openings,
      OpeningHistory history,
      StandbyKeeper standby,
      RecoveryServices around,
      GroupEvents groups) {
    this.device = device;
    this.groups = groups;
    this.openings = openings;
    this.history = history;
    this.standby = standby;
    this.around = around;
  }

  /**
   * Opens the device.
   *
   * @param opening its number
   * @throws RuntimeException when the driver or the device failed; then nothing of it is left
   */
  OwnedDevice open(
      RecoveryRun run,
      DriverHandle driver,
      DeviceSpec spec,
      DevicePort.Attachment attachment,
      int opening) {
    Optional<StandbyKeeper.Taken> taken = standby.take(driver, spec.tier());
    run.attempt(taken.map(StandbyKeeper.Taken::warm).orElse(false));
    OwnCompletions completions = new OwnCompletions(attachment.completions());
    OpenedDevice root =
        driver.open(
            new OpenRequest(
                spec,
                opening,
                attachment,
                cause -> openings.lost(opening, cause),
                taken.map(StandbyKeeper.Taken::standby),
                completions));
    DeviceLane lane =
        new DeviceLane(
            device,
            root.device()::alive,
            DeviceLane.Bounds.of(attachment.controlBound()),
            cause -> openings.lost(opening, cause));
    OpenedDevice now = root;
    try {
      if (isApart(root, lane, spec)) {
        now = apart(root, lane, completions, new Opening(driver, spec, attachment, opening));
      }
      around.watch().add(now);
      OpenSession.Of of =
          new OpenSession.Of(device, Optional.empty(), opening, history, Optional.empty());
      AccelDevice open = now.device();
      boolean reset = !run.isFirst() && !run.cause().kind().orderly();
      // in one call: each costs two switches of threads, and contexts wait for them
      OpenSession session =
          OpenSession.open(
              of,
              open,
              lane,
              () -> {
                if (reset) {
                  reset(open);
                }
                attachment.ask(new DevicePort.Opening(open, opening, lane));
              });
      openings.check();
      return new OwnedDevice(now, session);
    } catch (RuntimeException | Error e) {
      end(now, lane, false);
      throw e;
    }
  }

  /**
   * Whether groups get processes of their own.
   *
   * @throws DriverException ENOTSUP when they shall and cannot
   */
  private static boolean isApart(OpenedDevice root, DeviceLane lane, DeviceSpec spec) {
    boolean asked = spec.isolation() == Isolation.GROUP;
    if (spec.isolation() == Isolation.SHARED
        || !asked && !root.process().map(DriverProcess::runsKernels).orElse(false)) {
      return false;
    }
    String why =
        root.process().isEmpty()
            ? "the driver has no separate process, which only tier 2 gives; set tier=2"
            : lane.call("open", () -> root.device().extension(Display.class)).isPresent()
                ? "a device with screens needs one process, whose memory the screens show"
                : "";
    if (asked && !why.isEmpty()) {
      throw new DriverException(Errno.ENOTSUP, "isolation: 'group' is impossible: " + why);
    }
    return why.isEmpty();
  }

  private OpenedDevice apart(
      OpenedDevice root, DeviceLane lane, OwnCompletions completions, Opening from) {
    DeviceInfo info = lane.call("open", root.device()::info);
    GroupHosts hosts =
        new GroupHosts(
            new Processes(from), new OwnHost(root, completions, lane, from.number, info));
    GroupSums sums = new GroupSums(hosts::groupHosts, around.background()::execute);
    return new GroupedOpened(root, hosts, new GroupedDevice(hosts, sums));
  }

  /** With what a device was opened, and each process of a group on it is. */
  private record Opening(
      DriverHandle driver, DeviceSpec spec, DevicePort.Attachment attachment, int number) {}

  /** The processes of groups on one opening of the device. */
  private final class Processes implements HostParts {
    private final Opening from;

    Processes(Opening from) {
      this.from = from;
    }

    @Override
    public OwnCompletions completions() {
      return new OwnCompletions(from.attachment.completions());
    }

    @Override
    public DeviceLane lane(GroupHost host) {
      return new DeviceLane(
          device + "-" + host.group(),
          host::isAlive,
          DeviceLane.Bounds.of(from.attachment.controlBound()),
          cause -> groups.unusable(from.number, host, cause));
    }

    @Override
    public HostParts.Started start(OwnCompletions completions, Consumer<RecoveryCause> lost) {
      Optional<StandbyKeeper.Taken> taken = standby.take(from.driver, from.spec.tier());
      OpenedDevice process =
          from.driver.open(
              new OpenRequest(
                  from.spec,
                  from.number,
                  from.attachment,
                  lost,
                  taken.map(StandbyKeeper.Taken::standby),
                  completions));
      around.watch().add(process);
      return new HostParts.Started(process, taken.map(StandbyKeeper.Taken::warm).orElse(false));
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

  /** No control call is made any more once this returns. */
  void end(OwnedDevice old, boolean orderly) {
    end(old.opened(), old.session().lane(), orderly);
  }

  private void end(OpenedDevice old, DeviceLane lane, boolean orderly) {
    lane.abort();
    if (old.process().isEmpty()) {
      // a call in a process ends with that; one in this process is the driver's to end
      lane.awaitReturn();
    }
    end(old, orderly && !lane.hung());
  }

  /** As {@link OpenedDevice#end}; what it shared with the core is unmapped soon. */
  private void end(OpenedDevice old, boolean orderly) {
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
