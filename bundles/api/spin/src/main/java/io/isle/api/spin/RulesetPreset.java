package io.isle.api.spin;

import java.util.List;
import java.util.Locale;

/** Rulesets with a name. */
public enum RulesetPreset {
  /** No packet. */
  BYPASS(MatchMode.AND, List.of(MatchRule.FALSE, MatchRule.FALSE, MatchRule.FALSE), false),
  /** Each packet, as a whole message. */
  MATCH(MatchMode.AND, List.of(), true),
  /** UDP over IPv4; each packet stands alone. */
  UDP(MatchMode.AND, List.of(MatchRule.IP, MatchRule.ipProtocol(17)), false),
  /** Messages of SLMP. */
  SLMP(
      MatchMode.AND,
      List.of(MatchRule.IP, MatchRule.ipProtocol(17), MatchRule.udpDestination(9330)),
      MatchRule.SLMP_EOM),
  /** Echo requests of ICMP; each packet stands alone. */
  ICMP_ECHO(
      MatchMode.AND,
      List.of(MatchRule.IP, MatchRule.ipProtocol(1), new MatchRule(8, 0xFF00, 0x0800, 0x0800)),
      false);

  private final Ruleset ruleset;

  RulesetPreset(MatchMode mode, List<MatchRule> rules, boolean ends) {
    this(mode, rules, ends ? MatchRule.TRUE : MatchRule.FALSE);
  }

  RulesetPreset(MatchMode mode, List<MatchRule> rules, MatchRule endOfMessage) {
    ruleset = new Ruleset(mode, rules, endOfMessage);
  }

  /** The rules. */
  public Ruleset ruleset() {
    return ruleset;
  }

  /** Such as {@code icmp-echo}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
