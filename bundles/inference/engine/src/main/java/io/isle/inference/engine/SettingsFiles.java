package io.isle.inference.engine;

import io.isle.api.base.ConfigFiles;
import io.isle.api.inference.DecisionSpec;
import io.isle.inference.engine.settings.EngineSettings;
import io.isle.inference.engine.settings.SlotSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The settings of the engine and of all slots. Bad values are told once each. Thread-safe. */
final class SettingsFiles {
  private final ConfigFiles files;
  private final Consumer<String> log;
  private final Map<String, Map<String, String>> seen = new HashMap<>();
  private EngineSettings engine = EngineSettings.DEFAULT;
  private Map<String, SlotSettings> slots = Map.of();

  SettingsFiles(ConfigFiles files, Map<String, Object> properties, Consumer<String> log) {
    this.files = files;
    this.log = log;
    engine(properties);
    refresh();
  }

  /** Takes over settings of the engine. */
  synchronized void engine(Map<String, Object> properties) {
    engine = engine.change(properties, why -> log.accept(EngineSettings.PID + ": " + why));
  }

  /** Reads the settings of slots. */
  synchronized void refresh() {
    Map<String, SlotSettings> now = new TreeMap<>();
    files
        .instances(SlotSettings.FACTORY_PID)
        .forEach(
            (name, given) -> {
              boolean news = !given.equals(seen.put(name, Map.copyOf(given)));
              if (!DecisionSpec.NAME.matcher(name).matches()) {
                tell(news, name, "the name does not match " + DecisionSpec.NAME);
                return;
              }
              SlotSettings before = slots.getOrDefault(name, SlotSettings.DEFAULT);
              now.put(name, before.change(given, why -> tell(news, name, why)));
            });
    seen.keySet().retainAll(files.instances(SlotSettings.FACTORY_PID).keySet());
    slots = Map.copyOf(now);
  }

  private void tell(boolean news, String name, String why) {
    if (news) {
      log.accept(pid(name) + ": " + why);
    }
  }

  /** Writes one setting of a slot, and takes it over. */
  void set(String name, String key, String value) {
    files.set(pid(name), Map.of(key, value));
    refresh();
  }

  synchronized EngineSettings engine() {
    return engine;
  }

  synchronized Map<String, SlotSettings> slots() {
    return slots;
  }

  private static String pid(String name) {
    return SlotSettings.FACTORY_PID + "-" + name;
  }
}
