package io.isle.apps.jobs.run;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Finds the device of a job. */
final class DeviceChoice {
  private static final long SERVICE_WAIT_NS = TimeUnit.SECONDS.toNanos(5);

  private DeviceChoice() {}

  static Accelerator find(Platform platform, JobSpec spec) throws InterruptedException {
    Accelerators accelerators = awaitFirst(platform);
    List<String> programs = programs(spec);
    Accelerator found = find(platform, accelerators, spec.device(), programs.stream().findFirst());
    AcceleratorInfo info = found.info();
    for (String program : programs) {
      if (!info.builtins().contains(program)) {
        throw JobException.failed(
            Errno.ENOTSUP,
            info.id() + " has no program '" + program + "'; it has " + info.builtins(),
            null);
      }
    }
    return found;
  }

  private static Accelerator find(
      Platform platform,
      Accelerators accelerators,
      JobSpec.Device wanted,
      Optional<String> program) {
    try {
      return accelerators.find(
          new DeviceQuery(wanted.id(), wanted.deviceClass(), program, wanted.memoryBytes()));
    } catch (AccelException e) {
      List<DeviceNode> nodes = platform.tree().map(DeviceTree::nodes).orElse(List.of());
      throw JobException.failed(e.code(), e.getMessage() + closed(nodes), e);
    }
  }

  /** The devices that could have been it, if they were open. */
  private static String closed(List<DeviceNode> nodes) {
    StringBuilder text = new StringBuilder();
    for (DeviceNode node : nodes) {
      if (node.state() != DeviceState.ACTIVE) {
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

  private static Accelerators awaitFirst(Platform platform) throws InterruptedException {
    Accelerators accelerators =
        Platform.await(
            platform::accelerators, Accelerators.class.getSimpleName(), serviceBy(platform));
    while (accelerators.list().isEmpty() && System.nanoTime() - platform.settledNs() < 0) {
      TimeUnit.MILLISECONDS.sleep(Platform.LOOK_MS);
    }
    return accelerators;
  }

  /** A part of the core that is restarted just now is worth a short wait. */
  static long serviceBy(Platform platform) {
    return Math.max(platform.settledNs(), System.nanoTime() + SERVICE_WAIT_NS);
  }

  private static List<String> programs(JobSpec spec) {
    return spec.streams().stream()
        .flatMap(stream -> stream.steps().stream())
        .map(JobSpec.Step::program)
        .distinct()
        .toList();
  }
}
