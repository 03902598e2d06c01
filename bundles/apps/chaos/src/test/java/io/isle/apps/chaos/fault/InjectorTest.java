package io.isle.apps.chaos.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceException;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.health.FaultInjector;
import io.isle.apps.chaos.check.LedgerEvent;
import io.isle.apps.chaos.plan.FaultKind;
import io.isle.apps.chaos.plan.Fleet;
import io.isle.apps.chaos.plan.Part;
import io.isle.apps.chaos.plan.Step;
import io.isle.apps.chaos.platform.FakeBundle;
import io.isle.apps.chaos.platform.FakeCore;
import io.isle.apps.chaos.platform.Platform;
import io.isle.apps.chaos.platform.SimulatedPace;
import io.isle.apps.chaos.work.Recorder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Steps count when, and only when, their effect was seen; in simulated time. */
class InjectorTest {
  private static final String ID = FakeNode.ID;

  private final FakeNode node = new FakeNode();
  private final FakeBundle leaf = new FakeBundle("leaf");
  private final FakeBundle root = new FakeBundle("root");
  private final SimulatedPace pace = new SimulatedPace();
  private final FakeCore core =
      new FakeCore()
          .withPartial(DeviceTree.class, node)
          .withPartial(DeviceAdmin.class, node)
          .withPartial(FaultInjector.class, node)
          .withPartial(ConfigFiles.class, node);
  private final Recorder recorder = new Recorder(event -> {}, Runnable::run);
  private final Injector injector =
      new Injector(
          Platform.of(FakeBundle.framework(leaf, root), core, pace),
          recorder,
          new Fleet(List.of(), List.of(new Part("leaf", 1, true), new Part("root", 1, false))));

  private int steps;

  private boolean act(FaultKind kind, int choice) throws InterruptedException {
    return injector.act(new Step(++steps, 0, kind, ID, choice));
  }

  private void ends(int status) {
    recorder.ended(ID, new LedgerEvent.Ended(1, 1, status));
  }

  @ParameterizedTest
  @CsvSource({"CRASH_SEGV, segv", "CRASH_ABORT, abort", "CRASH_EXIT, exit"})
  void aCrashCountsOnceTheDeviceWasOpenedAgain(FaultKind kind, String fault) throws Exception {
    node.onFault = () -> pace.after(3000, () -> node.epoch++);
    assertTrue(act(kind, 0));
    assertEquals(List.of("inject " + fault), node.calls);
    assertTrue(pace.nowMs() >= 3000);
  }

  @Test
  void aCrashThatNobodySeesDoesNot() throws Exception {
    node.onFault = () -> ends(-Errno.EINTR);
    assertFalse(act(FaultKind.CRASH_SEGV, 0));
    assertEquals(List.of(), recorder.problems(), "work went on");
  }

  @Test
  void theProcessOfThePlatformIsNotCrashed() throws Exception {
    node.tier = 1;
    assertFalse(act(FaultKind.CRASH_SEGV, 0));
    assertEquals(List.of(), node.calls);
    node.driver = "sim";
    node.onFault = () -> node.epoch++;
    assertTrue(act(FaultKind.CRASH_SEGV, 0));
  }

  @ParameterizedTest
  @CsvSource({"HANG, 110", "LOST_COMPLETION, 110", "CONTEXT_ERROR, 5"})
  void afterAFaultOfWorkThatWorkEndsWithItsOwnCode(FaultKind kind, int code) throws Exception {
    node.onFault = () -> pace.after(500, () -> ends(-code));
    assertTrue(act(kind, 0));
    node.onFault = () -> pace.after(500, () -> ends(-Errno.EINTR));
    assertFalse(act(kind, 0), "that was another fault");
    assertEquals(List.of(), recorder.problems());
  }

  @Test
  void aFaultThatWentWithItsDriverIsNotWaitedFor() throws Exception {
    node.onFault = () -> pace.after(100, () -> node.epoch++);
    assertFalse(act(FaultKind.HANG, 0));
    assertTrue(pace.nowMs() < 200, "it is tried again at once");
    assertEquals(List.of(), recorder.problems());
  }

  @Test
  void aDeviceOnWhichNothingEndsIsStalled() throws Exception {
    assertFalse(act(FaultKind.HANG, 0));
    assertEquals(
        List.of("stalled: no work of soft0 ended in 4000 ms: active  (after step 0)"),
        recorder.problems());
  }

  @Test
  void aRestartOfTheCoreMeanwhileBeginsTheTimeAnew() throws Exception {
    node.onFault =
        () -> {
          pace.after(1000, () -> core.without(DeviceTree.class));
          pace.after(6000, () -> core.withPartial(DeviceTree.class, node));
          pace.after(7000, () -> node.epoch++);
        };
    assertTrue(act(FaultKind.CRASH_SEGV, 0));
    assertEquals(List.of(), recorder.problems());
  }

  @Test
  void restartsOfTheCoreHideNoStalledDevice() throws Exception {
    node.onFault =
        () -> {
          for (int second = 1; second < 60; second++) {
            pace.after(1000L * second, () -> core.withPartial(DeviceTree.class, node));
          }
        };
    assertFalse(act(FaultKind.HANG, 0));
    assertEquals(1, recorder.problems().size());
    assertTrue(pace.nowMs() < 30_000, () -> pace.nowMs() + " ms");
  }

