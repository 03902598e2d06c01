package io.isle.apps.jobs.spec;

import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobAction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads what a step asks for whose kind another bundle brings. */
final class ActionParser {
  /** Keys that such a step may have beside that of its kind. */
  private static final Set<String> COMMON = Set.of("name", "device", "after");

  private final ParameterValues values;
  private final Map<String, JobAction> actions;

  /**
   * @param actions the kinds that there are, by key
   */
  ActionParser(Parameters parameters, Map<String, JobAction> actions) {
    values = new ParameterValues(parameters);
    this.actions = actions;
  }

  /** Keys of all kinds, sorted. */
  Set<String> keys() {
    return new TreeSet<>(actions.keySet());
  }

  /** Empty for a step with a program. */
  Optional<ActionCall> call(Map<String, Located> keys) {
    Optional<String> kind = keys.keySet().stream().filter(actions::containsKey).findFirst();
    if (kind.isEmpty()) {
      return Optional.empty();
    }
    keys.forEach(
        (key, where) -> {
          if (!key.equals(kind.get()) && !COMMON.contains(key)) {
            throw where.error("cannot be used together with '" + kind.get() + "' in one step");
          }
        });
    return Optional.of(call(actions.get(kind.get()), keys.get(kind.get())));
  }

  private ActionCall call(JobAction action, Located at) {
    List<ActionParameter> known = action.parameters();
    Map<String, Located> given = at.isEmpty() ? Map.of() : at.mapping(ParameterValues.names(known));
    ActionValues read = values.read(known, given, at);
    ParameterValues.report(action.check(read), given, at);
    return new ActionCall(action, read, at);
  }
}
