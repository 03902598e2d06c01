package io.isle.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingSide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShmSettingsTest {
  private static RingException refused(PortSpec spec) {
    return assertThrows(RingException.class, () -> new ShmTransport().open(spec));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", "a/b", "a b", "ä", "a:1", "a@b", "..", "\u0000a"})
  void namesHaveAForm(String name) {
    RingException refused = refused(Driver.spec(RingSide.PREV, name));
    assertEquals(Errno.EINVAL, refused.code());
    assertTrue(refused.getMessage().startsWith("listen: shm://" + name), refused::getMessage);
  }

  @Test
  void namesHaveAtMost64Characters() {
    assertEquals("a".repeat(64), ShmSettings.of(Driver.spec(RingSide.NEXT, "a".repeat(64))).name());
    RingException refused = refused(Driver.spec(RingSide.NEXT, "a".repeat(65)));
    assertTrue(refused.getMessage().contains("1 to 64 letters"), refused::getMessage);
    ShmSettings longest = ShmSettings.of(Driver.spec(RingSide.NEXT, "a".repeat(64)));
    assertEquals("unix:isle-ring-4294967295-" + "a".repeat(64), longest.socket(-1).toString());
  }

  @Test
  void dialectLeapIsRefusedWithTheSetting() {
    RingException prev = refused(Driver.spec(RingSide.PREV, "a", Dialect.LEAP, 264));
    assertEquals(Errno.ENOTSUP, prev.code());
    assertTrue(prev.getMessage().contains("prev.dialect = isle"), prev::getMessage);
    RingException next = refused(Driver.spec(RingSide.NEXT, "a", Dialect.LEAP, 264));
    assertTrue(next.getMessage().contains("next.dialect = isle"), next::getMessage);
  }

  @Test
  void packetsFitIntoABankWithTheirHeader() {
    int most = 131_072 - 32;
    ShmSettings.of(Driver.spec(RingSide.NEXT, "a", Dialect.ISLE, most));
    RingException refused = refused(Driver.spec(RingSide.NEXT, "a", Dialect.ISLE, most + 1));
    assertEquals(Errno.EMSGSIZE, refused.code());
    assertTrue(refused.getMessage().contains("131040 B"), refused::getMessage);
  }
}
