package io.isle.core.drivers.recovery;

import io.isle.api.base.Errno;
import io.isle.api.device.Recovery.Phase;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.PowerControl;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.Standby;
import io.isle.core.drivers.groups.GroupEvents;
import io.isle.core.drivers.groups.GroupedOpened;
import io.isle.core.drivers.session.OpenSession;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The phases of taking one device from its driver and giving it to the next (accelerator framework,
 * 42.3.2). One thread at a time.
 */
public final class RecoverySequence {
  private static final Logger LOG = LoggerFactory.getLogger(RecoverySequence.class);

  private final String device;
  private final DriverSide driverSide;
  private final RecoveryServices around;
  private final Openings openings;
  private final GroupEvents groups;
  private DevicePort.Attachment attachment;
  private final Lending lending;
  private OwnedDevice owned;
  private boolean paused;

  /**
   * @param groups hears of the processes of groups
   */
  public RecoverySequence(
      String device,
      Openings openings,
      StandbyKeeper standby,
      RecoveryServices around,
      GroupEvents groups) {
    this.device = device;
    this.openings = openings;
    this.groups = groups;
    this.lending = new Lending(device, around);
    this.driverSide = new DriverSide(device, openings, lending.history(), standby, around, groups);
    this.around = around;
  }

  public Optional<OwnedDevice> opened() {
    return Optional.ofNullable(owned);
  }

  /** Whether this opening of the device is the one that is in use. */
  public boolean isOpen(int opening) {
    return owned != null && opening == openings.newest();
  }

  /** The device's attachment to the core; null while there is none. */
  public DevicePort.Attachment attachment() {
    return attachment;
  }

  /** Attaches the device to the core, if it is not attached yet. */
  public void attachTo(DevicePort port) {
    if (attachment == null) {
      attachment = port.attach(device);
    }
  }

  /**
   * Drain, freeze, fail, revoke.
   *
   * @param carry whether work and contents are kept for the next driver, when the cause is orderly
   */
  public void takeOut(RecoveryRun run, boolean carry) {
    if (owned == null) {
      return;
    }
    RecoveryCause cause = run.cause();
    OwnedDevice old = owned;
    boolean orderly =
        cause.kind().orderly() && old.session().alive() && openings.saidOfNewest().isEmpty();
    if (orderly) {
      orderly = drained(run, carry);
    }
    owned = null;
    boolean ask = orderly;
    run.phase(Phase.FREEZE, () -> freeze(run, old, cause.kind().orderly()));
    run.phase(
        Phase.FAIL,
        () -> {
          guarded(Phase.FAIL, () -> attachment.fail(carry && cause.kind().orderly()));
          tell(run, Step.FAIL, null);
        });
    run.phase(
        Phase.REVOKE,
        () -> {
          guarded(Phase.REVOKE, () -> driverSide.end(old, ask));
          tell(run, Step.REVOKE, null);
        });
  }

  /**
   * @param orderly control calls that are being made get a moment to end
   */
  private void freeze(RecoveryRun run, OwnedDevice old, boolean orderly) {
    lending.interrupted();
    guarded(Phase.FREEZE, () -> attachment.freeze(run.cause()));
    endLanes(old, orderly);
    tell(run, Step.FREEZE, null);
  }

  /** Whoever waits for a control call is told that the device recovers. */
  private static void endLanes(OwnedDevice old, boolean orderly) {
    GroupedOpened.of(old.opened()).ifPresent(apart -> apart.all().freeze(orderly));
    if (orderly) {
      old.session().lane().close();
    } else {
      old.session().lane().abort();
    }
  }

