package io.isle.apps.chaos.fault;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceException;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.HostFault;
import io.isle.apps.chaos.Core;
import io.isle.apps.chaos.plan.FaultKind;
import io.isle.apps.chaos.plan.Fleet;
import io.isle.apps.chaos.plan.Part;
import io.isle.apps.chaos.plan.Step;
import io.isle.apps.chaos.work.Recorder;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Acts single steps. Those of one target come one at a time: between the look at a device's tier
 * and the crash of its driver nobody moves it.
 */
final class Injector {
  /** How long a device may take to come back before a fault is tried on it. */
  private static final long COME_BACK_MS = 20_000;

  /** How long a planned fault may take to show. */
  private static final long SHOW_MS = 4000;

  private static final int SUSPENDED_MAX_MS = 150;

  private final Core core;
  private final Nodes nodes;
  private final Bundles bundles;
  private final SettingFaults settings;
  private final Recorder recorder;
  private final Fleet fleet;

  Injector(Core core, Nodes nodes, Bundles bundles, Recorder recorder, Fleet fleet) {
    this.core = core;
    this.nodes = nodes;
    this.bundles = bundles;
    this.recorder = recorder;
    this.fleet = fleet;
    this.settings = new SettingFaults(core, nodes);
  }

  /** Acts a step; whether its effect was seen. */
  boolean act(Step step) throws InterruptedException {
    String id = step.target();
    if (step.kind() == FaultKind.BUNDLE_RESTART) {
      return bundles.restart(id, leaf(id) && step.choice() % 3 == 0);
    }
    if (!Nodes.until(COME_BACK_MS, core::complete)) {
      recorder.problem("stuck: a service of the core does not come back");
      return false;
    }
    if (!nodes.awaitActive(id, COME_BACK_MS)) {
      reviveOrTell(id);
      return false;
    }
    return switch (step.kind()) {
      case CRASH_KILL -> kill(id);
      case RELOAD -> admin(id, admin -> admin.reload(id));
      case RESET -> admin(id, admin -> admin.reset(id));
      case TIER -> tier(id, step.choice());
      case SUSPEND -> suspend(id, step.choice() % SUSPENDED_MAX_MS);
      case SETTINGS -> settings.change(id, step.choice());
      case BAD_SETTINGS -> settings.spoil(id, step.choice());
      default -> inject(id, step.kind());
    };
  }

  private boolean leaf(String bundle) {
    return fleet.parts().stream().filter(p -> p.bundle().equals(bundle)).anyMatch(Part::leaf);
  }

  /**
   * A device that stays away is a failure of the platform; it is reloaded so that the run goes on.
   */
  private void reviveOrTell(String id) {
    Optional<DeviceNode> node = nodes.find(id);
    recorder.problem("device " + id + " does not come back: " + text(id));
    if (node.isPresent() && node.get().state() == DeviceState.SUSPENDED) {
      core.get(DeviceAdmin.class).resume(id);
    } else {
      core.get(DeviceAdmin.class).reload(id);
    }
  }

  private boolean inject(String id, FaultKind kind) throws InterruptedException {
    DeviceNode node = nodes.find(id).orElse(null);
    if (node == null || kind.crash() && !node.driver().equals("sim") && node.tier() != 2) {
      return false;
    }
    String fault = kind.text().replace("crash_", "").toLowerCase(Locale.ROOT);
    int epoch = node.epoch();
    long disturbed = recorder.disturbed(id);
    long ended = recorder.ended(id);
    core.get(AccelAdmin.class).injectFault(id, fault, 0, 1, 0);
    boolean seen =
        Nodes.until(
            SHOW_MS,
            () ->
                kind.crash()
                    ? epochOf(id) > epoch
                    : recorder.disturbed(id) > disturbed || epochOf(id) > epoch);
    if (!seen && recorder.ended(id) == ended) {
      recorder.problem("stalled: no work of " + id + " ended in " + SHOW_MS + " ms: " + text(id));
    }
    return seen;
  }

  private String text(String id) {
    return nodes.find(id).map(n -> n.state().text() + " " + n.error()).orElse("not there");
  }

  private boolean kill(String id) throws InterruptedException {
    DeviceNode node = nodes.find(id).orElse(null);
    if (node == null || node.hostPid().isEmpty()) {
      return false;
    }
    return admin(id, admin -> admin.injectFault(id, HostFault.KILL));
  }

  private boolean admin(String id, Action action) throws InterruptedException {
    int epoch = epochOf(id);
    action.on(core.get(DeviceAdmin.class));
    return Nodes.until(SHOW_MS, () -> epochOf(id) > epoch);
  }

  private boolean tier(String id, int tier) throws InterruptedException {
    core.get(DeviceAdmin.class).configure(id, Map.of("tier", Integer.toString(tier)));
    return nodes.await(id, COME_BACK_MS, n -> n.state() == DeviceState.ACTIVE && n.tier() == tier);
  }

  private boolean suspend(String id, long ms) throws InterruptedException {
    core.get(DeviceAdmin.class).suspend(id);
    boolean seen = nodes.await(id, SHOW_MS, node -> node.state() == DeviceState.SUSPENDED);
    TimeUnit.MILLISECONDS.sleep(ms);
    try {
      core.get(DeviceAdmin.class).resume(id);
    } catch (DeviceException e) {
      if (e.code() != Errno.EINVAL) {
        throw e;
      }
      // the service that runs drivers was restarted meanwhile: the device is open again
    }
    return seen && nodes.awaitActive(id, COME_BACK_MS);
  }

  private int epochOf(String id) {
    return nodes.find(id).map(DeviceNode::epoch).orElse(0);
  }

  /** What an administrator does. */
  private interface Action {
    void on(DeviceAdmin admin);
  }
}
