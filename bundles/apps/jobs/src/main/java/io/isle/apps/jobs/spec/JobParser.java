package io.isle.apps.jobs.spec;

import io.isle.api.jobs.JobAction;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.SetupKind;
import io.isle.apps.jobs.formula.Expression;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Turns a job file into a {@link JobSpec}. Everything that the file says is either understood or
 * refused; nothing is skipped. Immutable.
 */
public final class JobParser {
  /** Mean error of a model's estimates; unknown without any. */
  public static final String MODEL_ERROR = "estimate.model_error";

  /** Mean error of the average, of the same submissions; of all of them without a model. */
  public static final String AVERAGE_ERROR = "estimate.average_error";

  /** Measures that claims may use. */
  public static final Set<String> MEASURES =
      new LinkedHashSet<>(
          List.of(
              "bytes",
              "blocks",
              "seconds",
              "retries",
              "recoveries",
              "failed",
              "replayed",
              "retried",
              "wrong",
              "written",
              "faults",
              "segv",
              "abort",
              "exit",
              "kill",
              "hang",
              MODEL_ERROR,
              AVERAGE_ERROR));

  /** What is measured of the groups of steps with a barrier. */
  public static final Set<String> GROUP_MEASURES =
      new LinkedHashSet<>(
          List.of("promised", "measured", "bytes", "held_bytes", "cpu_ns", "idle_ns", "window_ns"));

  /** What is measured of streams with a step that has a period. */
  public static final Set<String> STREAM_MEASURES =
      new LinkedHashSet<>(
          List.of("submissions", "misses", "period_ns", "p50_ns", "p99_ns", "max_ns"));

  static final int MAX_CLAIMS = 64;
  static final int MAX_RETRIES = 1000;
  private static final long RETRIES = 5;
  private static final long RECOVERY_MS = 30_000;
  private static final long MAX_RECOVERY_MS = 3_600_000;
  static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

  private final Parameters parameters;
  private final StreamParser streams;
  private final Map<String, SetupKind> kinds;

  private JobParser(Parameters parameters, StreamParser streams, Map<String, SetupKind> kinds) {
    this.parameters = parameters;
    this.streams = streams;
    this.kinds = kinds;
  }

  /**
   * Checks a job file and fills in its parameters.
   *
   * @param base directory of the job file
   * @param given values of the caller
   * @param caller directory of the caller
   * @param actions the kinds of steps that other bundles bring, by key
   * @param kinds the kinds of set-up resources that other bundles bring, by key
   * @throws JobException naming file, line, column and field
   */
  public static JobSpec parse(
      Located root,
      Path base,
      Map<String, String> given,
      Path caller,
      Map<String, JobAction> actions,
      Map<String, SetupKind> kinds) {
    Map<String, Located> keys =
        root.mapping(
            "job",
            "params",
            "device",
            "setup",
            "programs",
            "retries",
            "recovery_timeout_ms",
            "streams",
            "steps",
            "faults",
            "timeline",
            "claims");
    Parameters parameters = new Parameters(keys.get("params"), base);
    parameters.resolve(given, caller);
    ActionParser calls = new ActionParser(parameters, actions);
    Map<String, StepProgram.Code> programs =
        new ProgramsParser(parameters).programs(keys.get("programs"));
    StepParser steps = new StepParser(parameters, calls, programs);
    return new JobParser(parameters, new StreamParser(parameters, steps), kinds).job(root, keys);
  }

  private JobSpec job(Located root, Map<String, Located> keys) {
    Located nameAt = keys.get("job");
    if (nameAt == null) {
      throw root.error("the key 'job' (the name of the job) is missing");
    }
    String name = parameters.name(nameAt);
    JobSpec.Device device = new DeviceParser(parameters).device(keys.get("device"));
    SetupParser setup = new SetupParser(parameters, kinds);
    JobSpec.Setup made = setup.setup(keys.get("setup"));
    List<JobSpec.Stream> parsed = streams.streams(root, keys);
    StepGraph.check(parsed);
    return new JobSpec(
        name,
        device,
        made,
        parsed,
        new FaultParser(parameters, kinds.values(), made, parsed).faults(keys.get("faults")),
        patience(keys),
        Optional.ofNullable(keys.get("timeline")).flatMap(at -> timeline(at, parsed)),
        claims(keys.get("claims"), measures(streams)));
  }

