package io.isle.inference.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.Decider;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.DriftEvent;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.InferenceException;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.SetupResource;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EngineTest implements EngineAccess {
  private static final SlotEvents NOBODY =
      new SlotEvents() {
        @Override
        public void fallback(FallbackEvent event) {}

        @Override
        public void drift(DriftEvent event) {}
      };

  @TempDir private Path folder;

  private final MapFiles files = new MapFiles();
  private String platform = "first";
  private final TestPoint point = new TestPoint(Outside.CLAMP);
  private final List<AuditEvent> audited = new CopyOnWriteArrayList<>();
  private final AuditTrail trail =
      new AuditTrail(() -> new RecordedAudit(audited::add), InferenceException::new);
  private InferenceEngine engine;

  @BeforeEach
  void begin() throws IOException {
    Path keys = Files.createDirectories(folder.resolve("keys"));
    Files.writeString(keys.resolve("one.pub"), ModelFiles.KEY.publicKey().text());
    start();
  }

  private void start() {
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

  private Path file(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  private ModelDeployer deployer() {
    return new ModelDeployer(this, folder);
  }

  /** The bundle restarts, and the owner of the decision finds it again. */
  private void restart() {
    engine.close();
    engine.owners().removed(point);
    start();
  }

  private void come() {
    engine.owners().added(point);
    while (point.deciders == null) {
      Thread.onSpinWait();
    }
  }

  private int decide() {
    int[] out = new int[1];
    try (Decider decider = point.deciders.open("team-a", 1, () -> {})) {
      long ignored = decider.decide(new int[] {1, 2}, out);
    }
    return out[0];
  }

  @Test
  void theOwnerComesAndGoesWithItsModels() throws IOException {
    come();
    Path file = file("a.islemodel", ModelFiles.signed(point.spec(), 1, 10));
    Administration administration =
        new Administration(engine, new SettingsFiles(new MapFiles(), Map.of(), why -> {}));
    assertEquals("test_point", administration.load(file, false).name());
    Decider decider = point.deciders.open("team-a", 1, () -> {});
    assertTrue(decider.wanted());
    engine.owners().removed(point);
    assertEquals(null, point.deciders);
    assertFalse(decider.wanted());
    int[] out = new int[1];
    assertEquals(0, decider.decide(new int[] {1, 2}, out));
    assertEquals(TestPoint.RULE, out[0]);
    come();
    assertEquals(11, decide());
  }

  @Test
  void theEngineGoesAndComesBack() throws IOException, InterruptedException {
    come();
    deployer().install(file("a.islemodel", ModelFiles.signed(point.spec(), 1, 10)).toFile());
    Decider decider = point.deciders.open("team-a", 1, () -> {});
    engine.close();
    engine.owners().removed(point);
    assertEquals(null, point.deciders);
    assertFalse(decider.wanted());
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (isOfEngine(thread)) {
        // it has ended its work, but perhaps not yet itself
        thread.join();
      }
    }
    start();
    come();
    assertEquals(11, decide());
  }

  private static boolean isOfEngine(Thread thread) {
    return thread.getName().equals("isle-inference") || thread.getName().equals("isle-models");
  }

  @Test
  void aSecondOwnerIsIgnored() {
    come();
    TestPoint second = new TestPoint(Outside.REJECT);
    engine.owners().added(second);
    engine.owners().removed(second);
    assertEquals(null, second.deciders);
    assertEquals(TestPoint.RULE, decide());
  }

  @Test
  void aFileInDeployWaitsForItsOwner() throws IOException {
    ModelDeployer deployer = deployer();
    Path file = file("a.islemodel", ModelFiles.signed(point.spec(), 1, 10));
    assertTrue(deployer.canHandle(file.toFile()));
    assertFalse(deployer.canHandle(file("a.jar", new byte[1]).toFile()));
    deployer.install(file.toFile());
    assertEquals(List.of(), audited);
    come();
    while (audited.isEmpty()) {
      Thread.onSpinWait();
    }
    assertEquals("model.load", audited.getFirst().action());
    assertEquals(11, decide());
    Files.delete(file);
    deployer.uninstall(file.toFile());
    assertEquals(TestPoint.RULE, decide());
    assertEquals("model.unload", audited.getLast().action());
  }

  @Test
  void aBadFileInDeployIsAudited() throws IOException {
    come();
    byte[] bad = ModelFiles.signed(point.spec(), 1, 10);
    bad[bad.length - 1] ^= 1;
    deployer().install(file("bad.islemodel", bad).toFile());
    assertEquals(Errno.EINVAL, audited.getFirst().code());
    assertTrue(audited.getFirst().detail().startsWith("BAD_HASH"), audited.toString());
    deployer().install(file("none.islemodel", new byte[7]).toFile());
    assertTrue(audited.getLast().detail().startsWith("BAD_MAGIC"), audited.toString());
  }

  /** The model is that of a file which goes while the platform is down. */
  @Test
  void aFileThatGoesUnseenTakesItsModelOutAtTheStart() throws IOException {
    come();
    Path file = file("a.islemodel", ModelFiles.signed(point.spec(), 1, 10));
    deployer().install(file.toFile());
    restart();
    ModelDeployer ignored = deployer();
    come();
    assertEquals(11, decide());
    Files.delete(file);
    restart();
    ModelDeployer again = deployer();
    assertEquals("model.unload", audited.getLast().action());
    assertEquals("test_point", audited.getLast().object());
    come();
    assertEquals(TestPoint.RULE, decide());
    again.uninstall(file.toFile());
    assertEquals(2, audited.size(), "once");
  }

  private SetupResource job() throws IOException {
    Path file = file("a", ModelFiles.signed(point.spec(), 1, 10, ModelFiles.OTHER));
    Path key = Files.writeString(folder.resolve("k"), ModelFiles.OTHER.publicKey().text());
    return new SetupResource(
        "test_point", new ActionValues(Map.of("file", file.toString(), "key", key.toString())));
  }

  @Test
  void theModelOfAJobOutlivesTheEngineAndItsFiles() throws IOException {
    come();
    SetupResource resource = job();
    new ModelSetup(this).make(resource);
    assertEquals(new ModelSetup(this).pids(resource), files.files.keySet());
    Files.delete(folder.resolve("a"));
    Files.delete(folder.resolve("k"));
    restart();
    come();
    assertEquals(11, decide());
    assertTrue(engine.named("test_point").info().ofJob());
    engine.owners().removed(point);
    come();
    assertEquals(11, decide(), "the owner of the decision restarts");
    ModelSetup setup = new ModelSetup(this);
    setup.remove(new SetupResource(resource.name(), resource.values()));
    assertEquals(11, decide(), "an equal resource is another job's");
    setup.remove(resource);
    assertEquals(TestPoint.RULE, decide());
    assertEquals(Map.of(), files.files);
    restart();
    come();
    assertEquals(TestPoint.RULE, decide());
  }

  @Test
  void theModelOfAJobThatEndsWithoutTheEngineDoesNotComeBack() throws IOException {
    come();
    SetupResource resource = job();
    new ModelSetup(this).make(resource);
    engine.close();
    engine.owners().removed(point);
    // what jobs do for a kind of set-up that is not there
    files.files.clear();
    start();
    come();
    assertEquals(TestPoint.RULE, decide());
    new ModelSetup(this).remove(resource);
    assertEquals(List.of("model.job_begin"), audited.stream().map(AuditEvent::action).toList());
  }

  @Test
  void theModelOfAJobEndsWithThePlatform() throws IOException {
    come();
    new ModelSetup(this).make(job());
    platform = "second";
    restart();
    come();
    assertEquals(TestPoint.RULE, decide());
  }

  @Test
  void aJobHasAModelOfItsOwn() throws IOException {
    come();
    SetupResource resource = job();
    SetupResource other = new SetupResource(resource.name(), resource.values());
    ModelSetup setup = new ModelSetup(this);
    setup.make(resource);
    assertEquals(11, decide());
    assertEquals(
        Errno.EEXIST, assertThrows(InferenceException.class, () -> setup.make(other)).code());
    setup.remove(other);
    assertEquals(11, decide());
    setup.remove(resource);
    assertEquals(TestPoint.RULE, decide());
    assertEquals(
        List.of("model.job_begin", "model.job_begin", "model.job_end"),
        audited.stream().map(AuditEvent::action).toList());
    assertTrue(setup.check(new SetupResource("No", resource.values())).isPresent());
  }

  @Test
  void anUnknownDecisionIsNamed() {
    InferenceException e =
        assertThrows(InferenceException.class, () -> engine.named("x".repeat(100)));
    assertEquals(Errno.ENOENT, e.code());
    assertTrue(e.getMessage().length() < 100, e.getMessage());
  }
}
