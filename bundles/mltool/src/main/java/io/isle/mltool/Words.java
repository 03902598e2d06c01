package io.isle.mltool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Arguments of a verb: options with a value each, flags, and other words in their order. */
final class Words {
  private final Map<String, String> options = new HashMap<>();
  private final List<String> others = new ArrayList<>();

  /**
   * Takes arguments apart.
   *
   * @param args behind the verb
   * @param withValue names of options that have a value, with their dashes
   * @param flags names of options without
   * @throws UsageException an unknown or repeated option, or a missing value
   */
  Words(List<String> args, Set<String> withValue, Set<String> flags) {
    for (int i = 0; i < args.size(); i++) {
      String word = args.get(i);
      if (!word.startsWith("--")) {
        others.add(word);
      } else if (flags.contains(word)) {
        put(word, "");
      } else if (!withValue.contains(word)) {
        throw new UsageException("unknown option " + word);
      } else if (i + 1 == args.size()) {
        throw new UsageException("option " + word + " needs a value");
      } else {
        i++;
        put(word, args.get(i));
      }
    }
  }

  private void put(String option, String value) {
    if (options.put(option, value) != null) {
      throw new UsageException("option " + option + " is given twice");
    }
  }

  /** Whether an option was given. */
  boolean has(String option) {
    return options.containsKey(option);
  }

  /** Whether any option was given. */
  boolean hasOptions() {
    return !options.isEmpty();
  }

  /** The value of an option, if given. */
  Optional<String> value(String option) {
    return Optional.ofNullable(options.get(option));
  }

  /**
   * The value of an option that must be there.
   *
   * @throws UsageException it is not
   */
  String needed(String option) {
    return value(option).orElseThrow(() -> new UsageException("option " + option + " is missing"));
  }

  /**
   * The whole number of an option.
   *
   * @throws UsageException no number from 1 to {@code most}
   */
  int number(String option, int otherwise, int most) {
    String text = value(option).orElse(String.valueOf(otherwise));
    try {
      int number = Integer.parseInt(text);
      if (number >= 1 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new UsageException(option + ": '" + text + "' is not a number from 1 to " + most);
  }

  /** The words that are no options. */
  List<String> others() {
    return others;
  }
}
