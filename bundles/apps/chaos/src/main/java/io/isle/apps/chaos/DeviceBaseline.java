package io.isle.apps.chaos;

import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.apps.chaos.plan.Fleet;
import io.isle.apps.chaos.plan.Machine;
import io.isle.apps.chaos.platform.Core;
import io.isle.apps.chaos.platform.Nodes;
import io.isle.apps.chaos.platform.Platform;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The devices of a run in the state that they have before it and must have after it. */
final class DeviceBaseline {
  private static final String PID = "io.isle.device-";
  private static final long COME_UP_MS = TimeUnit.SECONDS.toMillis(20);

  private final Core core;
  private final Nodes nodes;
  private final Fleet fleet;

  DeviceBaseline(Platform platform, Fleet fleet) {
    core = platform.core();
    nodes = platform.nodes();
    this.fleet = fleet;
  }

  /**
   * Makes the devices, or puts their settings back, and waits until they are open and their
   * standbys are ready.
   *
   * @return what is not as it should be, a line a device
   */
  List<String> set() throws InterruptedException {
    for (Machine machine : fleet.machines()) {
      Map<String, String> settings = new HashMap<>(machine.settings());
      settings.put("driver", machine.driver());
      settings.put("tier", Integer.toString(machine.tier()));
      nodes.until(
          COME_UP_MS,
          () -> {
            core.get(ConfigFiles.class).set(PID + machine.id(), settings);
            return true;
          });
    }
    List<String> complaints = new ArrayList<>();
    for (Machine machine : fleet.machines()) {
      if (!nodes.await(machine.id(), COME_UP_MS, node -> ready(machine, node))) {
        complaints.add(
            "device "
                + machine.id()
                + " is not ready: "
                + nodes.find(machine.id()).map(DeviceBaseline::text).orElse("missing"));
      }
    }
    return complaints;
  }

  private boolean ready(Machine machine, DeviceNode node) {
    Map<String, String> inForce = core.get(DeviceTree.class).settings(machine.id());
    return node.state() == DeviceState.ACTIVE
        && inForce.entrySet().containsAll(machine.settings().entrySet())
        && node.tier() == machine.tier()
        && node.error().isEmpty()
        && (node.tier() == 1 || node.standbyPid().isPresent());
  }

  private static String text(DeviceNode node) {
    return node.state().text()
        + " in tier "
        + node.tier()
        + (node.tier() == 2 && node.standbyPid().isEmpty() ? " without a standby" : "")
        + (node.error().isEmpty() ? "" : ": " + node.error());
  }
}
