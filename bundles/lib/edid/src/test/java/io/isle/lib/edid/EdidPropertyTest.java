package io.isle.lib.edid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Screens that lie. */
class EdidPropertyTest {
  @Property
  void whateverComesIsReadWithinBoundsOrRefused(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 40) int changes) {
    byte[] all = EdidTest.bytes(0);
    Random random = new Random(seed);
    for (int i = 0; i < changes; i++) {
      all[8 + random.nextInt(117)] = (byte) random.nextInt();
    }
    Edid edid;
    try {
      edid = Edid.of(EdidTest.summed(all));
    } catch (EdidException e) {
      assertEquals(Errno.EPROTO, e.code());
      return;
    }
    assertTrue(edid.maker().matches("[A-Z]{3}"), edid.maker());
    assertTrue(edid.name().matches("[ -~]{0,13}"), edid.name());
    for (Edid.Timing mode : edid.timings()) {
      assertFalse(mode.width() < 1 || mode.width() > 4095 || mode.hbp() < 0 || mode.vbp() < 0);
      assertTrue(mode.refreshMillihertz() >= 1 && mode.refreshMillihertz() <= 1_000_000);
    }
  }
}
