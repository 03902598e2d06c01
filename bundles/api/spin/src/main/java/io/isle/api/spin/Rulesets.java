package io.isle.api.spin;

import io.isle.api.base.Errno;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The rulesets of a network interface, by slot. A packet belongs to the first that it matches.
 * Immutable.
 *
 * @param all 1 to {@link #SLOTS}
 */
public record Rulesets(List<Ruleset> all) {
  /** Most rulesets of a network interface. */
  public static final int SLOTS = 4;

  /** Checks the number. */
  public Rulesets {
    if (all.isEmpty() || all.size() > SLOTS) {
      throw new SpinException(
          Errno.EINVAL, "rules have " + all.size() + " rulesets; 1 to " + SLOTS + " are possible");
    }
    all = List.copyOf(all);
  }

  /**
   * Reads the text form: rulesets, with semicolons between. A ruleset is the name of a {@link
   * RulesetPreset}, or {@code AND} or {@code OR}, up to three rules, and {@code EOM} with one rule.
   * A rule is {@code TRUE}, {@code FALSE}, {@code EMPTY}, {@code IP}, {@code IP_PROTO(n)}, {@code
   * UDP_SPORT(n)}, {@code UDP_DPORT(n)}, {@code SLMP_EOM}, or {@code {idx, mask, start, end}}.
   *
   * @throws SpinException EINVAL with the column of the mistake, from 1
   */
  public static Rulesets parse(String text) {
    return new RulesetReader(text).rulesets();
  }

  /** The text form. */
  public String text() {
    return all.stream().map(Ruleset::text).collect(Collectors.joining("; "));
  }
}
