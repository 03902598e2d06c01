package io.isle.lib.svg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SvgTextTest {
  /** The widths that a renderer gave them. */
  @Test
  void widthsAreThoseOfTheFont() {
    assertEquals(224, SvgText.width("promised 70.0 %, measured 70.12 %", 12));
    assertEquals(53, SvgText.width("5000 ms", 12));
    assertEquals(82, SvgText.width("flood-overrun", 12));
    assertEquals(0, SvgText.width("", 12));
    assertEquals(36, SvgText.width("\u6f22\u5b57\n", 12));
  }

  @Test
  void whatIsTooWideIsCutShort() {
    assertEquals("flood-overrun", SvgText.fit("flood-overrun", 12, 82));
    assertEquals("flood-ove...", SvgText.fit("flood-overrun", 12, 70));
    assertTrue(SvgText.width(SvgText.fit("m".repeat(1 << 20), 12, 200), 12) <= 200);
    assertEquals("...", SvgText.fit("flood", 12, 1));
  }

  @Test
  void textIsCharacterData() {
    assertEquals("&lt;a b=&quot;&amp;&quot;&gt;??", SvgText.escape("<a b=\"&\">\u0001\ud800"));
  }
}
