package io.isle.apps.jobs.spec;

import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobAction;
import io.isle.apps.jobs.formula.Numbers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Reads what a step asks for whose kind another bundle brings. */
final class ActionParser {
  /** Keys that such a step may have beside that of its kind. */
  private static final Set<String> COMMON = Set.of("name", "device", "after");

  private final Parameters parameters;
  private final Map<String, JobAction> actions;

  /**
   * @param actions the kinds that there are, by key
   */
  ActionParser(Parameters parameters, Map<String, JobAction> actions) {
    this.parameters = parameters;
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
    Map<String, Located> given =
        at.isEmpty()
            ? Map.of()
            : at.mapping(known.stream().map(ActionParameter::name).toArray(String[]::new));
    Map<String, String> texts = new LinkedHashMap<>();
    for (ActionParameter parameter : known) {
      Located where = given.get(parameter.name());
      Optional<String> text =
          where == null ? parameter.preset() : Optional.of(parameters.text(where));
      Located blamed = where == null ? at : where;
      if (text.isEmpty() && parameter.needed()) {
        throw at.error("needs '" + parameter.name() + "'");
      }
      text.flatMap(value -> checked(parameter, value, blamed))
          .ifPresent(value -> texts.put(parameter.name(), value));
    }
    ActionValues values = new ActionValues(texts);
    action
        .check(values)
        .ifPresent(
            mistake -> {
              throw given.getOrDefault(mistake.parameter(), at).error(mistake.message());
            });
    return new ActionCall(action, values, at);
  }

  /** The value as actions get it; empty for a file that is not wanted. */
  private Optional<String> checked(ActionParameter parameter, String text, Located at) {
    return switch (parameter.kind()) {
      case TEXT -> Optional.of(text);
      case CHOICE -> {
        if (!parameter.choices().contains(text)) {
          throw at.error("'" + text + "' is not one of " + String.join(", ", parameter.choices()));
        }
        yield Optional.of(text);
      }
      case FLAG -> {
        if (!text.equals("true") && !text.equals("false")) {
          throw at.error("must be true or false");
        }
        yield Optional.of(text);
      }
      case WHOLE -> {
        OptionalLong value = Numbers.size(text);
        if (value.isEmpty()
            || value.getAsLong() < parameter.min()
            || value.getAsLong() > parameter.max()) {
          throw at.error(
              "must be a whole number from " + parameter.min() + " to " + parameter.max());
        }
        yield Optional.of(Long.toString(value.getAsLong()));
      }
      case NUMBER -> {
        OptionalDouble value = Numbers.real(text);
        if (value.isEmpty()) {
          throw at.error("must be a number");
        }
        yield Optional.of(Double.toString(value.getAsDouble()));
      }
      case FILE, OUT -> {
        if (text.isEmpty() && parameter.needed()) {
          throw at.error("needs a file");
        }
        yield text.isEmpty() ? Optional.empty() : Optional.of(parameters.path(at, text).toString());
      }
    };
  }
}
