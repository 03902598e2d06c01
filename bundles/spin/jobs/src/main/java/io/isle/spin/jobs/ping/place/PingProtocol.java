package io.isle.spin.jobs.ping.place;

import io.isle.api.spin.Ruleset;
import io.isle.api.spin.RulesetPreset;
import java.util.Locale;

/** What requests are made of. */
public enum PingProtocol {
  ICMP(RulesetPreset.ICMP_ECHO),
  UDP(RulesetPreset.UDP);

  private final RulesetPreset rules;

  PingProtocol(RulesetPreset rules) {
    this.rules = rules;
  }

  /** Rules that requests match. */
  public Ruleset rules() {
    return rules.ruleset();
  }

  /** As in job files. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
