package io.isle.spin.nic.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.spin.RulesetPreset;
import io.isle.api.spin.SpinException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandlerHeaderTest {
  @Test
  void eachImageHasANameAndRules() {
    assertEquals(
        List.of(
            new HandlerHeader(
                "lib/ping.spin", "ping", Optional.of(RulesetPreset.ICMP_ECHO.ruleset())),
            new HandlerHeader("b.spin", "b", Optional.empty())),
        HandlerHeader.parse("lib/ping.spin; name=ping; rules=\"icmp-echo\", b.spin"));
    assertEquals(
        "AND TRUE {1, 0x1, 0x2, 0x3} EOM FALSE",
        HandlerHeader.parse("a.spin;rules=\"AND TRUE {1, 1, 2, 3}\"")
            .getFirst()
            .rules()
            .orElseThrow()
            .text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "../a.spin | plain path",
        "/a.spin | plain path",
        "a.spin; name=a b | characters of",
        "a.spin; title=a | is not name or rules",
        "a.spin; rules=\"tcp\" | rules, column 1",
        "a.spin; rules=\"udp; udp\" | 2 rulesets",
        "a.spin; rules=\"udp | a quote is not closed"
      })
  void mistakesAreNamed(String header, String words) {
    SpinException refusal = assertThrows(SpinException.class, () -> HandlerHeader.parse(header));
    assertTrue(refusal.getMessage().startsWith("Isle-Handlers: "), refusal.getMessage());
    assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
  }
}
