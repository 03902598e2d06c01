package io.isle.api.spin;

import java.util.List;

/** Reads one rule: a name, or numbers in braces as C writes them, with or without a cast. */
final class RuleReader {
  private static final String PREFIX = "FPSPIN_RULE_";
  private static final String NAMES =
      "TRUE, FALSE, EMPTY, IP, IP_PROTO(n), UDP_SPORT(n), UDP_DPORT(n), SLMP_EOM,"
          + " {idx, mask, start, end}";
  private static final List<String> FIELDS = List.of("idx", "mask", "start", "end");
  private static final long MOST_WORD = 0xFFFF_FFFFL;
  private static final int MOST_PARENTHESES = 8;

  private final RuleTokens tokens;

  RuleReader(RuleTokens tokens) {
    this.tokens = tokens;
  }

  /** Whether a rule may begin here. */
  boolean begins() {
    return tokens.seesName() || tokens.sees('{') || tokens.sees('(');
  }

  MatchRule rule() {
    if (tokens.sees('{') || tokens.sees('(')) {
      return raw(0);
    }
    int place = tokens.place();
    String name = tokens.name("a rule");
    return switch (name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name) {
      case "TRUE", "EMPTY" -> MatchRule.TRUE;
      case "FALSE" -> MatchRule.FALSE;
      case "IP" -> MatchRule.IP;
      case "SLMP_EOM" -> MatchRule.SLMP_EOM;
      case "IP_PROTO" -> MatchRule.ipProtocol(argument("the protocol", 0xFF));
      case "UDP_SPORT" -> MatchRule.udpSource(argument("the port", 0xFFFF));
      case "UDP_DPORT" -> MatchRule.udpDestination(argument("the port", 0xFFFF));
      default ->
          throw tokens.failure(place, RuleTokens.shown(name) + " is no rule; rules are " + NAMES);
    };
  }

  private int argument(String what, int most) {
    tokens.expect('(', "before the number");
    int number = tokens.number(what, most);
    tokens.expect(')', "behind the number");
    return number;
  }

  /** Braces, in any parentheses, with a cast before them. */
  private MatchRule raw(int depth) {
    if (!tokens.takes('(')) {
      return fields();
    }
    if (depth == MOST_PARENTHESES) {
      throw tokens.failure("more than " + MOST_PARENTHESES + " parentheses");
    }
    if (tokens.seesName()) {
      cast();
      return raw(depth + 1);
    }
    MatchRule rule = raw(depth + 1);
    tokens.expect(')', "behind the rule");
    return rule;
  }

  private void cast() {
    int place = tokens.place();
    String type = tokens.name("a type");
    if (type.equals("struct")) {
      type = type + " " + tokens.name("the name of the struct");
    }
    if (!type.equals("struct fpspin_rule") && !type.equals("fpspin_rule_t")) {
      throw tokens.failure(
          place, "the cast is to " + RuleTokens.shown(type) + ", not to struct fpspin_rule");
    }
    tokens.expect(')', "behind the type");
  }

  /** As C fills a struct: a designator says which field the next number is. */
  private MatchRule fields() {
    int place = tokens.place();
    tokens.expect('{', "before the numbers");
    int[] values = new int[FIELDS.size()];
    int known = 0;
    int next = 0;
    do {
      if (tokens.sees('}')) {
        break;
      }
      if (tokens.takes('.')) {
        next = designated();
      }
      if (next == FIELDS.size()) {
        throw tokens.failure(tokens.place(), "a rule has four numbers: idx, mask, start, end");
      }
      if ((known & 1 << next) != 0) {
        throw tokens.failure(tokens.place(), FIELDS.get(next) + " is there twice");
      }
      values[next] = tokens.number(FIELDS.get(next), next == 0 ? MatchRule.MOST_INDEX : MOST_WORD);
      known |= 1 << next;
      next++;
    } while (tokens.takes(','));
    tokens.expect('}', "behind the numbers");
    checkComplete(place, known);
    return new MatchRule(values[0], values[1], values[2], values[3]);
  }

  private int designated() {
    int place = tokens.place();
    String name = tokens.name("a field");
    int field = FIELDS.indexOf(name);
    if (field < 0) {
      throw tokens.failure(
          place, RuleTokens.shown(name) + " is no field; fields are idx, mask, start, end");
    }
    tokens.expect('=', "behind the field");
    return field;
  }

  private void checkComplete(int place, int known) {
    for (int i = 0; i < FIELDS.size(); i++) {
      if ((known & 1 << i) == 0) {
        throw tokens.failure(place, "the rule has no " + FIELDS.get(i));
      }
    }
  }
}
