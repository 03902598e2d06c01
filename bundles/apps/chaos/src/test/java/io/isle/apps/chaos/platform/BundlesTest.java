package io.isle.apps.chaos.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.apps.chaos.plan.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

class BundlesTest {
  private final SimulatedPace pace = new SimulatedPace();
  private final FakeBundle leaf = new FakeBundle("leaf");
  private final Bundles bundles =
      new Bundles(FakeBundle.framework(new FakeBundle("other"), leaf), pace);

  @Test
  void aBundleStopsAndStarts() throws Exception {
    assertTrue(bundles.restart("leaf", false));
    assertEquals(List.of("stop", "start"), leaf.calls);
  }

  @Test
  void anUpdatedOneStartsToo() throws Exception {
    assertTrue(bundles.restart("leaf", true));
    assertEquals(List.of("update", "start"), leaf.calls);
  }

  @Test
  void aBusyFrameworkIsAskedAgain() throws Exception {
    leaf.refuse(3);
    assertTrue(bundles.restart("leaf", false));
    assertEquals(List.of("stop", "start"), leaf.calls);
  }

  @Test
  void oneThatDoesNotStartIsNoRestart() throws Exception {
    leaf.refuseAlways("start");
    assertFalse(bundles.restart("leaf", false));
    assertEquals(List.of("stop"), leaf.calls);
    assertTrue(pace.nowMs() >= 20_000, "it was tried for 20 s");
  }

  @Test
  void aBundleThatIsNotThereIsAMistake() {
    assertThrows(IllegalArgumentException.class, () -> bundles.restart("none", false));
  }

  @Test
  void itsHeaderSaysWhetherABundleMayBeRestarted() {
    Bundles found =
        new Bundles(
            FakeBundle.framework(
                new FakeBundle("silent"),
                new FakeBundle("carrier").with(Part.HEADER, "none"),
                new FakeBundle("heavy").with(Part.HEADER, "leaf;weight=3"),
                new FakeBundle("owner").with(Part.HEADER, "core")),
            pace);
    assertEquals(List.of(new Part("heavy", 3, true), new Part("owner", 1, false)), found.parts());
  }

  @Test
  void theLoaderOfAReplacedBundleCountsWhileSomebodyHoldsIt() throws Exception {
    assertTrue(bundles.restart("leaf", false));
    assertEquals(0, bundles.oldLoaders());
    ClassLoader held = leaf.getClassLoader();
    assertTrue(bundles.restart("leaf", true));
    assertEquals(1, bundles.oldLoaders());
    assertTrue(bundles.restart("leaf", false));
    assertEquals(1, bundles.oldLoaders(), "the newest one is in use");
    assertSame(held.getClass(), leaf.getClassLoader().getClass());
  }
}
