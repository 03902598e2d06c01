package io.isle.inference.engine;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.Decider;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.DriftEvent;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.InferenceException;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import io.isle.core.testing.RecordedAudit;
import io.isle.inference.engine.decide.TestPoint;
import io.isle.inference.engine.load.TrustedModelKeys;
import io.isle.inference.engine.settings.EngineSettings;
import io.isle.inference.engine.slot.ModelFiles;
import io.isle.inference.engine.slot.SlotEvents;
import io.isle.inference.engine.store.SlotStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An engine with one decision whose owner comes, and folders that outlive both. */
abstract class EngineWorld implements EngineAccess {
  private static final SlotEvents NOBODY =
      new SlotEvents() {
        @Override
        public void fallback(FallbackEvent event) {}

        @Override
        public void drift(DriftEvent event) {}
      };

  @TempDir Path folder;

  final MapFiles files = new MapFiles();
  String platform = "first";
  final TestPoint point = new TestPoint(Outside.CLAMP);
  final List<AuditEvent> audited = new CopyOnWriteArrayList<>();
  final AuditTrail trail =
      new AuditTrail(() -> new RecordedAudit(audited::add), InferenceException::new);
  InferenceEngine engine;

  @BeforeEach
  void begin() throws IOException {
    Path keys = Files.createDirectories(folder.resolve("keys"));
    Files.writeString(keys.resolve("one.pub"), ModelFiles.KEY.publicKey().text());
    start();
  }

  void start() {
    engine =
        new InferenceEngine(
            new SlotStore(folder.resolve("models")),
            new TrustedModelKeys(
                folder.resolve("keys"), Clock.fixed(ModelFiles.NOW, ZoneOffset.UTC)),
            new JobModels(files, platform),
            MonotonicClock.SYSTEM,
            NOBODY,
            EngineSettings.DEFAULT,
            Map.of());
  }

  @AfterEach
  void end() {
    engine.close();
  }

  @Override
  public InferenceEngine engine() {
    return engine;
  }

  @Override
  public AuditTrail trail() {
    return trail;
  }

  Path file(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  ModelDeployer deployer() {
    return new ModelDeployer(this, folder);
  }

  /** The bundle restarts, and the owner of the decision finds it again. */
  void restart() {
    engine.close();
    engine.owners().removed(point);
    start();
  }

  void come() {
    engine.owners().added(point);
    while (point.deciders == null) {
      Thread.onSpinWait();
    }
  }

  int decide() {
    int[] out = new int[1];
    try (Decider decider = point.deciders.open("team-a", 1, () -> {})) {
      long ignored = decider.decide(new int[] {1, 2}, out);
    }
    return out[0];
  }
}