  private JobSpec.Patience patience(Map<String, Located> keys) {
    Located retriesAt = keys.get("retries");
    Located recoveryAt = keys.get("recovery_timeout_ms");
    long retries = retriesAt == null ? RETRIES : parameters.whole(retriesAt, 0, MAX_RETRIES);
    long ms = recoveryAt == null ? RECOVERY_MS : parameters.whole(recoveryAt, 1, MAX_RECOVERY_MS);
    return new JobSpec.Patience((int) retries, TimeUnit.MILLISECONDS.toNanos(ms));
  }

  private Optional<JobSpec.Timeline> timeline(Located at, List<JobSpec.Stream> streams) {
    Optional<Path> file = parameters.file(at);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    if (streams.stream()
        .flatMap(stream -> stream.steps().stream())
        .noneMatch(step -> step.pace().barrier().isPresent())) {
      throw at.error("needs a step with a 'barrier': the timeline shows only such steps");
    }
    return Optional.of(new JobSpec.Timeline(file.get(), at));
  }

  /** Names that claims may use: those of all jobs, and those of this one's groups and streams. */
  private static Set<String> measures(StreamParser streams) {
    Set<String> names = new LinkedHashSet<>(MEASURES);
    for (String group : streams.groups()) {
      GROUP_MEASURES.forEach(measure -> names.add(groupMeasure(group, measure)));
    }
    for (String stream : streams.names()) {
      STREAM_MEASURES.forEach(measure -> names.add(streamMeasure(stream, measure)));
    }
    names.addAll(streams.actionMeasures());
    return names;
  }

  /** A group, stream or step, as claims name it. */
  static String measured(String name) {
    return name.replace('-', '_');
  }

  /** The measure of a group, as claims name it. */
  public static String groupMeasure(String group, String measure) {
    return "group." + measured(group) + "." + measure;
  }

  /** The measure of a stream, as claims name it. */
  public static String streamMeasure(String stream, String measure) {
    return "stream." + measured(stream) + "." + measure;
  }

  /** Whether a kind of steps has a well-formed key that no step has for something else. */
  public static boolean isKindOfStep(JobAction action) {
    return action.key().matches(JobAction.KEY) && !StepParser.KEYS.contains(action.key());
  }

  /** Whether a kind of set-up resources has well-formed keys that stand for nothing else. */
  public static boolean isKindOfSetup(SetupKind kind) {
    return kind.key().matches(JobAction.NAME)
        && !SetupParser.KEYS.contains(kind.key())
        && kind.singular().matches(JobAction.NAME)
        && !FaultParser.KEYS.contains(kind.singular());
  }

  /** The measure of a step that is an action, as claims name it. */
  public static String stepMeasure(String step, String measure) {
    return "step." + measured(step) + "." + measure;
  }

  private List<JobSpec.Claim> claims(Located section, Set<String> measures) {
    if (section == null) {
      return List.of();
    }
    List<JobSpec.Claim> claims = new ArrayList<>();
    for (Located at : section.sequence(MAX_CLAIMS)) {
      Map<String, Located> keys = at.mapping("name", "value", "goal");
      for (String key : List.of("name", "value", "goal")) {
        if (!keys.containsKey(key)) {
          throw at.error("needs 'name', 'value' and 'goal'");
        }
      }
      claims.add(claim(keys, measures));
    }
    return List.copyOf(claims);
  }

  private JobSpec.Claim claim(Map<String, Located> keys, Set<String> measures) {
    Located goalAt = keys.get("goal");
    String goal = parameters.text(goalAt).strip();
    Comparison comparison =
        Comparison.startOf(goal)
            .orElseThrow(
                () -> goalAt.error("must begin with ==, !=, <=, >=, < or >, as in '>= 0.9'"));
    return new JobSpec.Claim(
        parameters.text(keys.get("name")),
        expression(keys.get("value"), parameters.text(keys.get("value")), measures),
        comparison,
        expression(goalAt, goal.substring(comparison.symbol().length()), measures));
  }

  private static Expression expression(Located at, String text, Set<String> measures) {
    try {
      return Expression.parse(text, measures);
    } catch (IllegalArgumentException e) {
      throw at.error(e.getMessage());
    }
  }
}
