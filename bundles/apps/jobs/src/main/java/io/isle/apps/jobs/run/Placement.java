package io.isle.apps.jobs.run;

import io.isle.api.accel.AcceleratorInfo;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which step runs on which device, and the job's rights to these devices. Thread-safe once made.
 */
final class Placement implements AutoCloseable {
  private final Map<Buffers.StepRef, Tenant> tenants = new HashMap<>();
  private final Map<String, Tenant> byDevice = new LinkedHashMap<>();
  private final List<AcceleratorInfo> infos = new ArrayList<>();

  private Placement() {}

  /**
   * Finds the devices; steps that ask for the same share one. The job's own comes first.
   *
   * @param job its id
   */
  static Placement find(Platform platform, JobSpec spec, String job, boolean admin)
      throws InterruptedException {
    Map<JobSpec.Device, Set<String>> programs = new LinkedHashMap<>();
    Map<Buffers.StepRef, JobSpec.Device> wanted = new LinkedHashMap<>();
    for (JobSpec.Stream stream : spec.streams()) {
      for (JobSpec.Step step : stream.steps()) {
        JobSpec.Device device = step.device().orElse(spec.device());
        wanted.put(new Buffers.StepRef(stream.name(), step.name()), device);
      }
    }
    // The job's own device is looked for first, if a step runs there.
    if (wanted.containsValue(spec.device())) {
      programs.put(spec.device(), new LinkedHashSet<>());
    }
    for (JobSpec.Stream stream : spec.streams()) {
      for (JobSpec.Step step : stream.steps()) {
        programs
            .computeIfAbsent(step.device().orElse(spec.device()), d -> new LinkedHashSet<>())
            .add(step.program());
      }
    }
    Placement placement = new Placement();
    Map<JobSpec.Device, Tenant> found = new HashMap<>();
    for (Map.Entry<JobSpec.Device, Set<String>> entry : programs.entrySet()) {
      AcceleratorInfo info =
          DeviceChoice.find(
              platform, spec.patience(), entry.getKey(), List.copyOf(entry.getValue()));
      Tenant tenant =
          placement.byDevice.computeIfAbsent(
              info.id(), id -> new Tenant(platform, job, info, admin));
      placement.infos.add(info);
      found.put(entry.getKey(), tenant);
    }
    wanted.forEach((ref, device) -> placement.tenants.put(ref, found.get(device)));
    return placement;
  }

  Tenant tenant(Buffers.StepRef step) {
    return tenants.get(step);
  }

  /** As they were found, the job's own first. */
  List<AcceleratorInfo> devices() {
    return List.copyOf(infos);
  }

  /** Device of each step. */
  Map<Buffers.StepRef, String> names() {
    Map<Buffers.StepRef, String> names = new HashMap<>();
    tenants.forEach((ref, tenant) -> names.put(ref, tenant.device()));
    return names;
  }

  /** The right to the job's own device. */
  Tenant first() {
    return byDevice.get(infos.getFirst().id());
  }

  @Override
  public void close() {
    byDevice.values().forEach(Tenant::close);
  }
}
