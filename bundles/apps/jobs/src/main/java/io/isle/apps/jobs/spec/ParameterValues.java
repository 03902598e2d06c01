package io.isle.apps.jobs.spec;

import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionValues;
import io.isle.apps.jobs.formula.Numbers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Reads values of parameters that another bundle declares. */
final class ParameterValues {
  private final Parameters parameters;

  ParameterValues(Parameters parameters) {
    this.parameters = parameters;
  }

  static String[] names(List<ActionParameter> known) {
    return known.stream().map(ActionParameter::name).toArray(String[]::new);
  }

  /**
   * Checks each value by itself and fills in default values.
   *
   * @param given by name; other keys are not looked at
   * @param at blamed for what is missing
   */
  ActionValues read(List<ActionParameter> known, Map<String, Located> given, Located at) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (ActionParameter parameter : known) {
      Located where = given.get(parameter.name());
      Optional<String> text =
          where == null ? parameter.preset() : Optional.of(parameters.text(where));
      if (text.isEmpty() && parameter.needed()) {
        throw at.error("needs '" + parameter.name() + "'");
      }
      Located blamed = where == null ? at : where;
      text.flatMap(value -> checked(parameter, value, blamed))
          .ifPresent(value -> texts.put(parameter.name(), value));
    }
    return new ActionValues(texts);
  }

  /** Reports a mistake at its parameter, or at the whole. */
  static void report(Optional<ActionMistake> found, Map<String, Located> given, Located at) {
    found.ifPresent(
        mistake -> {
          throw given.getOrDefault(mistake.parameter(), at).error(mistake.message());
        });
  }

  /** The value as its bundle gets it; empty for a file that is not wanted. */
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
