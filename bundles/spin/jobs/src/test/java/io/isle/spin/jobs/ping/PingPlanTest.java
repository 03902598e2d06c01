package io.isle.spin.jobs.ping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionValues;
import io.isle.spin.jobs.FakeStep;
import io.isle.spin.jobs.ping.place.PingProtocol;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PingPlanTest {
  private final PingAction action = new PingAction(new FakeNet().services(Path.of("/none")));

  private ActionValues values(Map<String, String> given) {
    return FakeStep.values(action.parameters(), given);
  }

  @Test
  void defaultsAreAPlan() {
    assertEquals(Optional.empty(), action.check(values(Map.of())));
    assertEquals(
        new PingPlan(
            List.of(PingProtocol.ICMP, PingProtocol.UDP),
            List.of(PingMode.HOST, PingMode.OFFLOADED, PingMode.BOTH),
            List.of(16, 64, 256, 1024, 1472),
            20,
            10,
            "auto",
            5_000_000_000L),
        PingPlan.of(values(Map.of())));
  }

  @Test
  void blanksSeparateWordsAndTheirOrderIsKept() {
    PingPlan plan =
        PingPlan.of(values(Map.of("modes", "  both   host ", "sizes", "1472 8", "runs", "6")));
    assertEquals(List.of(PingMode.BOTH, PingMode.HOST), plan.modes());
    assertEquals(List.of(1472, 8), plan.sizes());
  }

  @ParameterizedTest
  @CsvSource({
    "protocols, icmp tcp, 'tcp'",
    "protocols, ' ', one or more of icmp",
    "protocols, udp udp, udp is there twice",
    "modes, host none, 'none'",
    "modes, '', 'one or more of host, offloaded, both'",
    "sizes, '', 1 to 8 different sizes of 8 to 1472 bytes",
    "sizes, 7, '7'",
    "sizes, 1473, '1473'",
    "sizes, 16 64x, '64x'",
    "sizes, 0x10, '0x10'",
    "sizes, 99999999999, '99999999999'",
    "sizes, 16 16, 16 is there twice",
    "sizes, 8 9 10 11 12 13 14 15 16, 9 sizes",
  })
  void mistakesNameTheFieldAndTheLimit(String field, String text, String message) {
    ActionMistake mistake = action.check(values(Map.of(field, text))).orElseThrow();
    assertEquals(field, mistake.parameter());
    assertTrue(mistake.message().contains(message), mistake::message);
  }

  @Test
  void aPortOfUdpHasNoIcmp() {
    Map<String, String> given = Map.of("where", "udp", "protocols", "icmp");
    assertEquals("where", action.check(values(given)).orElseThrow().parameter());
    assertEquals(Optional.empty(), action.check(values(Map.of("where", "udp"))));
  }

  @Test
  void hostileWordsAreCutAndPrintable() {
    ActionMistake mistake =
        action.check(values(Map.of("modes", "\u001b[2J" + "x".repeat(5000)))).orElseThrow();
    assertTrue(mistake.message().startsWith("'?[2Jxxxxxxxxxxxxxxxx...'"), mistake::message);
  }
}
