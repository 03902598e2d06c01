package io.isle.faces.shell.spin;

import io.isle.api.spin.Ruleset;
import io.isle.faces.shell.Table;

/** How many packets a ruleset has taken, and how many of these end a message. */
final class RulesetCount {
  private final int slot;
  private final Ruleset ruleset;
  private long matched;
  private long eom;

  RulesetCount(int slot, Ruleset ruleset) {
    this.slot = slot;
    this.ruleset = ruleset;
  }

  void add(boolean ends) {
    matched++;
    eom += ends ? 1 : 0;
  }

  boolean packetsStandAlone() {
    return ruleset.packetsStandAlone();
  }

  long matched() {
    return matched;
  }

  long eom() {
    return eom;
  }

  static Table<RulesetCount> table() {
    return new Table<RulesetCount>("")
        .column("slot", count -> count.slot)
        .column("matched", RulesetCount::matched)
        .column("eom", RulesetCount::eom)
        .shownOnly("rules", count -> count.ruleset.text());
  }
}
