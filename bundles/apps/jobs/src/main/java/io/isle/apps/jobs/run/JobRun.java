package io.isle.apps.jobs.run;

import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.base.ExitStatus;
import io.isle.api.base.IsleException;
import io.isle.api.device.RecoveryLog;
import io.isle.api.jobs.JobObserver;
import io.isle.api.jobs.JobRecovery;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.Measured;
import io.isle.api.jobs.Survival;
import io.isle.api.tenancy.Groups;
import io.isle.apps.jobs.fault.ActionBook;
import io.isle.apps.jobs.fault.FaultSchedule;
import io.isle.apps.jobs.fault.Measures;
import io.isle.apps.jobs.fault.Recoveries;
import io.isle.apps.jobs.measure.GroupPicture;
import io.isle.apps.jobs.measure.MeasuredValues;
import io.isle.apps.jobs.measure.Measuring;
import io.isle.apps.jobs.measure.Promises;
import io.isle.apps.jobs.platform.JobArrays;
import io.isle.apps.jobs.platform.Platform;
import io.isle.apps.jobs.setup.Setup;
import io.isle.apps.jobs.spec.JobSpec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of a checked job in the calling thread. {@link #snapshot} may be asked by any thread. */
public final class JobRun {
  private static final Logger LOG = LoggerFactory.getLogger(JobRun.class);

  private final String id;
  private final JobSpec spec;
  private final Platform platform;
  private final JobObserver observer;
  private final boolean admin;
  private final Measures measures = new Measures();
  private final ActionBook actions;
  private final Outputs outputs = new Outputs();
  private final Recoveries recoveries;
  private final long startNs;
  private final Clocks clocks;
  private final Programs programs;

  /** As it was found: a lost device gives no information any more. */
  private volatile AcceleratorInfo device;

  private FaultSchedule faults;
  private volatile Measured measured = Measured.NONE;

  /**
   * @param startNs when it was asked for, before its file was read
   * @param admin whether the caller may use {@code setup}, {@code faults} and realtime
   * @throws io.isle.api.jobs.JobException when it cannot begin
   */
  public JobRun(
      String id,
      long startNs,
      JobSpec spec,
      Platform platform,
      JobObserver observer,
      boolean admin) {
    this.id = id;
    this.startNs = startNs;
    this.spec = spec;
    this.platform = platform;
    this.observer = observer;
    this.admin = admin;
    actions = new ActionBook(platform.actions());
    recoveries =
        new Recoveries(
            () -> platform.service(RecoveryLog.class),
            spec.streams().stream().map(JobSpec.Stream::group).collect(Collectors.toSet()),
            System.currentTimeMillis());
    int steps = spec.streams().stream().mapToInt(stream -> stream.steps().size()).sum();
    clocks = new Clocks(startNs, steps);
    Checks.check(spec, admin);
    programs = Programs.read(spec);
  }

  /**
   * Runs to the end. Never throws, whatever happens in it; an interrupt of the calling thread
   * cancels the job.
   */
  public JobResult run() {
    try (Setup _ = Setup.apply(platform, spec, id)) {
      work();
      return judged(outputs.commit());
    } catch (InterruptedException e) {
      Thread.interrupted();
      return result(
          JobState.CANCELLED,
          List.of(),
          List.of(),
          "the job was cancelled",
          ExitStatus.INTERRUPTED);
    } catch (IsleException e) {
      return failed(e.getMessage(), e.exitStatus());
    } catch (RuntimeException | Error e) {
      LOG.error("job {} failed unexpectedly", id, e);
      return failed("unexpected error: " + e, ExitStatus.FAILED);
    } finally {
      outputs.close();
    }
  }

  /** As which it goes down in the history when it ends before it has begun. */
  public JobResult refused(Throwable why) {
    return failed("unexpected error: " + why, ExitStatus.FAILED);
  }

  /** How far it is. */
  public JobResult snapshot() {
    return result(JobState.RUNNING, List.of(), List.of(), null, 0);
  }

  private JobResult failed(String error, int status) {
    return result(JobState.FAILED, List.of(), List.of(), error, status);
  }

  private void work() throws InterruptedException {
    String name = "isle-job-" + id;
    try (Placement placement = Placement.find(platform, spec, id, admin);
        JobArrays arrays = new JobArrays(platform.arrays());
        Measuring measuring = new Measuring(placement.streams(), name);
        FaultSchedule schedule =
            new FaultSchedule(platform, spec.faults(), measures, recoveries, actions, name)) {
      device = placement.devices().getFirst();
      placement.devices().forEach(found -> recoveries.watch(found.id()));
      spec.setup().devices().forEach(made -> recoveries.watch(made.id()));
      faults = schedule;
      schedule.start();
      Env env =
          new Env(
              id,
              name,
              placement.first(),
              observer,
              measures,
              spec.patience(),
              schedule,
              new Ending(),
              programs,
              recoveries,
              platform.blame(),
              measuring,
              arrays,
              actions,
              outputs,
              clocks,
              placement,
              new Results(placement.streams(), placement.names()));
      Optional<Sink> picture = picture();
      new Streams(env, platform::thread).run();
      measured =
          measuring.measured(
              (group, there) -> Promises.percent(platform.service(Groups.class), group, there));
      if (picture.isPresent()) {
        List<GroupPicture.Chart> charts =
            measuring.barriers().stream().map(GroupPicture.Chart::of).toList();
        String svg = new GroupPicture(spec.name(), charts, measured.groups()).draw();
        picture
            .get()
            .file()
            .orElseThrow()
            .write(ByteBuffer.wrap(svg.getBytes(StandardCharsets.UTF_8)));
      }
    }
  }

  /** Opened first, so that what cannot be written is seen before the job has run. */
  private Optional<Sink> picture() throws InterruptedException {
    if (spec.timeline().isEmpty()) {
      return Optional.empty();
    }
    Sink sink =
        new Sink("timeline", OutputFile.create(spec.timeline().get().file(), id)) {
          @Override
          long written() {
            return 0;
          }
        };
    return Optional.of(outputs.add(sink));
  }

  private JobResult judged(List<JobResult.Output> files) {
    Map<String, Double> values = measured();
    List<JobResult.Claim> claims = new ArrayList<>();
    List<String> broken = new ArrayList<>();
    faults.failure().ifPresent(e -> broken.add(e.getMessage()));
    for (JobSpec.Claim claim : spec.claims()) {
      // What was not measured is no number, and holds nowhere.
      claim.names().forEach(name -> values.putIfAbsent(name, Double.NaN));
      double value = claim.value().evaluate(values);
      double goal = claim.goal().evaluate(values);
      boolean holds = claim.comparison().holds(value, goal);
      claims.add(
          new JobResult.Claim(
              claim.name(), value, claim.comparison().symbol() + " " + Text.number(goal), holds));
      if (!holds) {
        broken.add("claim does not hold: " + claim.name());
      }
    }
    if (broken.isEmpty() && measures.wrong.sum() > 0) {
      broken.add(measures.wrong.sum() + " results differ from the results of the CPU");
    }
    return broken.isEmpty()
        ? result(JobState.DONE, files, claims, null, 0)
        : result(JobState.FAILED, files, claims, String.join("; ", broken), ExitStatus.FAILED);
  }

  /** Values of {@link io.isle.apps.jobs.spec.JobParser#MEASURES}. */
  private Map<String, Double> measured() {
    Survival survival = survival();
    Map<String, Double> values = new HashMap<>();
    values.put("bytes", (double) measures.bytes.sum());
    values.put("blocks", (double) measures.blocks.sum());
    values.put("seconds", (System.nanoTime() - startNs) / 1e9);
    values.put("retries", (double) survival.retries());
    values.put("retried", (double) survival.retries());
    values.put("recoveries", (double) survival.recoveries());
    values.put("failed", (double) survival.failed());
    values.put("replayed", (double) survival.replayed());
    values.put("wrong", (double) survival.wrong());
    values.put("written", (double) outputs.written());
    values.put("faults", (double) faults.happened());
    for (String kind : JobSpec.Fault.CRASHES) {
      values.put(kind, (double) faults.happened(kind));
    }
    measures.estimates.put(values);
    MeasuredValues.put(measured, values);
    values.putAll(actions.measured());
    return values;
  }

  private Survival survival() {
    List<JobRecovery> log = recoveries.list();
    return new Survival(
        measures.retries.sum(),
        Math.max(log.size(), measures.interruptions.get()),
        measures.failed.sum(),
        log.stream().mapToLong(r -> r.recovery().work().replayed()).sum(),
        measures.wrong.sum(),
        log);
  }

  private JobResult result(
      JobState state,
      List<JobResult.Output> files,
      List<JobResult.Claim> claims,
      String error,
      int status) {
    AcceleratorInfo found = device;
    return new JobResult(
        spec.name(),
        state,
        found == null ? null : found.id(),
        found == null ? 0 : found.tier(),
        System.nanoTime() - startNs,
        measures.bytes.sum(),
        measures.blocks.sum(),
        survival(),
        clocks.times(),
        measured,
        files,
        claims,
        error,
        status);
  }
}
