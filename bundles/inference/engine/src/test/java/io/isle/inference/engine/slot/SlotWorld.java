package io.isle.inference.engine.slot;

import io.isle.api.inference.Decider;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.DriftEvent;
import io.isle.api.inference.FallbackEvent;
import io.isle.inference.engine.decide.TestPoint;
import io.isle.inference.engine.load.ModelLoader;
import io.isle.inference.engine.load.TrustedModelKeys;
import io.isle.inference.engine.settings.EngineSettings;
import io.isle.inference.engine.settings.SlotSettings;
import io.isle.inference.engine.store.SlotStore;
import io.isle.lib.signing.SigningKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One slot with its folders, a clock and a platform that restarts. */
final class SlotWorld implements SlotEvents {
  final TestPoint point = new TestPoint(Outside.CLAMP);
  final List<String> events = new ArrayList<>();
  final SlotStore store;
  private final Path keys;
  private final Map<String, String> ofEngine = new HashMap<>();
  Instant today = ModelFiles.NOW;
  long now;
  EngineSettings engine = EngineSettings.DEFAULT;
  SlotSettings settings = SlotSettings.DEFAULT;
  TrustedModelKeys trusted;
  ModelSlot slot;

  SlotWorld(Path folder) {
    store = new SlotStore(folder.resolve("models"));
    keys = folder.resolve("keys");
    trust(ModelFiles.KEY);
    start();
  }

  void trust(SigningKey key) {
    try {
      Files.createDirectories(keys);
      Files.writeString(
          keys.resolve(key.publicKey().info().name() + ".pub"), key.publicKey().text());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void distrust(SigningKey key) {
    try {
      Files.delete(keys.resolve(key.publicKey().info().name() + ".pub"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    keysChange();
  }

  void keysChange() {
    trusted.refresh();
    slot.judge();
  }

  /** The platform starts; what was before is only in folders. */
  void start() {
    trusted =
        new TrustedModelKeys(
            keys,
            new Clock() {
              @Override
              public ZoneOffset getZone() {
                return ZoneOffset.UTC;
              }

              @Override
              public Clock withZone(java.time.ZoneId zone) {
                return this;
              }

              @Override
              public Instant instant() {
                return today;
              }
            });
    slot =
        new ModelSlot(
            point.spec().name(),
            store,
            new ModelLoader(trusted, () -> now, () -> engine),
            () -> now,
            this,
            engine,
            settings);
    point.bind(slot.attach(point));
  }

  void restart() {
    slot.detach();
    start();
  }

  void set(String key, String value) {
    settings =
        settings.change(
            Map.of(key, value),
            why -> {
              throw new IllegalArgumentException(why);
            });
    slot.settings(engine, settings);
  }

  void setEngine(String key, String value) {
    ofEngine.put(key, value);
    engine =
        engine.change(
            ofEngine,
            why -> {
              throw new IllegalArgumentException(why);
            });
    slot.settings(engine, settings);
  }

  byte[] model(long serial, int bias) {
    return ModelFiles.signed(point.spec(), serial, bias);
  }

  Decider open(String group) {
    return point.deciders.open(group, 64, () -> {});
  }

  int decide() {
    try (Decider decider = open("team-a")) {
      return decide(decider, 1);
    }
  }

  static int decide(Decider decider, int a) {
    int[] out = new int[1];
    long ignored = decider.decide(new int[] {a, 0}, out);
    return out[0];
  }

  /** Decisions whose outcome is this, and the time between two looks. */
  void outcomes(Decider decider, int count, int actual) {
    int[] out = new int[1];
    for (int i = 0; i < count; i++) {
      decider.outcome(decider.decide(new int[] {i % 100, i % 7}, out), new int[] {actual});
      if (i % 32 == 0) {
        slot.round(4096);
      }
    }
    slot.round(4096);
  }

  void pass(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
    slot.round(4096);
  }

  String reason() {
    return slot.info().fallback().reason();
  }

  @Override
  public void fallback(FallbackEvent event) {
    events.add(event.type().text() + " " + event.group() + " " + event.reason().text());
  }

  @Override
  public void drift(DriftEvent event) {
    events.add((event.detected() ? "drift " : "drift_ended ") + event.group());
  }
}
