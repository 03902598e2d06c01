package io.isle.apps.chaos.work;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.apps.chaos.platform.Core;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A user of one device, which comes again after each fault. An error that no fault explains is a
 * problem of the run, and does not end the user.
 */
abstract class DeviceUser implements Runnable {
  /** Codes of control calls that a recovery explains. */
  private static final Set<Integer> PASSING =
      Set.of(
          Errno.EINTR,
          Errno.ENODEV,
          Errno.ECLOSED,
          Errno.EREVOKED,
          Errno.ENODATA,
          Errno.EAGAIN,
          Errno.ETIMEDOUT);

  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Core core;
  private final Recorder recorder;
  private final String device;
  private final Set<Permission> needed;
  private volatile boolean stopped;
  private volatile boolean abandoned;
  private Capability capability;

  DeviceUser(Core core, Recorder recorder, String device, Set<Permission> needed) {
    this.core = core;
    this.recorder = recorder;
    this.device = device;
    this.needed = needed;
  }

  /** Whether a recovery explains the failure of a control call. */
  static boolean passes(RuntimeException e) {
    return e instanceof IsleException known && PASSING.contains(known.code());
  }

  /** Uses the device until it is {@link #stopped} or sent away. */
  abstract void visit(Accelerator accelerator, Capability right);

  /** What it does there, for messages. */
  abstract String purpose();

  final boolean stopped() {
    return stopped;
  }

  final void stop() {
    stopped = true;
  }

  /** Stops; what an interrupt makes of its calls from now on is nobody's mistake. */
  final void abandon() {
    abandoned = true;
    stopped = true;
  }

  @Override
  public final void run() {
    while (!stopped) {
      long changes = core.changes();
      try {
        visit(core.get(Accelerators.class).find(DeviceQuery.id(device)), capability());
      } catch (Core.AwayException e) {
        // a bundle of the core is stopped; it will be back
        pause();
      } catch (Error e) {
        recorder.problem("unexpected: " + device + " " + purpose() + ": " + e);
        pause();
      } catch (RuntimeException e) {
        boolean explained =
            passes(e)
                || abandoned
                || e instanceof IllegalStateException && core.changes() != changes;
        if (!explained) {
          recorder.problem("unexpected: " + device + " " + purpose() + ": " + e);
        }
        pause();
      }
    }
    giveBack();
  }

  /** Its right; a new one when tenancy has forgotten the old one. */
  private Capability capability() {
    if (capability == null || !capability.valid()) {
      capability =
          core.get(Capabilities.class)
              .issue(new CapabilitySpec("chaos", needed, Optional.of(device), 0));
    }
    return capability;
  }

  private void giveBack() {
    try {
      if (capability != null) {
        core.get(Capabilities.class).revoke(capability);
      }
    } catch (Core.AwayException e) {
      // its table went with the service
    }
  }

  private static void pause() {
    LockSupport.parkNanos(PAUSE_NS);
  }
}
