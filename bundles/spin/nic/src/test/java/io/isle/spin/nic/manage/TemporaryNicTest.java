package io.isle.spin.nic.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.SpinException;
import io.isle.core.testing.Until;
import io.isle.spin.nic.live.LiveContext;
import io.isle.spin.nic.live.LiveNic;
import io.isle.spin.nic.settings.NicSettings;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Interfaces that no settings describe, beside those of the settings. */
class TemporaryNicTest {
  private final SpinRig rig = new SpinRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private LiveNic make(String name, String port) {
    return rig.core.make(name, NicSettings.of(Map.of("port", port), 2));
  }

  private void settings(String name, String port) {
    rig.nic(name, "port", port);
    assertTrue(Until.holds(() -> rig.core.nic(name).isPresent()), name);
  }

  @Test
  void itLivesThroughChangesOfTheSettings() {
    LiveNic mine = make("mine", "test:m");
    settings("other", "test:o");
    assertTrue(rig.files.delete("io.isle.nic-other"));
    rig.core.filesChanged();
    assertTrue(Until.holds(() -> rig.core.nic("other").isEmpty()), "the settings are gone");
    assertSame(mine, rig.core.nic("mine").orElseThrow());
    LiveContext context =
        rig.core.attach(
            mine, rig.tenant("a"), ContextSpec.of("ping", SpinRig.image("ping", Optional.empty())));
    rig.port("m").arriving.add(SpinRig.frame(1));
    assertTrue(Until.holds(() -> rig.port("m").left.poll() != null), "an answer");
    rig.core.end(mine);
    rig.core.end(mine);
    assertTrue(rig.core.nic("mine").isEmpty());
    assertEquals(ContextState.DETACHED, context.state());
  }

  @Test
  void aNameIsUsedOnce() {
    settings("one", "test:a");
    SpinException refused = assertThrows(SpinException.class, () -> make("one", "test:b"));
    assertEquals(Errno.EEXIST, refused.code());
    assertEquals("test:a", rig.core.nic("one").orElseThrow().settings().port());
  }

  @Test
  void settingsWaitForTheEndOfATemporaryOneOfTheirName() {
    LiveNic mine = make("one", "test:m");
    rig.nic("one", "port", "test:a");
    settings("two", "test:b");
    assertSame(mine, rig.core.nic("one").orElseThrow());
    rig.core.end(mine);
    assertEquals("test:a", rig.core.nic("one").orElseThrow().settings().port());
    rig.core.end(mine);
    assertEquals("test:a", rig.core.nic("one").orElseThrow().settings().port(), "not its own");
  }
}
