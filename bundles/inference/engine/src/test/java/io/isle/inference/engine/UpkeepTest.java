package io.isle.inference.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.inference.engine.settings.EngineSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UpkeepTest {
  private static final long MS = 1_000_000;

  private long now = -7;
  private final Upkeep upkeep = new Upkeep(() -> now);

  private static EngineSettings with(String key, String value) {
    return EngineSettings.DEFAULT.change(
        Map.of(key, value),
        why -> {
          throw new IllegalArgumentException(why);
        });
  }

  @Test
  void keysAreLookedAtEachSecond() {
    now += 999 * MS;
    assertFalse(upkeep.keysAreDue(EngineSettings.DEFAULT));
    now += MS;
    assertTrue(upkeep.keysAreDue(EngineSettings.DEFAULT));
    assertFalse(upkeep.keysAreDue(EngineSettings.DEFAULT));
    now += 100 * MS;
    assertFalse(upkeep.keysAreDue(EngineSettings.DEFAULT));
    assertTrue(upkeep.keysAreDue(with("keys_ms", "100")));
  }

  @Test
  void keptModelsAreTriedEachTenSeconds() {
    now += 9_999 * MS;
    assertFalse(upkeep.reloadIsDue(EngineSettings.DEFAULT));
    now += MS;
    assertTrue(upkeep.reloadIsDue(EngineSettings.DEFAULT));
    now += 1000 * MS;
    assertFalse(upkeep.reloadIsDue(EngineSettings.DEFAULT));
    assertTrue(upkeep.reloadIsDue(with("reload_s", "1")));
  }
}
