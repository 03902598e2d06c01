package io.isle.api.spin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RulesetsTest {
  private static final MatchRule ECHO = new MatchRule(8, 0xFF00, 0x0800, 0x0800);

  private static Ruleset one(String text) {
    return Rulesets.parse(text).all().getFirst();
  }

  @Provide
  Arbitrary<Rulesets> any() {
    Arbitrary<MatchRule> named =
        Arbitraries.of(
            MatchRule.TRUE,
            MatchRule.FALSE,
            MatchRule.IP,
            MatchRule.SLMP_EOM,
            MatchRule.ipProtocol(255),
            MatchRule.udpSource(0),
            MatchRule.udpDestination(65535));
    Arbitrary<MatchRule> raw =
        Combinators.combine(
                Arbitraries.integers().between(0, MatchRule.MOST_INDEX),
                Arbitraries.integers(),
                Arbitraries.integers(),
                Arbitraries.integers())
            .as(MatchRule::new);
    Arbitrary<MatchRule> rule = Arbitraries.oneOf(named, raw);
    return Combinators.combine(
            Arbitraries.of(MatchMode.class), rule.list().ofMaxSize(Ruleset.RULES), rule)
        .as(Ruleset::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(Rulesets.SLOTS)
        .map(Rulesets::new);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void theTextOfAnyRulesetsIsRead(@ForAll("any") Rulesets rulesets) {
    assertEquals(rulesets, Rulesets.parse(rulesets.text()));
  }

  @Test
  void rulesetsStandInTheOrderOfTheirSlots() {
    Rulesets all = Rulesets.parse(" AND IP IP_PROTO(17)  UDP_DPORT(9330) EOM SLMP_EOM;OR IP ;udp");
    assertEquals(RulesetPreset.SLMP.ruleset(), all.all().get(0));
    assertEquals(
        new Ruleset(MatchMode.OR, List.of(MatchRule.IP), MatchRule.FALSE), all.all().get(1));
    assertEquals(RulesetPreset.UDP.ruleset(), all.all().get(2));
    assertEquals(
        "AND IP IP_PROTO(17) UDP_DPORT(9330) EOM SLMP_EOM; OR IP EOM FALSE;"
            + " AND IP IP_PROTO(17) EOM FALSE",
        all.text());
  }

  @Test
  void theModeSaysWhatMissingRulesAre() {
    assertEquals(List.of(MatchRule.IP, MatchRule.TRUE, MatchRule.TRUE), one("AND IP").rules());
    assertEquals(List.of(MatchRule.IP, MatchRule.FALSE, MatchRule.FALSE), one("OR IP").rules());
    assertTrue(one("AND").packetsStandAlone());
    assertTrue(one("AND EOM {0, 0, 2, 1}").packetsStandAlone());
    assertFalse(one("AND EOM TRUE").packetsStandAlone());
  }

  @Test
  void presetsAreTheirRules() {
    assertEquals(one("AND FALSE FALSE FALSE EOM FALSE"), one("bypass"));
    assertEquals(one("AND TRUE TRUE TRUE EOM TRUE"), one("match"));
    assertEquals(one("AND IP IP_PROTO(17)"), one("udp"));
    assertEquals(one("AND IP IP_PROTO(17) UDP_DPORT(9330) EOM SLMP_EOM"), one("slmp"));
    assertEquals(one("AND IP IP_PROTO(1) {8, 0xff00, 0x0800, 0x0800}"), one("icmp-echo"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{8, 0xff00, 0x0800, 0x0800}",
        "{8,65280,2048,2048}",
        "{ 8, 0xFF00u, 0X800UL, 2048L, }",
        "{.idx = 8, .mask = 0xff00, .start = 0x0800, .end = 0x0800}",
        "{.end = 0x800, .idx = 8, 0xff00, 0x800}",
        "(struct fpspin_rule){8, 0xff00, 0x0800, 0x0800}",
        "((struct fpspin_rule) {.idx=8,.mask=0xff00,.start=0x0800,.end=0x0800})",
        "(( fpspin_rule_t ){8, 0xff00, 0x0800, 0x0800})"
      })
  void numbersAreWrittenAsInC(String rule) {
    assertEquals(
        new Ruleset(MatchMode.AND, List.of(ECHO, MatchRule.IP), ECHO),
        one("AND " + rule + " IP EOM " + rule));
  }

  @Test
  void namesOfTheFpgasHeaderAreTaken() {
    String text =
        "FPSPIN_MODE_OR FPSPIN_RULE_IP FPSPIN_RULE_IP_PROTO(0x11) FPSPIN_RULE_UDP_SPORT(53)"
            + " EOM FPSPIN_RULE_EMPTY";
    assertEquals(one("OR IP IP_PROTO(17) UDP_SPORT(53) EOM TRUE"), one(text));
  }

  @ParameterizedTest
  @CsvSource({
    "'', 1, 'AND, OR or the name of a ruleset is expected, not the end'",
    "'  ;', 3, 'is expected, not '';'''",
    "udp;, 5, 'is expected, not the end'",
    "and IP, 1, 'a ruleset begins with AND, OR or is one of bypass, match, udp, slmp, icmp-echo'",
    "udp IP, 5, ''';'' or the end is expected, not ''I'''",
    "AND TCP, 5, '''TCP'' is no rule; rules are TRUE, FALSE'",
    "AND IP_PROTO(256), 14, 'the protocol is above 255'",
    "AND UDP_DPORT(65536), 15, 'the port is above 65535'",
    "AND UDP_DPORT, 14, '''('' is expected before the number, not the end'",
    "AND UDP_DPORT(0x), 15, 'a number is expected as the port'",
    "AND UDP_DPORT(1x), 16, 'the number has to end'",
    "AND UDP_DPORT(010), 15, 'which C reads as octal'",
    "AND UDP_DPORT(-1), 15, 'a number is expected as the port, not ''-'''",
    "AND IP IP IP IP, 14, 'at most 3 rules; EOM or '';'' is expected'",
    "AND EOM, 8, 'a rule is expected, not the end'",
    "AND EOM IP IP, 12, ''';'' or the end is expected'",
    "AND IP IP_PROTO(17) ?, 21, ''';'' or the end is expected, not ''?'''",
    "'AND {17, 0, 0, 0}', 6, 'idx is above 16'",
    "'AND {0, 0x100000000, 0, 0}', 9, 'mask is above 0xffffffff'",
    "'AND {0, 4294967296, 0, 0}', 9, 'mask is above 4294967295'",
    "'AND {0, 0, 0}', 5, 'the rule has no end'",
    "'AND {0, 0, 0, 0, 0}', 18, 'a rule has four numbers'",
    "'AND {.idx = 1, .idx = 2}', 23, 'idx is there twice'",
    "'AND {.key = 1}', 7, '''key'' is no field; fields are idx, mask, start, end'",
    "'AND (int){0, 0, 0, 0}', 6, 'the cast is to ''int'', not to struct fpspin_rule'",
    "'AND ({0, 0, 0, 0}', 18, ''')'' is expected behind the rule, not the end'",
    "'AND (((((((((', 13, 'more than 8 parentheses'",
    "udp;udp;udp;udp;udp, 17, 'more than 4 rulesets'"
  })
  void mistakesAreNamedWithTheirColumn(String text, int column, String reason) {
    SpinException e = assertThrows(SpinException.class, () -> Rulesets.parse(text));
    assertEquals(Errno.EINVAL, e.code());
    assertTrue(e.getMessage().startsWith("rules, column " + column + ": "), e.getMessage());
    assertTrue(e.getMessage().contains(reason), e.getMessage());
  }

  @Test
  void limitsAreChecked() {
    for (int index : new int[] {-1, 17}) {
      SpinException e = assertThrows(SpinException.class, () -> new MatchRule(index, 0, 0, 0));
      assertEquals(Errno.EINVAL, e.code());
      assertEquals("idx " + index + " is not in 0..16", e.getMessage());
    }
    String spaces = " ".repeat(RuleTokens.MOST_CHARACTERS);
    assertThrows(SpinException.class, () -> Rulesets.parse("udp" + spaces));
    assertThrows(SpinException.class, () -> new Rulesets(List.of()));
    assertThrows(SpinException.class, () -> MatchRule.ipProtocol(-1));
    List<MatchRule> four = List.of(ECHO, ECHO, ECHO, ECHO);
    assertThrows(SpinException.class, () -> new Ruleset(MatchMode.OR, four, MatchRule.TRUE));
  }
}
