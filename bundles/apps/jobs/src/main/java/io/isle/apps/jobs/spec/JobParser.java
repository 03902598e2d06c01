package io.isle.apps.jobs.spec;

import io.isle.api.device.Priority;
import io.isle.api.jobs.JobException;
import io.isle.api.tenancy.CapabilitySpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Turns a job file into a {@link JobSpec}. Everything that the file says is either understood or
 * refused; nothing is skipped. Immutable.
 */
public final class JobParser {
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
              "hang"));

  static final int MAX_STREAMS = 16;
  static final int MAX_CLAIMS = 64;
  static final int MAX_RETRIES = 1000;
  private static final long RETRIES = 5;
  private static final long RECOVERY_MS = 30_000;
  private static final long MAX_RECOVERY_MS = 3_600_000;
  private static final long MAX_EXECUTION_US = 3_600_000_000L;
  static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

  private final Parameters parameters;
  private final Path base;

  private JobParser(Parameters parameters, Path base) {
    this.parameters = parameters;
    this.base = base;
  }

  /**
   * Checks a job file and fills in its parameters.
   *
   * @param base directory of the job file
   * @param given values of the caller
   * @param caller directory of the caller
   * @throws JobException naming file, line, column and field
   */
  public static JobSpec parse(Located root, Path base, Map<String, String> given, Path caller) {
    Map<String, Located> keys =
        root.mapping(
            "job",
            "params",
            "device",
            "setup",
            "retries",
            "recovery_timeout_ms",
            "streams",
            "steps",
            "faults",
            "claims");
    Parameters parameters = new Parameters(keys.get("params"));
    parameters.resolve(given, caller, base);
    return new JobParser(parameters, base).job(root, keys);
  }

  private JobSpec job(Located root, Map<String, Located> keys) {
    Located nameAt = keys.get("job");
    if (nameAt == null) {
      throw root.error("the key 'job' (its name) is missing");
    }
    String name = parameters.text(nameAt);
    if (!name.matches(NAME)) {
      throw nameAt.error("a name is 1 to 64 letters, digits, '.', '_' or '-'");
    }
    JobSpec.Device device = new DeviceParser(parameters).device(keys.get("device"));
    SetupParser setup = new SetupParser(parameters);
    JobSpec.Setup made = setup.setup(keys.get("setup"));
    List<JobSpec.Stream> streams = streams(root, keys);
    StepGraph.check(streams);
    return new JobSpec(
        name,
        device,
        made,
        streams,
        setup.faults(keys.get("faults"), made),
        patience(keys),
        claims(keys.get("claims")));
  }

  private JobSpec.Patience patience(Map<String, Located> keys) {
    long retries = whole(keys.get("retries"), 0, MAX_RETRIES, RETRIES);
    long ms = whole(keys.get("recovery_timeout_ms"), 1, MAX_RECOVERY_MS, RECOVERY_MS);
    return new JobSpec.Patience((int) retries, TimeUnit.MILLISECONDS.toNanos(ms));
  }

  private long whole(Located at, long min, long max, long otherwise) {
    if (at == null) {
      return otherwise;
    }
    OptionalLong value = Numbers.whole(parameters.text(at));
    if (value.isEmpty() || value.getAsLong() < min || value.getAsLong() > max) {
      throw at.error("must be a whole number from " + min + " to " + max);
    }
    return value.getAsLong();
  }

  private List<JobSpec.Stream> streams(Located root, Map<String, Located> keys) {
    Located streamsAt = keys.get("streams");
    Located stepsAt = keys.get("steps");
    if ((streamsAt == null) == (stepsAt == null)) {
      throw root.error("needs either 'steps' or 'streams'");
    }
    StepParser steps = new StepParser(parameters, base);
    if (stepsAt != null) {
      return List.of(
          new JobSpec.Stream(
              "main",
              CapabilitySpec.DEFAULT_GROUP,
              Priority.NORMAL,
              OptionalLong.empty(),
              steps.steps(stepsAt, "main")));
    }
    List<JobSpec.Stream> streams = new ArrayList<>();
    for (Located at : streamsAt.sequence(MAX_STREAMS)) {
      streams.add(stream(at, steps, streams.size()));
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < streams.size(); i++) {
      if (!names.add(streams.get(i).name())) {
        throw streamsAt.error("two streams are called '" + streams.get(i).name() + "'");
      }
    }
    if (streams.isEmpty()) {
      throw streamsAt.error("needs at least one stream");
    }
    return List.copyOf(streams);
  }

  private JobSpec.Stream stream(Located at, StepParser parser, int index) {
    Map<String, Located> keys =
        at.mapping("name", "group", "priority", "max_execution_us", "steps");
    Located group = keys.get("group");
    String groupName = group == null ? CapabilitySpec.DEFAULT_GROUP : parameters.text(group);
    if (!CapabilitySpec.isGroup(groupName)) {
      throw group.error("a group is 1 to 32 characters of a-z, 0-9 and '-', the first no '-'");
    }
    Located steps = keys.get("steps");
    if (steps == null) {
      throw at.error("needs 'steps'");
    }
    String name = keys.containsKey("name") ? parameters.text(keys.get("name")) : "stream" + index;
    if (!name.matches(NAME)) {
      throw keys.get("name").error("a name is 1 to 64 letters, digits, '.', '_' or '-'");
    }
    Located limit = keys.get("max_execution_us");
    return new JobSpec.Stream(
        name,
        groupName,
        priority(keys.get("priority")),
        limit == null
            ? OptionalLong.empty()
            : OptionalLong.of(whole(limit, 1, MAX_EXECUTION_US, 0)),
        parser.steps(steps, name));
  }

  private Priority priority(Located at) {
    if (at == null) {
      return Priority.NORMAL;
    }
    String text = parameters.text(at);
    for (Priority priority : Priority.values()) {
      if (priority.text().equals(text.toLowerCase(Locale.ROOT))) {
        return priority;
      }
    }
    throw at.error("'" + text + "' is none of background, normal, high, realtime");
  }

  private List<JobSpec.Claim> claims(Located section) {
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
      claims.add(claim(keys));
    }
    return List.copyOf(claims);
  }

  private JobSpec.Claim claim(Map<String, Located> keys) {
    Located goalAt = keys.get("goal");
    String goal = parameters.text(goalAt).strip();
    Comparison comparison =
        Comparison.startOf(goal)
            .orElseThrow(
                () -> goalAt.error("must begin with ==, !=, <=, >=, < or >, as in '>= 0.9'"));
    return new JobSpec.Claim(
        parameters.text(keys.get("name")),
        expression(keys.get("value"), parameters.text(keys.get("value"))),
        comparison,
        expression(goalAt, goal.substring(comparison.symbol().length())));
  }

  private static Expression expression(Located at, String text) {
    try {
      return Expression.parse(text, MEASURES);
    } catch (IllegalArgumentException e) {
      throw at.error(e.getMessage());
    }
  }
}
