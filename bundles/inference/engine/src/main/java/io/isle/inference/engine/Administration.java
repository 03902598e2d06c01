package io.isle.inference.engine;

import io.isle.api.inference.Models.Captured;
import io.isle.api.inference.SlotInfo;
import io.isle.inference.engine.decide.Mode;
import io.isle.inference.engine.settings.SlotSettings;
import io.isle.inference.engine.slot.ModelSlot;
import io.isle.inference.engine.slot.SlotAdmin;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** What administrators do: models by slots, modes by settings. Thread-safe. */
final class Administration {
  private final InferenceEngine engine;
  private final SettingsFiles files;

  Administration(InferenceEngine engine, SettingsFiles files) {
    this.engine = engine;
    this.files = files;
  }

  SlotInfo load(Path file, boolean unsigned) {
    byte[] bytes = engine.loader().read(file);
    ModelSlot slot = engine.slotOf(bytes);
    boolean ignored = SlotAdmin.load(slot, bytes, unsigned);
    return slot.info();
  }

  SlotInfo shadow(Path file, boolean unsigned) {
    byte[] bytes = engine.loader().read(file);
    ModelSlot slot = engine.slotOf(bytes);
    SlotAdmin.shadow(slot, bytes, unsigned);
    return slot.info();
  }

  void unload(String name) {
    SlotAdmin.unload(engine.named(name));
  }

  void enable(String name, String group) {
    ModelSlot slot = engine.named(name);
    if (group.isEmpty()) {
      SlotAdmin.enable(slot);
      mode(slot, Mode.ACTIVE);
    } else {
      SlotAdmin.reset(slot, group);
    }
  }

  void disable(String name, String group) {
    ModelSlot slot = engine.named(name);
    if (group.isEmpty()) {
      mode(slot, Mode.OFF);
    } else {
      SlotAdmin.disable(slot, group);
    }
  }

  void heuristic(String name) {
    mode(engine.named(name), Mode.HEURISTIC);
  }

  private void mode(ModelSlot slot, Mode mode) {
    files.set(slot.name(), SlotSettings.MODE_KEY, mode.name().toLowerCase(Locale.ROOT));
    engine.settings(files.engine(), files.slots());
  }

  void reset(String name, String group) {
    SlotAdmin.reset(engine.named(name), group);
  }

  void rollback(String name) {
    SlotAdmin.rollback(engine.named(name));
  }

  void retry(String name, String group) {
    SlotAdmin.retry(engine.named(name), group);
  }

  void hold(String name, String group) {
    SlotAdmin.hold(engine.named(name), group);
  }

  Captured capture(String name, Path file, long records, Duration most)
      throws InterruptedException {
    return SlotAdmin.capture(engine.named(name), file, records, most);
  }
}
