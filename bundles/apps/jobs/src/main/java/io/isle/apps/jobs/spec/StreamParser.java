package io.isle.apps.jobs.spec;

import io.isle.api.device.Priority;
import io.isle.api.tenancy.GroupTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code streams}, or {@code steps} as the only one. */
final class StreamParser {
  static final int MAX_STREAMS = 16;
  private static final long MAX_EXECUTION_US = 3_600_000_000L;
  private static final Pattern GUARANTEE = Pattern.compile("([0-9]{1,12})\\s+([0-9]{1,12})");
  private static final Pattern CONDITION = Pattern.compile("(.*?)\\s*(==|!=)\\s*(.*)");

  private final Parameters parameters;
  private final StepParser steps;

  /** Names of streams and groups, of those that are left out as well. */
  private final Set<String> names = new LinkedHashSet<>();

  private final Set<String> groups = new HashSet<>();

  StreamParser(Parameters parameters, StepParser steps) {
    this.parameters = parameters;
    this.steps = steps;
  }

  /** What actions measure, of streams that are left out as well; as claims name it. */
  Set<String> actionMeasures() {
    return steps.measures();
  }

  /**
   * The streams that run.
   *
   * @param root the job file, with these keys
   */
  List<JobSpec.Stream> streams(Located root, Map<String, Located> keys) {
    Located streamsAt = keys.get("streams");
    Located stepsAt = keys.get("steps");
    if ((streamsAt == null) == (stepsAt == null)) {
      throw root.error("needs either 'steps' or 'streams'");
    }
    if (stepsAt != null) {
      names.add("main");
      groups.add(GroupTree.ROOT);
      return List.of(
          new JobSpec.Stream(
              "main",
              GroupTree.ROOT,
              Optional.empty(),
              OptionalLong.empty(),
              Optional.empty(),
              steps.steps(stepsAt, "main")));
    }
    List<JobSpec.Stream> streams = new ArrayList<>();
    int index = 0;
    for (Located at : streamsAt.sequence(MAX_STREAMS)) {
      stream(at, index++, streamsAt).ifPresent(streams::add);
    }
    if (streams.isEmpty()) {
      throw streamsAt.error("needs at least one stream");
    }
    return List.copyOf(streams);
  }

  /** Names of all streams, of those that {@code when} leaves out as well. */
  Set<String> names() {
    return names;
  }

  /** Names of the groups of all streams. */
  Set<String> groups() {
    return groups;
  }

  private Optional<JobSpec.Stream> stream(Located at, int index, Located all) {
    Map<String, Located> keys =
        at.mapping("name", "when", "group", "priority", "max_execution_us", "guarantee", "steps");
    Located group = keys.get("group");
    String groupName = group == null ? GroupTree.ROOT : parameters.text(group);
    if (!groupName.matches(SetupParser.GROUP)) {
      throw group.error(
          "a group's name has 1 to 32 characters of a-z, 0-9 and '-', the first not '-'");
    }
    groups.add(groupName);
    Located stepsAt = keys.get("steps");
    if (stepsAt == null) {
      throw at.error("needs 'steps'");
    }
    String name = keys.containsKey("name") ? parameters.name(keys.get("name")) : "stream" + index;
    for (String other : names) {
      if (other.equals(name)) {
        throw all.error("two streams have the name '" + name + "'; rename one of the streams");
      }
      if (JobParser.measured(other).equals(JobParser.measured(name))) {
        throw keys.get("name")
            .error(
                "claims name the streams '"
                    + other
                    + "' and '"
                    + name
                    + "' alike; rename one of the streams");
      }
    }
    names.add(name);
    Located limit = keys.get("max_execution_us");
    JobSpec.Stream stream =
        new JobSpec.Stream(
            name,
            groupName,
            Optional.ofNullable(keys.get("priority"))
                .map(given -> parameters.choice(given, List.of(Priority.values()), Priority::text)),
            limit == null
                ? OptionalLong.empty()
                : OptionalLong.of(parameters.whole(limit, 1, MAX_EXECUTION_US)),
            Optional.ofNullable(keys.get("guarantee")).map(this::guarantee),
            steps.steps(stepsAt, name));
    return holds(keys.get("when")) ? Optional.of(stream) : Optional.empty();
  }

  /** Whether the two words on the sides of {@code ==} or {@code !=} are what it says. */
  private boolean holds(Located at) {
    if (at == null) {
      return true;
    }
    Matcher condition = CONDITION.matcher(parameters.text(at).strip());
    if (!condition.matches()) {
      throw at.error("must be a comparison such as '${name} == word', or with !=");
    }
    return condition.group(1).equals(condition.group(3)) == condition.group(2).equals("==");
  }

  /** In the words of a group's {@code compute.guarantee}, without the device. */
  private JobSpec.Guarantee guarantee(Located at) {
    Matcher words = GUARANTEE.matcher(parameters.text(at).strip());
    if (!words.matches()) {
      throw at.error("must be QUOTA_US PERIOD_US, such as 2000 10000");
    }
    JobSpec.Guarantee guarantee =
        new JobSpec.Guarantee(Long.parseLong(words.group(1)), Long.parseLong(words.group(2)));
    if (guarantee.quotaUs() < 1 || guarantee.quotaUs() > guarantee.periodUs()) {
      throw at.error("the quota must be from 1 to the period, " + guarantee.periodUs());
    }
    return guarantee;
  }
}
