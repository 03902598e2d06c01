package io.isle.inference.engine.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.inference.Decider;
import io.isle.api.inference.ModelInfo;
import io.isle.inference.engine.decide.TestPoint;
import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelFault;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlotAdminTest {
  @TempDir private Path folder;
  private SlotWorld world;

  @BeforeEach
  void begin() {
    world = new SlotWorld(folder);
  }

  private boolean load(long serial, int bias) {
    return SlotAdmin.load(world.slot, world.model(serial, bias), false);
  }

  private ModelFault refused(Runnable load) {
    return assertThrows(ModelException.class, load::run).fault();
  }

  private int code(Runnable action) {
    return assertThrows(IsleException.class, action::run).code();
  }

  @Test
  void aModelServesAtOnceAndOverARestart() {
    assertEquals(TestPoint.RULE, world.decide());
    assertTrue(load(1, 10));
    assertEquals(11, world.decide());
    world.restart();
    assertEquals(11, world.decide());
    ModelInfo model = world.slot.info().serving().orElseThrow();
    assertEquals(1, model.serial());
    assertEquals("linear", model.type());
    assertTrue(model.signer().startsWith("one "), model.signer());
  }

  @Test
  void anOldSerialIsRefusedUnlessByRollback() {
    load(1, 10);
    load(3, 30);
    assertEquals(ModelFault.OLD_SERIAL, refused(() -> load(2, 20)));
    assertEquals(ModelFault.SERIAL_REUSED, refused(() -> load(3, 33)));
    assertFalse(load(3, 30));
    SlotAdmin.rollback(world.slot);
    assertEquals(11, world.decide());
    assertEquals(ModelFault.OLD_SERIAL, refused(() -> load(2, 20)));
    world.restart();
    assertEquals(11, world.decide());
    assertEquals(3, world.slot.info().newestSerial().orElseThrow());
    assertEquals(3, world.slot.info().previous().orElseThrow().serial());
    SlotAdmin.rollback(world.slot);
    assertEquals(31, world.decide());
  }

  @Test
  void aShadowIsScoredAndServesWhenEnabled() {
    load(1, 10);
    SlotAdmin.shadow(world.slot, world.model(2, 20), false);
    assertEquals(11, world.decide());
    world.restart();
    assertEquals(11, world.decide());
    try (Decider decider = world.open("team-a")) {
      world.outcomes(decider, 50, 70);
    }
    assertEquals(50, world.slot.info().shadow().orElseThrow().counters().outcomes());
    SlotAdmin.enable(world.slot);
    assertEquals(21, world.decide());
    assertTrue(world.slot.info().shadow().isEmpty());
    assertEquals(1, world.slot.info().previous().orElseThrow().serial());
    world.restart();
    assertEquals(21, world.decide());
  }

  @Test
  void theLastOutcomesOfAClosedDeciderCount() {
    load(1, 10);
    try (Decider decider = world.open("team-a")) {
      int[] out = new int[1];
      decider.outcome(decider.decide(new int[] {1, 2}, out), new int[] {5});
    }
    world.slot.round(4096);
    assertEquals(1, world.slot.info().serving().orElseThrow().counters().outcomes());
    assertEquals("team-a", world.slot.info().groups().getFirst().group());
    assertEquals(0, world.slot.info().groups().getFirst().deciders());
  }

  @Test
  void whatIsUnloadedStaysOut() {
    load(1, 10);
    SlotAdmin.unload(world.slot);
    assertEquals(TestPoint.RULE, world.decide());
    world.restart();
    assertEquals(TestPoint.RULE, world.decide());
    assertEquals(Errno.ENOENT, code(() -> SlotAdmin.unload(world.slot)));
    SlotAdmin.rollback(world.slot);
    assertEquals(11, world.decide());
    assertEquals(Errno.ENOENT, code(() -> SlotAdmin.rollback(world.slot)));
  }

  @Test
  void unsignedModelsNeedTheSettingAndTheOption() {
    byte[] file = ModelFiles.unsigned(world.point.spec(), 9, 10);
    assertEquals(ModelFault.UNSIGNED, refused(() -> SlotAdmin.load(world.slot, file, false)));
    assertEquals(Errno.EPERM, code(() -> SlotAdmin.load(world.slot, file, true)));
    world.setEngine("allow_unsigned", "true");
    assertTrue(SlotAdmin.load(world.slot, file, true));
    assertEquals(11, world.decide());
    load(1, 20);
    SlotAdmin.rollback(world.slot);
    world.restart();
    assertEquals(11, world.decide());
    world.setEngine("allow_unsigned", "false");
    assertEquals(TestPoint.RULE, world.decide());
    assertEquals("signature_failed", world.reason());
    world.restart();
    assertEquals(TestPoint.RULE, world.decide());
    assertEquals("signature_failed", world.reason());
  }

  @Test
  void aKeyThatGoesTakesItsModelsOut() {
    load(1, 10);
    world.distrust(ModelFiles.KEY);
    assertEquals(TestPoint.RULE, world.decide());
    assertEquals("signature_failed", world.reason());
    assertTrue(world.slot.info().fallback().adminNeeded());
    assertTrue(world.events.contains("entered  signature_failed"), world.events.toString());
    assertEquals(Errno.EACCES, code(() -> SlotAdmin.reset(world.slot, "")));
    world.restart();
    assertEquals(TestPoint.RULE, world.decide());
    world.trust(ModelFiles.KEY);
    world.keysChange();
    assertEquals(TestPoint.RULE, world.decide());
    SlotAdmin.reset(world.slot, "");
    assertEquals(11, world.decide());
    assertEquals("", world.reason());
  }

  @Test
  void aKeyThatExpiresTakesItsModelsOut() {
    load(1, 10);
    world.today = Instant.parse("2027-01-01T00:00:00Z");
    world.slot.judge();
    assertEquals(TestPoint.RULE, world.decide());
    String problem = world.slot.info().problem();
    assertTrue(problem.contains("has expired"), problem);
    world.trust(ModelFiles.OTHER);
    world.today = ModelFiles.NOW;
    world.keysChange();
    SlotAdmin.load(
        world.slot, ModelFiles.signed(world.point.spec(), 2, 20, ModelFiles.OTHER), false);
    assertEquals(21, world.decide());
    assertEquals("", world.reason());
  }

  @Test
  void theModeOffIsAFallbackThatTheAdminEnds() {
    load(1, 10);
    world.set("mode", "off");
    assertEquals(TestPoint.RULE, world.decide());
    assertEquals("model_disabled", world.reason());
    world.pass(4000);
    assertEquals("none", world.slot.info().fallback().step());
    world.restart();
    assertEquals("model_disabled", world.reason());
    world.set("mode", "active");
    assertEquals(11, world.decide());
    assertEquals(List.of("entered  model_disabled", "admin_reset  model_disabled"), world.events);
  }

  @Test
  void aGroupIsSwitchedOffAloneAndOverARestart() {
    load(1, 10);
    SlotAdmin.disable(world.slot, "team-a");
    world.restart();
    assertEquals(TestPoint.RULE, world.decide());
    try (Decider other = world.open("team-b")) {
      assertEquals(11, SlotWorld.decide(other, 1));
    }
    SlotAdmin.reset(world.slot, "team-a");
    assertEquals(11, world.decide());
  }

  @Test
  void retryAndHoldNeedAFallback() {
    load(1, 10);
    assertEquals(Errno.EPERM, code(() -> SlotAdmin.retry(world.slot, "")));
    assertEquals(Errno.ENOENT, code(() -> SlotAdmin.hold(world.slot, "team-a")));
    SlotAdmin.disable(world.slot, "team-a");
    SlotAdmin.hold(world.slot, "team-a");
    assertEquals(Errno.EPERM, code(() -> SlotAdmin.retry(world.slot, "team-a")));
  }

  @Test
  void aFileOfDeployIsLoadedOnceAndGoesWithItsFile() {
    byte[] file = world.model(1, 10);
    assertTrue(SlotAdmin.deploy(world.slot, "a.islemodel", file));
    assertEquals(11, world.decide());
    SlotAdmin.unload(world.slot);
    assertFalse(SlotAdmin.deploy(world.slot, "a.islemodel", file));
    world.restart();
    assertFalse(SlotAdmin.deploy(world.slot, "a.islemodel", file));
    assertEquals(TestPoint.RULE, world.decide());
    assertTrue(SlotAdmin.deploy(world.slot, "a.islemodel", world.model(2, 20)));
    assertEquals(21, world.decide());
    assertFalse(SlotAdmin.undeploy(world.slot, "b.islemodel"));
    assertTrue(SlotAdmin.undeploy(world.slot, "a.islemodel"));
    assertEquals(TestPoint.RULE, world.decide());
  }

  @Test
  void aModelForOtherFeaturesIsRefused() {
    byte[] other =
        ModelFiles.signed(
            new TestPoint("other_point", io.isle.api.inference.DecisionOutput.Outside.CLAMP).spec(),
            1,
            10);
    assertEquals(
        ModelFault.OTHER_DECISION, refused(() -> SlotAdmin.load(world.slot, other, false)));
    assertEquals(TestPoint.RULE, world.decide());
  }
}
