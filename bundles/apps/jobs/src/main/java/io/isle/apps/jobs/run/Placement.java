package io.isle.apps.jobs.run;

import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.api.tenancy.Permission;
import io.isle.apps.jobs.platform.Platform;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.JobSpec;
import io.isle.apps.jobs.spec.StepProgram;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which step runs which program on which device, and the job's rights to these devices. Thread-safe
 * once made.
 */
final class Placement implements AutoCloseable {
  private final Map<Buffers.StepRef, Tenant> tenants = new HashMap<>();
  private final Map<String, Tenant> byDevice = new LinkedHashMap<>();
  private final List<AcceleratorInfo> infos = new ArrayList<>();
  private final List<JobSpec.Stream> streams = new ArrayList<>();

  private Placement() {}

  /** A device, and which of their programs the steps run there. */
  private record Choice(AcceleratorInfo device, int program) {}

  /**
   * Finds the devices; steps that ask for the same share one. The job's own comes first.
   *
   * @param job its id
   */
  static Placement find(Platform platform, JobSpec spec, String job, boolean admin)
      throws InterruptedException {
    Map<JobSpec.Device, List<JobSpec.Step>> wanted = new LinkedHashMap<>();
    List<JobSpec.Step> all = spec.streams().stream().flatMap(s -> s.steps().stream()).toList();
    // The job's own device is looked for first, if a step runs there.
    if (all.stream().anyMatch(step -> device(spec, step).equals(spec.device()))) {
      wanted.put(spec.device(), new ArrayList<>());
    }
    all.forEach(
        step -> wanted.computeIfAbsent(device(spec, step), d -> new ArrayList<>()).add(step));
    boolean counts = all.stream().anyMatch(step -> step.pace().barrier().isPresent());
    Set<Permission> further =
        all.stream()
            .flatMap(step -> step.action().stream())
            .flatMap(call -> call.action().permissions().stream())
            .collect(Collectors.toSet());
    Placement placement = new Placement();
    Map<JobSpec.Device, Choice> found = new HashMap<>();
    for (Map.Entry<JobSpec.Device, List<JobSpec.Step>> entry : wanted.entrySet()) {
      Choice choice = choose(platform, spec, entry.getKey(), entry.getValue());
      AcceleratorInfo info = choice.device();
      found.put(entry.getKey(), choice);
      placement.infos.add(info);
      placement.byDevice.computeIfAbsent(
          info.id(), id -> new Tenant(platform, job, info, admin, counts, further));
    }
    spec.streams().forEach(stream -> placement.settle(spec, stream, found));
    return placement;
  }

  private static JobSpec.Device device(JobSpec spec, JobSpec.Step step) {
    return step.device().orElse(spec.device());
  }

  /** The first of the steps' programs, all at the same place, that a device has. */
  private static Choice choose(
      Platform platform, JobSpec spec, JobSpec.Device wanted, List<JobSpec.Step> steps)
      throws InterruptedException {
    Set<String> groups =
        spec.streams().stream()
            .filter(stream -> stream.steps().stream().anyMatch(s -> device(spec, s).equals(wanted)))
            .map(JobSpec.Stream::group)
            .collect(Collectors.toSet());
    int choices = steps.stream().mapToInt(JobSpec.Step::choices).max().orElse(0);
    List<String> refusals = new ArrayList<>();
    for (int i = 0; ; i++) {
      int choice = i;
      List<StepProgram.Code> programs =
          steps.stream()
              .flatMap(step -> step.withProgram(choice).allPrograms().stream())
              .map(StepProgram::code)
              .toList();
      try {
        return new Choice(
            DeviceChoice.find(platform, spec.patience(), wanted, programs, groups), choice);
      } catch (JobException e) {
        refusals.add(e.getMessage());
        if (e.code() != Errno.ENODEV || choice + 1 >= choices) {
          throw JobException.failed(e.code(), String.join("; ", refusals), e);
        }
      }
    }
  }

  private void settle(JobSpec spec, JobSpec.Stream stream, Map<JobSpec.Device, Choice> found) {
    List<JobSpec.Step> steps = new ArrayList<>();
    for (JobSpec.Step step : stream.steps()) {
      Choice choice = found.get(device(spec, step));
      steps.add(step.withProgram(choice.program()));
      tenants.put(stream.ref(step), byDevice.get(choice.device().id()));
    }
    streams.add(stream.withSteps(steps));
  }

  /** The job's streams, each step with the program that it runs. */
  List<JobSpec.Stream> streams() {
    return List.copyOf(streams);
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
