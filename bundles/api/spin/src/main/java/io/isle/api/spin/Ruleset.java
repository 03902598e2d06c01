package io.isle.api.spin;

import io.isle.api.base.Errno;
import java.util.ArrayList;
import java.util.List;

/**
 * Which packets an execution context handles, and which of these end a message. Immutable.
 *
 * @param rules three rules; fewer are filled with those that change nothing
 * @param endOfMessage holds for the last packet of a message
 */
public record Ruleset(MatchMode mode, List<MatchRule> rules, MatchRule endOfMessage) {
  /** Rules that decide whether a packet matches. */
  public static final int RULES = 3;

  /** Checks and fills the rules. */
  public Ruleset {
    if (rules.size() > RULES) {
      throw new SpinException(
          Errno.EINVAL, "a ruleset has " + rules.size() + " rules; at most " + RULES + " go");
    }
    List<MatchRule> all = new ArrayList<>(rules);
    while (all.size() < RULES) {
      all.add(mode.neutral());
    }
    rules = List.copyOf(all);
  }

  /**
   * Whether each packet stands alone, as no packet can end a message; else the packets of one id
   * are a message.
   */
  public boolean packetsStandAlone() {
    return endOfMessage.isFalse();
  }

  /** The text form, such as {@code AND IP IP_PROTO(17) EOM FALSE}; {@link Rulesets} reads it. */
  public String text() {
    int shown = RULES;
    while (shown > 0 && rules.get(shown - 1).equals(mode.neutral())) {
      shown--;
    }
    StringBuilder text = new StringBuilder(mode.name());
    rules.stream().limit(shown).forEach(rule -> text.append(' ').append(rule.text()));
    return text.append(" EOM ").append(endOfMessage.text()).toString();
  }
}
