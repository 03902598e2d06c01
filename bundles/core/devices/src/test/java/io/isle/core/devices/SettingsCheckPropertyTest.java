package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class SettingsCheckPropertyTest {
  @Property
  void anyTextIsEitherRefusedOrGood(@ForAll Map<String, String> raw) {
    SettingsCheck.Result result = SettingsCheck.check(Fixtures.SOFT, raw);
    assertEquals(result.desired().isEmpty(), !result.refusal().isEmpty());
  }
}
