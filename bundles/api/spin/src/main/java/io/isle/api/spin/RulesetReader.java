package io.isle.api.spin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Reads the text form of rulesets. */
final class RulesetReader {
  private static final String PREFIX = "FPSPIN_MODE_";

  private final RuleTokens tokens;
  private final RuleReader rules;

  RulesetReader(String text) {
    tokens = new RuleTokens(text);
    rules = new RuleReader(tokens);
  }

  Rulesets rulesets() {
    List<Ruleset> all = new ArrayList<>();
    do {
      if (all.size() == Rulesets.SLOTS) {
        throw tokens.failure(
            tokens.place(), "more than " + Rulesets.SLOTS + " rulesets; there are no more slots");
      }
      all.add(ruleset());
    } while (tokens.takes(';'));
    if (!tokens.atEnd()) {
      throw tokens.failureHere("';' or the end is expected");
    }
    return new Rulesets(all);
  }

  private Ruleset ruleset() {
    int place = tokens.place();
    String name = tokens.name("AND, OR or the name of a ruleset");
    for (RulesetPreset preset : RulesetPreset.values()) {
      if (preset.text().equals(name)) {
        return preset.ruleset();
      }
    }
    MatchMode mode =
        switch (name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name) {
          case "AND" -> MatchMode.AND;
          case "OR" -> MatchMode.OR;
          default ->
              throw tokens.failure(
                  place,
                  "a ruleset begins with AND, OR or is one of %s, not %s"
                      .formatted(presets(), RuleTokens.shown(name)));
        };
    return combined(mode);
  }

  private Ruleset combined(MatchMode mode) {
    List<MatchRule> some = new ArrayList<>();
    while (rules.begins()) {
      if (tokens.takesName("EOM")) {
        return new Ruleset(mode, some, rules.rule());
      }
      if (some.size() == Ruleset.RULES) {
        throw tokens.failureHere(
            "a ruleset has at most " + Ruleset.RULES + " rules; EOM or ';' is expected");
      }
      some.add(rules.rule());
    }
    return new Ruleset(mode, some, MatchRule.FALSE);
  }

  private static String presets() {
    return Arrays.stream(RulesetPreset.values())
        .map(RulesetPreset::text)
        .collect(Collectors.joining(", "));
  }
}
