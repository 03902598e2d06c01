package io.isle.apps.jobs.measure;

import io.isle.api.jobs.Measured;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;

/**
 * The barriers of a job and what is measured at them, and how its periods are kept. Thread-safe.
 */
public final class Measuring implements AutoCloseable {
  private final List<JobSpec.Stream> streams;
  private final Map<String, Barrier> barriers = new LinkedHashMap<>();
  private final List<PeriodicLog> periodic = new ArrayList<>();

  /**
   * @param threadName beginning of the names of its threads
   */
  public Measuring(List<JobSpec.Stream> streams, String threadName) {
    this.streams = streams;
    Map<String, Integer> steps = new LinkedHashMap<>();
    for (JobSpec.Stream stream : streams) {
      for (JobSpec.Step step : stream.steps()) {
        step.pace().barrier().ifPresent(name -> steps.merge(name, 1, Integer::sum));
      }
    }
    steps.forEach(
        (name, count) -> barriers.put(name, new Barrier(threadName + "-barrier-" + name, count)));
  }

  public Optional<Barrier> barrier(JobSpec.Step step) {
    return step.pace().barrier().map(barriers::get);
  }

  /** The log of a step with a period. */
  public synchronized PeriodicLog periodic(
      JobSpec.Stream stream, JobSpec.Step step, String priority) {
    PeriodicLog log = new PeriodicLog(stream.name(), step.name(), priority, step.pace().periodNs());
    periodic.add(log);
    return log;
  }

  /** Barriers at which something was measured. */
  public List<Barrier> barriers() {
    return barriers.values().stream().filter(Barrier::isClosed).toList();
  }

  /**
   * What was measured, once all steps are done.
   *
   * @param promises percent that a group is promised of a device
   */
  public synchronized Measured measured(ToDoubleBiFunction<String, String> promises) {
    List<Measured.GroupShare> groups = new ArrayList<>();
    streams.stream()
        .map(JobSpec.Stream::group)
        .distinct()
        .forEach(group -> share(group, promises).ifPresent(groups::add));
    return new Measured(groups, periodic.stream().map(PeriodicLog::times).toList());
  }

  /** Leaves no thread behind. */
  @Override
  public void close() {
    barriers.values().forEach(Barrier::stop);
  }

  /** Over all barriers that the group was at; a promise is one of a device. */
  private Optional<Measured.GroupShare> share(
      String group, ToDoubleBiFunction<String, String> promises) {
    OptionalLong cpu = OptionalLong.of(0);
    OptionalLong all = OptionalLong.of(0);
    long bytes = 0;
    long held = 0;
    long idle = 0;
    long window = 0;
    Set<String> devices = new HashSet<>();
    for (Barrier barrier : barriers()) {
      Map<String, Barrier.Share> shares = barrier.shares();
      Barrier.Share own = shares.get(group);
      if (own == null) {
        continue;
      }
      devices.addAll(own.devices());
      cpu = sum(cpu, own.cpuNs());
      for (Barrier.Share share : shares.values()) {
        all = sum(all, share.cpuNs());
      }
      bytes += own.work().bytes();
      held = Math.max(held, own.work().heldBytes());
      idle += barrier.idleNs(group);
      window += barrier.windowNs();
    }
    if (devices.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Measured.GroupShare(
            group,
            devices.size() == 1
                ? promises.applyAsDouble(group, devices.iterator().next())
                : Double.NaN,
            all.orElse(0) > 0 ? 100.0 * cpu.orElse(0) / all.getAsLong() : Double.NaN,
            bytes,
            held,
            cpu.orElse(-1),
            idle,
            window));
  }

  private static OptionalLong sum(OptionalLong a, OptionalLong b) {
    return a.isPresent() && b.isPresent()
        ? OptionalLong.of(a.getAsLong() + b.getAsLong())
        : OptionalLong.empty();
  }
}