  /** A recovery goes on whatever a phase of its way out comes to. */
  private void guarded(Phase phase, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.error("{}: phase {} of the recovery failed because of a defect", device, phase, e);
    }
  }

  /** False if the device was lost meanwhile, so that there is nobody to ask any more. */
  private boolean drained(RecoveryRun run, boolean carry) {
    run.phase(
        Phase.DRAIN,
        () -> {
          guarded(Phase.DRAIN, () -> drain(carry));
          tell(run, Step.DRAIN, owned.session());
        });
    return openings.saidOfNewest().isEmpty();
  }

  private void drain(boolean carry) {
    pause(around.tuning().get().drain());
    if (carry && openings.saidOfNewest().isEmpty()) {
      attachment.save();
    }
  }

  /**
   * Reset, open, rebuild, thaw.
   *
   * @param suspended starts nothing afterwards
   * @throws RuntimeException when the driver or the device failed; the attachment is as before
   */
  public void bringIn(RecoveryRun run, DriverHandle driver, DeviceSpec spec, boolean suspended) {
    run.phase(Phase.RESET, () -> tell(run, Step.RESET, null));
    int opening = openings.begin();
    OwnedDevice[] now = new OwnedDevice[1];
    boolean[] rebuilt = new boolean[1];
    try {
      attachment.onFailure(cause -> openings.lost(opening, cause));
      attachment.onGroupFailure((group, cause) -> groups.failed(opening, group, cause));
      run.phase(
          Phase.OPEN,
          () -> {
            now[0] = driverSide.open(run, driver, spec, attachment, opening);
            tell(run, Step.OPEN, now[0].session());
          });
      OpenSession session = now[0].session();
      run.phase(
          Phase.REBUILD,
          () -> {
            run.work(
                attachment.rebuild(
                    new DevicePort.Opening(session.device(), opening, session.lane())));
            rebuilt[0] = true;
            tell(run, Step.REBUILD, session);
          });
      openings.check();
      if (suspended) {
        pause(Duration.ZERO);
        PowerStates.save(session);
        if (!session.alive()) {
          throw new DriverException(Errno.ENODEV, "the driver ended when the device was suspended");
        }
      } else {
        unpause();
      }
      run.phase(
          Phase.THAW,
          () -> {
            lending.goesOn(session);
            attachment.thaw();
            owned = now[0];
            tell(run, Step.THAW, session);
          });
    } catch (RuntimeException | Error e) {
      takeBack(run, rebuilt[0], now[0]);
      throw e;
    }
    lending.open(owned.session());
  }

  /** An attempt failed half-way. */
  private void takeBack(RecoveryRun run, boolean rebuilt, OwnedDevice half) {
    if (half != null) {
      half.session().end();
    }
    lending.interrupted();
    if (rebuilt) {
      run.phase(
          Phase.FREEZE,
          () -> {
            guarded(Phase.FREEZE, () -> attachment.freeze(run.cause()));
            endLanes(half, false);
          });
      run.phase(
          Phase.FAIL,
          () -> guarded(Phase.FAIL, () -> attachment.fail(run.cause().kind().orderly())));
    }
    if (half != null) {
      run.phase(Phase.REVOKE, () -> guarded(Phase.REVOKE, () -> driverSide.end(half, false)));
    }
    tell(run, Step.TAKEN_BACK, null);
  }

  /** Hosts for {@link StandbyKeeper}, which know the memory of this attachment. */
  public Supplier<Optional<Standby>> standbySource(DriverHandle driver, DeviceSpec spec) {
    DevicePort.Attachment current = attachment;
    return () -> driver.standby(spec, current);
  }

  /** As {@link Lending#tell}. */
  public void tell(RecoveryRun run, Step step, OpenSession session) {
    lending.tell(run, step, openings.newest(), session);
  }

  /** One that takes part has come: it is told of the device, if that is open. */
  public void join(BoundedParticipant bounded) {
    if (owned != null) {
      lending.join(bounded, owned.session());
    }
  }

  /** Lets work in flight end, interrupts what does not within the bound, and starts no more. */
  public void suspend() {
    pause(around.tuning().get().drain());
    PowerStates.save(owned.session());
  }

  public void resume() {
    PowerStates.enter(owned.session(), PowerControl.State.D0_ACTIVE);
    unpause();
  }

  private void pause(Duration bound) {
    paused = true;
    if (!attachment.pause(bound)) {
      LOG.info("{}: work that did not end within drain_ms was interrupted", device);
    }
  }

  private void unpause() {
    if (paused) {
      paused = false;
      attachment.unpause();
    }
  }

  /** After {@link #takeOut}: no driver follows; contexts are lost. */
  public void lose(String why) {
    lending.closed();
    if (attachment != null) {
      attachment.lose(why);
    }
  }

  /** After {@link #takeOut}: contexts wait for the next attachment. */
  public void detach(String why) {
    lending.closed();
    if (attachment != null) {
      // The next attachment does not know of the pause.
      unpause();
      attachment.detach(why);
      attachment = null;
    }
  }

  /** After {@link #takeOut}: ends the attachment and its contexts. */
  public void closeAttachment() {
    lending.closed();
    if (attachment != null) {
      attachment.close();
      attachment = null;
    }
  }

  /** The device goes for good, or its driver does: nothing of it is kept. */
  public void forget() {
    lending.forget();
  }
}
