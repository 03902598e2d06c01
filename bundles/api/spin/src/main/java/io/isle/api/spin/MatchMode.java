package io.isle.api.spin;

/** How the rules of a ruleset combine. */
public enum MatchMode {
  /** Each rule has to hold. */
  AND,
  /** One rule has to hold. */
  OR;

  /** The rule that changes nothing beside others. */
  public MatchRule neutral() {
    return this == AND ? MatchRule.TRUE : MatchRule.FALSE;
  }
}
