package io.isle.apps.chaos.fault;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.HostFault;
import io.isle.api.health.FaultInjector;
import io.isle.apps.chaos.plan.FaultKind;
import io.isle.apps.chaos.plan.Fleet;
import io.isle.apps.chaos.plan.Part;
import io.isle.apps.chaos.plan.Step;
import io.isle.apps.chaos.platform.Bundles;
import io.isle.apps.chaos.platform.Core;
import io.isle.apps.chaos.platform.Nodes;
import io.isle.apps.chaos.platform.Pace;
import io.isle.apps.chaos.platform.Platform;
import io.isle.apps.chaos.work.Recorder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

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
  private final Pace pace;
  private final SettingFaults settings;
  private final Recorder recorder;
  private final Fleet fleet;

  /** By device, the step that moved it last: an earlier try of a step may have had its effect. */
  private final Map<String, Integer> moved = new ConcurrentHashMap<>();

  Injector(Platform platform, Recorder recorder, Fleet fleet) {
    core = platform.core();
    nodes = platform.nodes();
    bundles = platform.bundles();
    pace = platform.pace();
    this.recorder = recorder;
    this.fleet = fleet;
    settings = new SettingFaults(core, nodes);
  }

  /** Acts a step; whether its effect was seen. */
  boolean act(Step step) throws InterruptedException {
    String id = step.target();
    if (step.kind() == FaultKind.BUNDLE_RESTART) {
      boolean back = bundles.restart(id, leaf(id) && step.choice() % 3 == 0);
      if (!back) {
        recorder.problem("bundle " + id + " does not come back after its restart");
      }
      return back;
    }
    if (!nodes.until(COME_BACK_MS, core::complete)) {
      recorder.problem("stuck: a service of the core is still missing");
      return false;
    }
    if (!nodes.awaitActive(id, COME_BACK_MS)) {
      recorder.problem("device " + id + " does not become active again: " + text(id));
      revive(id);
      return false;
    }
    return switch (step.kind()) {
      case CRASH_KILL -> reopened(id, admin -> admin.injectFault(id, HostFault.KILL));
      case HOST_HANG -> reopened(id, admin -> admin.injectFault(id, HostFault.STOP));
      case RELOAD -> reopened(id, admin -> admin.reload(id));
      case RESET -> reopened(id, admin -> admin.reset(id));
      case TIER -> tier(step);
      case SUSPEND -> suspend(id, step.choice() % SUSPENDED_MAX_MS);
      case SETTINGS -> settings.change(id, step.choice());
      case BAD_SETTINGS -> settings.spoil(id, step.choice());
      default -> inject(id, step.kind());
    };
  }

  private boolean leaf(String bundle) {
    return fleet.parts().stream().filter(p -> p.bundle().equals(bundle)).anyMatch(Part::leaf);
  }

  /** So that the run goes on, although it has failed. */
  private void revive(String id) {
    DeviceAdmin admin = core.get(DeviceAdmin.class);
    if (nodes.find(id).filter(node -> node.state() == DeviceState.SUSPENDED).isPresent()) {
      admin.resume(id);
    } else {
      admin.reload(id);
    }
  }

  private boolean inject(String id, FaultKind kind) throws InterruptedException {
    DeviceNode node = nodes.find(id).orElse(null);
    if (node == null || kind.crash() && !node.driver().equals("sim") && node.tier() != 2) {
      return false;
    }
    long ended = recorder.ended(id);
    long failed = recorder.ended(id, code(kind));
    BooleanSupplier seen =
        kind.crash()
            ? () -> nodes.epoch(id) > node.epoch()
            : () -> recorder.ended(id, code(kind)) > failed;
    core.get(FaultInjector.class).inject(id, kind.fault(), 0, 1, 0);
    // the plans of faults go with the driver that has them
    awaitEffect(() -> seen.getAsBoolean() || anotherEpoch(id, node.epoch()));
    if (recorder.ended(id) == ended && nodes.epoch(id) == node.epoch()) {
      recorder.problem("stalled: no work of " + id + " ended in " + SHOW_MS + " ms: " + text(id));
    }
    return seen.getAsBoolean();
  }

  /** While services of the core come and go no device can show anything: the time begins anew. */
  private void awaitEffect(BooleanSupplier shown) throws InterruptedException {
    long end = pace.nanoTime() + TimeUnit.MILLISECONDS.toNanos(COME_BACK_MS);
    long changes;
    do {
      changes = core.changes();
    } while (!nodes.until(SHOW_MS, shown)
        && core.changes() != changes
        && pace.nanoTime() - end < 0);
  }

  /** The code with which the submission ends that meets the fault. */
  private static int code(FaultKind kind) {
    return kind == FaultKind.CONTEXT_ERROR ? -Errno.EIO : -Errno.ETIMEDOUT;
  }

  private String text(String id) {
    return nodes.find(id).map(n -> n.state().text() + " " + n.error()).orElse("missing");
  }

  private boolean reopened(String id, Consumer<DeviceAdmin> how) throws InterruptedException {
    int epoch = nodes.epoch(id);
    if (epoch == 0) {
      return false;
    }
    how.accept(core.get(DeviceAdmin.class));
    // a tree that was restarted counts from the beginning: then this was overtaken
    return nodes.until(SHOW_MS, () -> anotherEpoch(id, epoch)) && nodes.epoch(id) > epoch;
  }

  private boolean anotherEpoch(String id, int before) {
    int now = nodes.epoch(id);
    return now > 0 && now != before;
  }

  private boolean tier(Step step) throws InterruptedException {
    String id = step.target();
    int tier = step.choice();
    boolean there = nodes.find(id).filter(node -> node.tier() != tier).isEmpty();
    if (there && moved.getOrDefault(id, 0) != step.number()) {
      return false;
    }
    moved.put(id, step.number());
    core.get(DeviceAdmin.class).configure(id, Map.of("tier", Integer.toString(tier)));
    return nodes.await(id, COME_BACK_MS, n -> n.state() == DeviceState.ACTIVE && n.tier() == tier);
  }

  private boolean suspend(String id, long ms) throws InterruptedException {
    core.get(DeviceAdmin.class).suspend(id);
    boolean seen = nodes.await(id, SHOW_MS, node -> node.state() == DeviceState.SUSPENDED);
    pace.pass(ms);
    // for as long as its driver is away nobody can resume it
    return nodes.until(COME_BACK_MS, () -> resumed(id))
        && seen
        && nodes.awaitActive(id, COME_BACK_MS);
  }

  /** Whether work goes on; after a restart of the service that runs drivers it does by itself. */
  private boolean resumed(String id) {
    if (nodes.find(id).filter(node -> node.state() == DeviceState.ACTIVE).isEmpty()) {
      core.get(DeviceAdmin.class).resume(id);
    }
    return true;
  }
}
