package io.isle.inference.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.inference.Decider;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.InferenceException;
import io.isle.inference.engine.decide.TestPoint;
import io.isle.inference.engine.slot.ModelFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EngineTest extends EngineWorld {
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
  void anUnknownDecisionIsNamed() {
    InferenceException e =
        assertThrows(InferenceException.class, () -> engine.named("x".repeat(100)));
    assertEquals(Errno.ENOENT, e.code());
    assertTrue(e.getMessage().length() < 100, e.getMessage());
  }
}
