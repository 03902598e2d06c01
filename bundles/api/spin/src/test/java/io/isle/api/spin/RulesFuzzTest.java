package io.isle.api.spin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.api.base.Errno;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any text is rules, or is refused with a column; the form of rules is read again. */
class RulesFuzzTest {
  static Stream<byte[]> seeds() {
    return Stream.of(
            "AND IP IP_PROTO(17) UDP_DPORT(9330) EOM SLMP_EOM; OR IP; udp",
            "FPSPIN_MODE_OR ((struct fpspin_rule){.idx = 8, .mask = 0xff00, .start = 1, .end = 2})",
            "AND {8, 0xffffffffUL, 4294967295, 0,} EOM TRUE",
            "AND (((",
            "AND {.idx = 1, .idx",
            "")
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  @MethodSource("seeds")
  @FuzzTest
  void anyTextIsRulesOrRefused(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    Rulesets rulesets;
    try {
      rulesets = Rulesets.parse(text);
    } catch (SpinException e) {
      assertEquals(Errno.EINVAL, e.code());
      assertTrue(e.getMessage().startsWith("rules, column ") || text.length() > 4096);
      return;
    }
    assertEquals(rulesets, Rulesets.parse(rulesets.text()));
  }
}
