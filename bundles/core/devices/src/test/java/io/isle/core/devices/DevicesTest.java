package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceEvent;
import io.isle.api.device.DeviceException;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.driver.DeviceRegistry.Binding;
import io.isle.api.driver.DriverException;
import io.isle.api.observe.AuditEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All of the bundle's parts together, with Config Admin in memory. */
class DevicesTest {
  @TempDir Path etc;
  private final FakeConfigAdmin admin = new FakeConfigAdmin();
  private final FakeControl control = new FakeControl();
  private final List<AuditEvent> written = new CopyOnWriteArrayList<>();
  private Devices devices;

  @BeforeEach
  void make() {
    devices =
        new Devices(new EtcConfigFiles(etc, admin), new ConfigAdminFiles(admin)) {
          @Override
          void edited(AuditEvent event) {
            written.add(event);
          }
        };
  }

  @AfterEach
  void close() {
    devices.close();
  }

  @Test
  void configureWritesTheFileAndIsInForceOnReturn() throws Exception {
    bind();
    devices.configure("soft0", Map.of("memory_bytes", "1m", "enabled", "false"));
    assertEquals(DeviceState.DISABLED, devices.find("soft0").orElseThrow().state());
    assertEquals("1048576", devices.settings("soft0").get("memory_bytes"));
    String text = Files.readString(etc.resolve("io.isle.device-soft0.cfg"));
    assertTrue(text.contains("memory_bytes") && text.contains("driver"), text);
    devices.filesChanged();
    devices.settle();
    assertEquals(List.of("apply soft0", "apply soft0"), control.calls);
  }

  @Test
  void aNullGoesBackToTheDefault() {
    bind();
    devices.configure("soft0", Map.of("memory_bytes", "1m"));
    Map<String, String> none = new HashMap<>();
    none.put("memory_bytes", null);
    devices.configure("soft0", none);
    assertEquals("67108864", devices.settings("soft0").get("memory_bytes"));
  }

  @Test
  void aBadChangeChangesNothing() {
    bind();
    DeviceException thrown =
        assertThrows(DeviceException.class, () -> devices.configure("soft0", Map.of("tier", "5")));
    assertEquals(Errno.EINVAL, thrown.code());
    assertTrue(thrown.getMessage().startsWith("tier: "), thrown.getMessage());
    assertFalse(Files.exists(etc.resolve("io.isle.device-soft0.cfg")));
    assertEquals(
        Errno.ENOENT,
        assertThrows(DeviceException.class, () -> devices.configure("soft5", Map.of())).code());
  }

  @Test
  void aDeviceWhoseDriverIsAwayCanBeSwitchedOffButNotTuned() {
    Binding binding = bind();
    drop("soft0", Map.of("memory_bytes", "1m"));
    binding.close();
    devices.configure("soft0", Map.of("enabled", "false"));
    assertEquals(DeviceState.DISABLED, devices.find("soft0").orElseThrow().state());
    DeviceException thrown =
        assertThrows(
            DeviceException.class, () -> devices.configure("soft0", Map.of("class", "npu")));
    assertTrue(thrown.getMessage().startsWith("class: "), thrown.getMessage());
  }

  @Test
  void aFileThatIsDroppedEditedAndDeletedIsFollowed() {
    bind();
    drop("soft3", Map.of("tier", "1", "org.apache.karaf.features.configKey", "x"));
    assertEquals(1, devices.find("soft3").orElseThrow().tier());
    drop("soft3", Map.of("tier", "2"));
    assertEquals(2, devices.find("soft3").orElseThrow().tier());
    drop("nonsense", Map.of());
    admin.all.remove("io.isle.device~soft3");
    devices.filesChanged();
    devices.settle();
    assertEquals(List.of("soft0"), devices.nodes().stream().map(DeviceNode::id).toList());
  }

