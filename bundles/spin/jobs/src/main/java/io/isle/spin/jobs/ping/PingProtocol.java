package io.isle.spin.jobs.ping;

import io.isle.api.spin.Ruleset;
import io.isle.api.spin.RulesetPreset;
import java.util.Locale;

/** What requests are made of. */
enum PingProtocol {
  ICMP(RulesetPreset.ICMP_ECHO),
  UDP(RulesetPreset.UDP);

  private final RulesetPreset rules;

  PingProtocol(RulesetPreset rules) {
    this.rules = rules;
  }

  /** Rules that requests match. */
  Ruleset rules() {
    return rules.ruleset();
  }

  /** As in job files. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