  @Test
  void anAdministratorOpensItAgain() throws Exception {
    assertTrue(act(FaultKind.RELOAD, 0));
    assertTrue(act(FaultKind.RESET, 0));
    assertEquals(List.of("reload", "reset"), node.calls);
  }

  @Test
  void aTierCountsWhenTheDeviceIsInIt() throws Exception {
    assertTrue(act(FaultKind.TIER, 1));
    assertEquals(1, node.tier);
    Step same = new Step(steps, 0, FaultKind.TIER, ID, 1);
    assertTrue(injector.act(same), "its earlier try moved it");
    assertFalse(act(FaultKind.TIER, 1), "it was there already");
    assertEquals(List.of("configure {tier=1}", "configure {tier=1}"), node.calls);
  }

  @Test
  void aSuspendedDeviceIsResumedAfterAWhile() throws Exception {
    assertTrue(act(FaultKind.SUSPEND, 120));
    assertEquals(List.of("suspend", "resume"), node.calls);
    assertTrue(pace.nowMs() >= 120);
  }

  @Test
  void whatARestartResumedIsWell() throws Exception {
    pace.after(50, () -> node.state = DeviceState.ACTIVE);
    assertTrue(act(FaultKind.SUSPEND, 120));
    assertEquals(List.of("suspend"), node.calls);
    node.code = Errno.ENODEV;
    assertThrows(DeviceException.class, () -> act(FaultKind.SUSPEND, 120));
  }

  @Test
  void aDeviceWhoseDriverIsAwayIsResumedWhenItIsBack() throws Exception {
    pace.after(50, () -> node.code = Errno.ENODEV);
    pace.after(5000, () -> node.code = 0);
    assertTrue(act(FaultKind.SUSPEND, 120));
    assertEquals(DeviceState.ACTIVE, node.state);
    assertEquals(List.of(), recorder.problems());
  }

  @Test
  void aRestartedTreeIsNoEffect() throws Exception {
    node.epoch = 7;
    node.onFault = () -> pace.after(100, () -> node.epoch = 1);
    assertFalse(act(FaultKind.CRASH_KILL, 0));
    assertTrue(pace.nowMs() < 200, "it is tried again at once");
  }

  @ParameterizedTest
  @CsvSource({
    "0, configure {memory_bytes=25165824}",
    "1, set io.isle.device-soft0 {memory_bytes=25165824}"
  })
  void settingsChangeByServiceAndByFile(int choice, String call) throws Exception {
    assertTrue(act(FaultKind.SETTINGS, choice));
    assertEquals(List.of(call), node.calls);
    assertEquals("25165824", node.settings.get("memory_bytes"));
  }

  @ParameterizedTest
  @CsvSource({"0", "1"})
  void badSettingsCountWhenTheyAreRefused(int choice) throws Exception {
    assertTrue(act(FaultKind.BAD_SETTINGS, choice));
    assertEquals("", node.error, "the file is right again");
    node.careless = true;
    assertFalse(act(FaultKind.BAD_SETTINGS, choice));
  }

  @Test
  void leavesAreUpdatedNowAndThenAndOthersNever() throws Exception {
    for (int choice = 0; choice < 3; choice++) {
      assertTrue(injector.act(new Step(1, 0, FaultKind.BUNDLE_RESTART, "leaf", choice)));
      assertTrue(injector.act(new Step(1, 0, FaultKind.BUNDLE_RESTART, "root", choice)));
    }
    assertEquals(List.of("update", "start", "stop", "start", "stop", "start"), leaf.calls);
    assertEquals(List.of("stop", "start", "stop", "start", "stop", "start"), root.calls);
  }

  @ParameterizedTest
  @CsvSource({"CRASH_KILL, KILL", "HOST_HANG, STOP"})
  void aHostIsHarmedFromOutside(FaultKind kind, String how) throws Exception {
    node.onFault = () -> pace.after(1200, () -> node.epoch++);
    assertTrue(act(kind, 0));
    assertEquals(List.of("inject " + how), node.calls);
    node.onFault = () -> {};
    assertFalse(act(kind, 0), "it goes on");
  }

  @Test
  void aDeviceThatStaysAwayIsAProblemAndIsReloaded() throws Exception {
    node.state = DeviceState.FAILED;
    node.error = "broken";
    assertFalse(act(FaultKind.HANG, 0));
    assertEquals(
        List.of("device soft0 does not become active again: failed broken (after step 0)"),
        recorder.problems());
    assertEquals(List.of("reload"), node.calls);
  }

  @Test
  void oneThatStaysSuspendedIsResumed() throws Exception {
    node.state = DeviceState.SUSPENDED;
    assertFalse(act(FaultKind.HANG, 0));
    assertEquals(List.of("resume"), node.calls);
    assertEquals(1, recorder.problems().size());
  }

  @Test
  void aServiceThatStaysAwayIsAProblem() throws Exception {
    core.complete(false);
    assertFalse(act(FaultKind.HANG, 0));
    assertEquals(
        List.of("stuck: a service of the core is still missing (after step 0)"),
        recorder.problems());
  }

  @Test
  void faultsWaitForServicesAndDevices() throws Exception {
    core.complete(false);
    node.state = DeviceState.RECOVERING;
    pace.after(1000, () -> core.complete(true));
    pace.after(2000, () -> node.state = DeviceState.ACTIVE);
    assertTrue(act(FaultKind.RELOAD, 0));
    assertTrue(pace.nowMs() >= 2000);
    assertEquals(List.of(), recorder.problems());
  }
}