  @Test
  void whatOthersChangeInAFileIsWrittenDown() {
    bind();
    drop("soft3", Map.of("tier", "1", "memory_bytes", "1m"));
    drop("soft3", Map.of("tier", "5", "memory_bytes", "1m"));
    drop("soft3", Map.of("tier", "1"));
    devices.configure("soft3", Map.of("tier", "2"));
    admin.all.remove("io.isle.device~soft3");
    devices.filesChanged();
    devices.settle();
    assertEquals(
        List.of(
            "0 {memory_bytes=1m, tier=1}",
            Errno.EINVAL
                + " tier: '5' is neither 1 (the platform's process) nor 2 (a separate"
                + " process)",
            "0 {memory_bytes=null, tier=1}",
            "0 {driver=null, tier=null}"),
        written.stream().map(event -> event.code() + " " + event.detail()).toList());
    for (AuditEvent event : written) {
      assertEquals(
          List.of("isle", "device.configure", "soft3", "io.isle.device-soft3.cfg"),
          List.of(event.actor(), event.action(), event.device(), event.object()));
    }
  }

  @Test
  void aDriverOfTheSameNameIsRefused() {
    Binding first = bind();
    DriverException thrown = assertThrows(DriverException.class, this::bind);
    assertEquals(Errno.EEXIST, thrown.code());
    first.close();
    bind().close();
  }

  @Test
  void listenersHearInOrder() throws Exception {
    BlockingQueue<DeviceEvent> heard = new LinkedBlockingQueue<>();
    devices.add(
        event -> {
          throw new IllegalStateException("a bad listener");
        });
    devices.add(heard::add);
    Binding binding = bind();
    binding.close();
    assertEquals(DeviceState.RECOVERING, take(heard, DeviceEvent.Added.class).state());
    assertEquals(DeviceState.ACTIVE, take(heard, DeviceEvent.Changed.class).state());
    assertEquals(DeviceState.ACTIVE, take(heard, DeviceEvent.Removed.class).state());
  }

  @Test
  void aDeviceThatTakesLongHoldsUpNoOther() throws Exception {
    bind();
    drop("soft1", Map.of());
    CountDownLatch latch = new CountDownLatch(1);
    control.slow.put("soft0", latch);
    CompletableFuture<Void> slow = CompletableFuture.runAsync(() -> devices.reload("soft0"));
    devices.reload("soft1");
    devices.suspend("soft1");
    assertEquals(DeviceState.SUSPENDED, devices.find("soft1").orElseThrow().state());
    devices.resume("soft1");
    assertEquals(DeviceState.ACTIVE, devices.find("soft1").orElseThrow().state());
    assertFalse(slow.isDone());
    latch.countDown();
    slow.get(60, TimeUnit.SECONDS);
    assertTrue(control.calls.contains("reload soft0"), control.calls.toString());
  }

  @Test
  void whatAnOwnerRefusesIsThrown() {
    bind();
    control.refusal = new DriverException(Errno.EINVAL, "soft0 is not suspended");
    DeviceException refused = assertThrows(DeviceException.class, () -> devices.resume("soft0"));
    assertEquals(Errno.EINVAL, refused.code());
    assertEquals(DeviceState.ACTIVE, devices.find("soft0").orElseThrow().state());
  }

  @Test
  void closedItRefusesAndLeavesNoThread() {
    bind();
    devices.close();
    assertEquals(
        Errno.ECLOSED, assertThrows(DeviceException.class, () -> devices.reload("soft0")).code());
    // An executor says that it has ended a moment before its thread has.
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (isAThreadLeft()) {
      assertTrue(System.nanoTime() - end < 0, "the thread is still there");
      Thread.onSpinWait();
    }
  }

  private static boolean isAThreadLeft() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith("isle-device"));
  }

  private static DeviceNode take(
      BlockingQueue<DeviceEvent> heard, Class<? extends DeviceEvent> type) throws Exception {
    DeviceEvent event = heard.poll(10, TimeUnit.SECONDS);
    assertTrue(type.isInstance(event), String.valueOf(event));
    return event.node();
  }

  private Binding bind() {
    control.open.clear();
    CompletableFuture<Binding> bound = new CompletableFuture<>();
    control.reports = report -> bound.join().report(report);
    Binding binding = devices.bind(Fixtures.SOFT, List.of(Fixtures.seed("a")), control);
    bound.complete(binding);
    devices.settle();
    return binding;
  }

  private void drop(String id, Map<String, String> values) {
    Hashtable<String, Object> properties = new Hashtable<>(values);
    properties.put(
        "felix.fileinstall.filename",
        etc.resolve("io.isle.device-" + id + ".cfg").toFile().toURI().toString());
    try {
      admin.getFactoryConfiguration("io.isle.device", id).update(properties);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
    devices.filesChanged();
    devices.settle();
  }
}
