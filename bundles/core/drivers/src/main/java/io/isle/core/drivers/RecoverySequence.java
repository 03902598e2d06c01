package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.device.Recovery.Phase;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryParticipant;
import io.isle.api.device.RecoveryParticipant.Recovering;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.PowerControl;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The phases of taking one device from its driver and giving it to the next (accelerator framework,
 * 42.3.2). One thread at a time.
 */
final class RecoverySequence {
  private static final Logger LOG = LoggerFactory.getLogger(RecoverySequence.class);

  private final String device;
  private final DriverSide driverSide;
  private final Surroundings around;
  private final Openings openings;
  private final GroupEvents groups;
  private DevicePort.Plug plug;
  private OpenedDevice opened;
  private boolean paused;

  /** What all devices share. */
  record Surroundings(
      Participants participants,
      HostWatch watch,
      Background background,
      Supplier<DriverTuning> tuning) {}

  /**
   * @param groups hears of the processes of groups
   */
  RecoverySequence(
      String device,
      Openings openings,
      StandbyKeeper standby,
      Surroundings around,
      GroupEvents groups) {
    this.device = device;
    this.openings = openings;
    this.groups = groups;
    this.driverSide = new DriverSide(device, openings, standby, around, groups);
    this.around = around;
  }

  Optional<OpenedDevice> opened() {
    return Optional.ofNullable(opened);
  }

  /** Whether this opening of the device is the one that is in use. */
  boolean isOpen(int opening) {
    return opened != null && opening == openings.newest();
  }

  /** The place; null while there is none. */
  DevicePort.Plug plug() {
    return plug;
  }

  /** Gets the place, if there is none yet. */
  void plugInto(DevicePort port) {
    if (plug == null) {
      plug = port.plug(device);
    }
  }

  /**
   * Drain, freeze, fail, revoke.
   *
   * @param carry whether work and contents are kept for the next driver, when the cause is orderly
   */
  void takeOut(RecoveryRun run, boolean carry) {
    if (opened == null) {
      return;
    }
    RecoveryCause cause = run.cause();
    OpenedDevice old = opened;
    boolean orderly =
        cause.kind().orderly() && old.device().alive() && openings.saidOfNewest().isEmpty();
    if (orderly) {
      orderly = drained(run, carry);
    }
    opened = null;
    boolean ask = orderly;
    guarded(run, Phase.FREEZE, () -> plug.freeze(cause));
    tell(run, RecoveryParticipant::freeze);
    guarded(run, Phase.FAIL, () -> plug.fail(carry && cause.kind().orderly()));
    tell(run, RecoveryParticipant::fail);
    guarded(run, Phase.REVOKE, () -> driverSide.end(old, ask));
    tell(run, RecoveryParticipant::revoke);
  }

  /** A recovery goes on whatever a phase of its way out comes to. */
  private void guarded(RecoveryRun run, Phase phase, Runnable work) {
    try {
      run.phase(phase, work);
    } catch (RuntimeException | Error e) {
      LOG.error("{}: phase {} failed by a defect", device, phase, e);
    }
  }

  /** False if the device was lost meanwhile, so that there is nobody to ask any more. */
  private boolean drained(RecoveryRun run, boolean carry) {
    guarded(
        run,
        Phase.DRAIN,
        () -> {
          pause(around.tuning.get().drain());
          if (carry && openings.saidOfNewest().isEmpty()) {
            plug.save();
          }
        });
    return openings.saidOfNewest().isEmpty();
  }

  /**
   * Reset, open, rebuild, thaw.
   *
   * @param suspended starts nothing afterwards
   * @throws RuntimeException when the driver or the device failed; the place is as before
   */
  void bringIn(RecoveryRun run, DriverHandle driver, DeviceSpec spec, boolean suspended) {
    run.phase(Phase.RESET, () -> tell(run, RecoveryParticipant::reset));
    int opening = openings.begin();
    OpenedDevice[] now = new OpenedDevice[1];
    boolean rebuilt = false;
    try {
      plug.onFailure(cause -> openings.lost(opening, cause));
      plug.onGroupFailure((group, cause) -> groups.failed(opening, group, cause));
      run.phase(Phase.OPEN, () -> now[0] = driverSide.open(run, driver, spec, plug, opening));
      run.phase(Phase.REBUILD, () -> run.work(plug.rebuild(now[0].device(), opening)));
      rebuilt = true;
      tell(run, RecoveryParticipant::rebuild);
      openings.check();
      if (suspended) {
        pause(Duration.ZERO);
        saving(now[0].device());
        if (!now[0].device().alive()) {
          throw new DriverException(Errno.ENODEV, "the driver ended when the device was suspended");
        }
      } else {
        unpause();
      }
      run.phase(Phase.THAW, plug::thaw);
    } catch (RuntimeException | Error e) {
      takeBack(run, rebuilt, now[0]);
      throw e;
    }
    opened = now[0];
    tell(run, RecoveryParticipant::thaw);
  }

  /** An attempt failed half-way. */
  private void takeBack(RecoveryRun run, boolean rebuilt, OpenedDevice half) {
    if (rebuilt) {
      guarded(run, Phase.FREEZE, () -> plug.freeze(run.cause()));
      guarded(run, Phase.FAIL, () -> plug.fail(run.cause().kind().orderly()));
    }
    if (half != null) {
      guarded(run, Phase.REVOKE, () -> driverSide.end(half, false));
    }
  }

  /** Hosts for {@link StandbyKeeper}, which know the memory of this place. */
  Supplier<Optional<Standby>> standbySource(DriverHandle driver, DeviceSpec spec) {
    DevicePort.Plug place = plug;
    return () -> driver.standby(spec, place);
  }

  private void tell(RecoveryRun run, BiConsumer<RecoveryParticipant, Recovering> phase) {
    if (!run.isFirst()) {
      around.participants.tell(phase, new Recovering(device, run.cause(), openings.newest()));
    }
  }

  /** Lets work in flight end, interrupts what does not within the bound, and starts no more. */
  void suspend() {
    pause(around.tuning.get().drain());
    saving(opened.device());
  }

  void resume() {
    power(opened.device(), PowerControl.State.D0_ACTIVE);
    unpause();
  }

  private void pause(Duration bound) {
    paused = true;
    if (!plug.pause(bound)) {
      LOG.info("{}: work that did not end by itself was interrupted", device);
    }
  }

  private void unpause() {
    if (paused) {
      paused = false;
      plug.unpause();
    }
  }

  /** Nothing runs on it, which is what matters: a driver that refuses costs only power. */
  private void saving(AccelDevice open) {
    try {
      power(open, PowerControl.State.D1_LOW_POWER);
    } catch (RuntimeException | Error e) {
      LOG.warn("{}: it is suspended at full power", device, e);
    }
  }

  private void power(AccelDevice open, PowerControl.State state) {
    Optional<PowerControl> control = open.extension(PowerControl.class);
    if (control.isPresent() && control.get().states().contains(state)) {
      control.get().enter(state);
    }
  }

  /** After {@link #takeOut}: no driver follows; contexts are lost. */
  void lose(String why) {
    if (plug != null) {
      plug.lose(why);
    }
  }

  /** After {@link #takeOut}: contexts wait for whoever plugs in next. */
  void detach(String why) {
    if (plug != null) {
      // Whoever plugs in next does not know of the pause.
      unpause();
      plug.detach(why);
      plug = null;
    }
  }

  /** After {@link #takeOut}: the place goes, and its contexts with it. */
  void unplug() {
    if (plug != null) {
      plug.close();
      plug = null;
    }
  }
}
