package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceEvent;
import io.isle.api.device.DeviceException;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceRegistry.Running;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeviceModelTest {
  private final List<DeviceEvent> events = new ArrayList<>();
  private final List<String> refusals = new ArrayList<>();
  private final DeviceModel model =
      new DeviceModel(
          events::add, (id, why) -> refusals.add(id + " " + why), DeviceCalls.DIRECT, new Epochs());
  private final FakeControl control = new FakeControl();

  @Test
  void aProbedDeviceOpensWithDefaults() {
    bind(Fixtures.SOFT, Fixtures.seed("a"));
    DeviceNode node = node("soft0");
    assertEquals(DeviceState.ACTIVE, node.state());
    assertEquals(2, node.tier());
    assertEquals("gpu_compute", node.properties().get("device-class"));
    assertEquals("67108864", node.properties().get("local-memory-bytes"));
    assertEquals("command_buffer", node.properties().get("preemption"));
    assertEquals(List.of("accel-compute"), node.services());
    assertEquals(Optional.of(42L), node.hostPid());
  }

  @Test
  void aFileConfiguresAProbedDeviceAndItsDeletionGoesBackToDefaults() {
    bind(Fixtures.SOFT, Fixtures.seed("a"));
    file("soft0", Map.of("memory_bytes", "1m", "tier", "1"));
    assertEquals("1048576", control.open.get("soft0").settings().get("memory_bytes"));
    assertEquals(1, node("soft0").tier());
    files(Map.of());
    assertEquals("67108864", control.open.get("soft0").settings().get("memory_bytes"));
    assertEquals(2, node("soft0").tier());
  }

  @Test
  void anotherVersionIsAskedForEachDeviceAnewAndThoseItDoesNotKnowGo() {
    BoundDriver driver = bind(Fixtures.SOFT, Fixtures.seed("a"), Fixtures.seed("b"));
    control.calls.clear();
    control.open.remove("soft0");
    driver.succeed(Fixtures.SOFT, List.of(Fixtures.seed("a")));
    model.bind(driver);
    assertEquals(List.of("apply soft0", "remove soft1"), control.calls);
    assertEquals(DeviceState.ACTIVE, node("soft0").state());
    files(Map.of());
    assertEquals(2, control.calls.size(), "each is asked for once");
  }

  @Test
  void whatIsAskedOfADriverThatHasGoneIsRefusedAndNotLost() {
    List<Runnable> later = new ArrayList<>();
    DeviceModel slow =
        new DeviceModel(
            events::add,
            (id, why) -> refusals.add(why),
            (id, work, done) -> later.add(() -> DeviceCalls.DIRECT.call(id, work, done)),
            new Epochs());
    BoundDriver driver = new BoundDriver(Fixtures.SOFT, List.of(Fixtures.seed("a")), control);
    slow.bind(driver);
    List<RuntimeException> ended = new ArrayList<>();
    slow.requests().resume("soft0", ended::add);
    slow.unbind(driver);
    later.forEach(Runnable::run);
    assertEquals(Errno.ENODEV, ((DeviceException) ended.getFirst()).code());
    assertEquals(List.of(), control.calls);
  }

  @Test
  void whatIsSaidOfADeviceThatIsBeingTakenAwayIsNotSaidOfTheNextOfItsName() {
    List<Runnable> later = new ArrayList<>();
    DeviceModel slow =
        new DeviceModel(
            events::add,
            (id, why) -> refusals.add(why),
            (id, work, done) -> later.add(() -> DeviceCalls.DIRECT.call(id, work, done)),
            new Epochs());
    BoundDriver driver = new BoundDriver(Fixtures.SOFT, List.of(), control);
    slow.bind(driver);
    Map<DeviceName, Map<String, String>> file =
        Map.of(DeviceName.parse("soft7", "soft").orElseThrow(), Map.of("driver", "soft"));
    slow.files(file);
    later.removeFirst().run();
    assertTrue(slow.report(driver, FakeControl.active("soft7", 1)));
    slow.files(Map.of());
    slow.files(file);
    assertFalse(slow.report(driver, FakeControl.active("soft7", 1)), "it is of the first");
    later.removeFirst().run();
    assertEquals(List.of("apply soft7", "remove soft7"), control.calls);
    later.removeFirst().run();
    assertTrue(slow.report(driver, FakeControl.active("soft7", 2)));
  }

  @Test
  void theTreeShowsWhatADeviceRunsWithAndNotWhatItsDriverRefused() {
    bind(Fixtures.SOFT, Fixtures.seed("a"));
    DeviceSpec first = control.open.get("soft0");
    file("soft0", Map.of("memory_bytes", "1m", "tier", "1"));
    assertEquals("1048576", model.snapshot().settings().get("soft0").get("memory_bytes"));
    DeviceReport open = FakeControl.active("soft0", 9);
    control.reports.accept(
        new DeviceReport(
            open.id(),
            open.state(),
            "the last good settings stay in force",
            open.epoch(),
            open.hostPid(),
            open.standbyPid(),
            open.info(),
            open.services(),
            open.interfaces(),
            open.sandbox(),
            Optional.of(new Running(first, "0.9", "soft 0.9.0", "1.0 does not open"))));
    assertEquals(2, node("soft0").tier());
    assertEquals("67108864", model.snapshot().settings().get("soft0").get("memory_bytes"));
    assertEquals(
        List.of("0.9", "soft 0.9.0", "1.0 does not open"),
        List.of(
            node("soft0").driverVersion(), node("soft0").driverSource(), node("soft0").rollback()));
  }

  @Test
  void aFileMakesADeviceAndItsDeletionRemovesIt() {
    bind(Fixtures.SOFT);
    file("soft7", Map.of());
    assertEquals("soft7", control.open.get("soft7").seed().name());
    files(Map.of());
    assertTrue(control.open.isEmpty());
    assertTrue(model.snapshot().nodes().isEmpty());
    assertTrue(events.getLast() instanceof DeviceEvent.Removed);
  }

  @Test
  void aBadValueIsRefusedWhileTheLastGoodOneStaysInForce() {
    bind(Fixtures.SOFT);
    file("soft0", Map.of("memory_bytes", "2m"));
    control.calls.clear();
    file("soft0", Map.of("memory_bytes", "much"));
    assertEquals(List.of(), control.calls);
    assertEquals(DeviceState.ACTIVE, node("soft0").state());
    assertTrue(node("soft0").error().startsWith("memory_bytes: 'much' is not"));
    assertEquals(1, refusals.size());
    file("soft0", Map.of("memory_bytes", "2m"));
    assertEquals("", node("soft0").error());
    assertEquals(List.of(), control.calls);
  }

  @Test
  void aNewFileWithABadValueShowsAFailedDevice() {
    bind(Fixtures.SOFT);
    file("soft0", Map.of("colour", "red"));
    assertEquals(DeviceState.FAILED, node("soft0").state());
    assertTrue(node("soft0").error().startsWith("colour: not a setting of driver"));
    assertTrue(control.open.isEmpty());
    file("soft0", Map.of());
    assertEquals(DeviceState.ACTIVE, node("soft0").state());
  }

  @Test
  void aFileOfADriverThatIsNotThereShowsAFailedDeviceUntilItComes() {
    file("soft0", Map.of("memory_bytes", "1m"));
    assertEquals(DeviceState.FAILED, node("soft0").state());
    assertEquals(
        "no driver soft; see driver:list for installed and refused drivers", node("soft0").error());
    bind(Fixtures.SOFT);
    assertEquals(DeviceState.ACTIVE, node("soft0").state());
  }

  @Test
  void whatADriverHadFoundGoesWithIt() {
    BoundDriver driver = bind(Fixtures.SOFT, Fixtures.seed("a"), Fixtures.seed("b"));
    file("soft1", Map.of());
    control.usable = false;
    model.unbind(driver);
    assertEquals(List.of("soft1"), model.snapshot().nodes().stream().map(DeviceNode::id).toList());
    assertTrue(node("soft1").error().startsWith("no driver soft"), node("soft1").error());
    files(Map.of());
    assertEquals(List.of(), model.snapshot().nodes());
    assertEquals(Map.of(), model.snapshot().settings());
  }

  @Test
  void aDeviceThatComesBackWithItsDriverCountsItsEpochsOn() {
    BoundDriver driver = bind(Fixtures.SOFT, Fixtures.seed("a"));
    model.report(driver, FakeControl.active("soft0", 7));
    model.unbind(driver);
    control.open.clear();
    control.broken.add("soft0");
    bind(Fixtures.SOFT, Fixtures.seed("a"));
    assertEquals(7, node("soft0").epoch());
  }

  @Test
  void aDriverThatGoesLeavesFailedDevicesAndSettingsAreInForceWhenItIsBack() {
    BoundDriver driver = bind(Fixtures.SOFT, Fixtures.seed("a"));
    file("soft0", Map.of("enabled", "false"));
    file("soft1", Map.of());
    control.usable = false;
    model.unbind(driver);
    assertEquals(DeviceState.DISABLED, node("soft0").state());
    assertEquals(DeviceState.FAILED, node("soft1").state());
    assertTrue(node("soft1").error().startsWith("no driver soft"), node("soft1").error());
    control.usable = true;
    control.open.clear();
    bind(Fixtures.SOFT, Fixtures.seed("a"));
    assertEquals(DeviceState.DISABLED, node("soft0").state());
    assertEquals(DeviceState.ACTIVE, node("soft1").state());
  }

  @Test
  void aSeedThatIsNoLongerFoundIsRemoved() {
    model.unbind(bind(Fixtures.SOFT, Fixtures.seed("a"), Fixtures.seed("b")));
    control.open.clear();
    bind(Fixtures.SOFT, Fixtures.seed("b"));
    assertEquals(List.of("soft1"), model.snapshot().nodes().stream().map(DeviceNode::id).toList());
  }

  @Test
  void childrenNameTheirParents() {
    bind(Fixtures.SOFT, Fixtures.seed("card"), new DeviceSeed("part", "card", ""));
    assertEquals(Optional.of("soft0"), node("soft1").parent());
    assertEquals(Optional.empty(), node("soft0").parent());
  }

  @Test
  void whatTheOwnerThrowsIsTheDevicesError() {
    control.broken.add("soft0");
    bind(Fixtures.SOFT, Fixtures.seed("a"));
    assertEquals(DeviceState.FAILED, node("soft0").state());
    assertEquals("soft0 is broken", node("soft0").error());
    DeviceException thrown = assertThrows(DeviceException.class, () -> reload("soft0"));
    assertEquals(Errno.ENODEV, thrown.code());
    control.broken.clear();
    reload("soft0");
    assertEquals(DeviceState.ACTIVE, node("soft0").state());
  }

  @Test
  void aReopeningThatEndsInAnythingButAnOpenDeviceIsRefused() {
    bind(Fixtures.SOFT, Fixtures.seed("a"));
    for (DeviceState end : List.of(DeviceState.QUARANTINED, DeviceState.FAILED)) {
      control.ends.put("soft0", end);
      DeviceException thrown = assertThrows(DeviceException.class, () -> reload("soft0"));
      assertEquals(Errno.ENODEV, thrown.code());
      assertEquals("soft0 could not be reopened: given up", thrown.getMessage());
    }
    control.ends.put("soft0", DeviceState.SUSPENDED);
    reload("soft0");
  }

  @Test
  void aReloadThatADriverDoesNotHearOfAsItGoesIsRefused() {
    BoundDriver driver = bind(Fixtures.SOFT, Fixtures.seed("a"));
    driver.gone = true;
    DeviceException thrown = assertThrows(DeviceException.class, () -> reload("soft0"));
    assertEquals("driver soft was removed", thrown.getMessage());
    assertEquals(DeviceState.ACTIVE, node("soft0").state());
  }

  @Test
  void reloadOfAnUnknownOrDisabledDeviceIsRefused() {
    bind(Fixtures.SOFT);
    file("soft0", Map.of("enabled", "false"));
    assertEquals(Errno.EINVAL, assertThrows(DeviceException.class, () -> reload("soft0")).code());
    DeviceException unknown = assertThrows(DeviceException.class, () -> reload("soft9"));
    assertEquals(Errno.ENOENT, unknown.code());
    assertTrue(unknown.getMessage().contains("soft0"), unknown.getMessage());
  }

  @Test
  void theClassOfADeviceThatWasNeverOpenIsItsSetting() {
    bind(Fixtures.SOFT);
    control.broken.add("soft0");
    file("soft0", Map.of("class", "npu"));
    assertEquals(DeviceClass.NPU, node("soft0").deviceClass());
  }

  @Test
  void aReportOfADriverThatWentIsDropped() {
    BoundDriver old = bind(Fixtures.SOFT, Fixtures.seed("a"));
    file("soft0", Map.of());
    model.unbind(old);
    assertEquals(false, model.report(old, FakeControl.active("soft0", 9)));
    assertEquals(DeviceState.FAILED, node("soft0").state());
  }

  @Test
  void aCrashIsShownWithItsReasonMadeSafe() {
    BoundDriver driver = bind(Fixtures.SOFT, Fixtures.seed("a"));
    model.report(
        driver,
        FakeControl.closed(
            "soft0", 1, DeviceState.FAILED, "host died\u001b[31m" + "x".repeat(999)));
    assertEquals(DeviceState.FAILED, node("soft0").state());
    assertTrue(node("soft0").error().startsWith("host died [31mx"));
    assertTrue(node("soft0").error().length() < 600);
    assertEquals("gpu_compute", node("soft0").properties().get("device-class"));
  }

  private BoundDriver bind(DriverInfo info, DeviceSeed... seeds) {
    BoundDriver driver = new BoundDriver(info, List.of(seeds), control);
    control.reports = report -> model.report(driver, report);
    model.bind(driver);
    return driver;
  }

  private void file(String id, Map<String, String> values) {
    Map<DeviceName, Map<String, String>> all = new java.util.HashMap<>(current);
    all.put(Fixtures.name(id), values);
    files(all);
  }

  private Map<DeviceName, Map<String, String>> current = Map.of();

  private void files(Map<DeviceName, Map<String, String>> all) {
    current = all;
    model.files(all);
  }

  private void reload(String id) {
    model
        .requests()
        .reload(
            id,
            failure -> {
              if (failure != null) {
                throw failure;
              }
            });
  }

  private DeviceNode node(String id) {
    return model.snapshot().nodes().stream()
        .filter(node -> node.id().equals(id))
        .findFirst()
        .orElseThrow();
  }
}
