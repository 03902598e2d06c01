package io.isle.apps.chaos.fault;

import io.isle.api.base.ByteSize;
import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceException;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.apps.chaos.platform.Core;
import io.isle.apps.chaos.platform.Nodes;
import java.util.Map;

/** Edits of devices' settings, good ones and bad ones, by service and by file. */
final class SettingFaults {
  private static final String PID = "io.isle.device-";
  private static final String KEY = "memory_bytes";
  private static final long SMALL = 16L << 20;
  private static final long LARGE = 24L << 20;
  private static final long SHOW_MS = 10_000;

  private final Core core;
  private final Nodes nodes;

  SettingFaults(Core core, Nodes nodes) {
    this.core = core;
    this.nodes = nodes;
  }

  /** Gives a device more memory, or less again. */
  boolean change(String id, int choice) throws InterruptedException {
    long wanted = memory(id) == SMALL ? LARGE : SMALL;
    Map<String, String> changes = Map.of(KEY, Long.toString(wanted));
    if (byFile(choice)) {
      core.get(ConfigFiles.class).set(PID + id, changes);
    } else {
      core.get(DeviceAdmin.class).configure(id, changes);
    }
    return nodes.until(SHOW_MS, () -> memory(id) == wanted) && nodes.awaitActive(id, SHOW_MS);
  }

  /** Asks for what must be refused: the device stays as it is and says so. */
  boolean spoil(String id, int choice) throws InterruptedException {
    String before = inForce(id);
    Map<String, String> bad = Map.of(KEY, "much");
    if (!byFile(choice)) {
      if (refused(id, bad)) {
        return inForce(id).equals(before);
      }
      write(id, Map.of(KEY, before));
      return false;
    }
    boolean seen;
    core.get(ConfigFiles.class).set(PID + id, bad);
    try {
      seen =
          nodes.await(id, SHOW_MS, node -> node.error().contains(KEY))
              && inForce(id).equals(before);
    } finally {
      write(id, Map.of(KEY, before));
    }
    return nodes.await(
            id, SHOW_MS, node -> node.error().isEmpty() && node.state() == DeviceState.ACTIVE)
        && seen;
  }

  /** Also while the owner of files is away for a moment. */
  private void write(String id, Map<String, String> changes) throws InterruptedException {
    nodes.until(
        SHOW_MS,
        () -> {
          core.get(ConfigFiles.class).set(PID + id, changes);
          return true;
        });
  }

  private boolean refused(String id, Map<String, String> bad) {
    try {
      core.get(DeviceAdmin.class).configure(id, bad);
      return false;
    } catch (DeviceException e) {
      if (e.code() != Errno.EINVAL) {
        throw e;
      }
      return true;
    }
  }

  private String inForce(String id) {
    String value = core.get(DeviceTree.class).settings(id).get(KEY);
    if (value == null) {
      throw new Core.AwayException("the device tree lacks " + id);
    }
    return value;
  }

  private long memory(String id) {
    return ByteSize.parse(inForce(id));
  }

  private static boolean byFile(int choice) {
    return choice % 2 == 1;
  }
}
