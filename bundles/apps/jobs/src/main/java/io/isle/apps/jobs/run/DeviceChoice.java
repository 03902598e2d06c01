package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.ProgramKind;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Platform;
import io.isle.apps.jobs.spec.JobSpec;
import io.isle.apps.jobs.spec.StepProgram;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Finds the device of a job. */
final class DeviceChoice {
  private DeviceChoice() {}

  /**
   * Finds one; waits for one that recovers, and asks the newest core each time.
   *
   * @param programs that it must have or take, all of them
   * @param groups whose streams run there
   */
  static AcceleratorInfo find(
      Platform platform,
      JobSpec.Patience patience,
      JobSpec.Device wanted,
      List<StepProgram.Code> programs,
      Set<String> groups)
      throws InterruptedException {
    DeviceQuery query =
        new DeviceQuery(
            wanted.id(),
            wanted.deviceClass(),
            programs.stream().map(StepProgram.Code::kind).collect(Collectors.toSet()),
            programs.stream()
                .filter(code -> code.kind() == ProgramKind.BUILTIN)
                .map(StepProgram.Code::text)
                .collect(Collectors.toSet()),
            wanted.memoryBytes(),
            groups);
    long listedBy = platform.settledNs();
    long until = Math.max(listedBy, System.nanoTime()) + patience.recoveryNs();
    Accelerators asked = null;
    while (true) {
      Accelerators now = platform.await(Accelerators.class, platform.serviceByNs());
      if (asked != null && now != asked) {
        listedBy = platform.serviceByNs();
      }
      asked = now;
      if (!now.list().isEmpty() || System.nanoTime() - listedBy >= 0) {
        try {
          return now.find(query).info();
        } catch (AccelException e) {
          List<DeviceNode> nodes =
              platform.service(DeviceTree.class).map(DeviceTree::nodes).orElse(List.of());
          boolean mayCome =
              e.code() == Errno.EINTR
                  || nodes.stream().anyMatch(node -> comes(node, wanted))
                  || platform.service(Accelerators.class).filter(there -> there == now).isEmpty();
          if (!mayCome || System.nanoTime() - until >= 0) {
            throw JobException.failed(e.code(), e.getMessage() + closed(nodes, e.getMessage()), e);
          }
        }
      }
      TimeUnit.MILLISECONDS.sleep(Platform.LOOK_MS);
    }
  }

  private static boolean comes(DeviceNode node, JobSpec.Device wanted) {
    return node.state() == DeviceState.RECOVERING
        && wanted.id().map(id -> id.equals(node.id())).orElse(true);
  }

  /** The devices that could have been it, if they were open, as far as {@code told} has none. */
  private static String closed(List<DeviceNode> nodes, String told) {
    StringBuilder text = new StringBuilder();
    for (DeviceNode node : nodes) {
      if (node.state() != DeviceState.ACTIVE && !told.contains(node.id() + " is ")) {
        text.append("; ").append(node.id()).append(" is ").append(node.state().text());
        if (!node.error().isEmpty()) {
          text.append(" (").append(node.error()).append(')');
        }
        if (node.state() == DeviceState.FAILED) {
          text.append(", try driver:reload ").append(node.id());
        }
      }
    }
    return text.toString();
  }
}
