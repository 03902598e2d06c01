package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.HostTimeline;
import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Priority;
import io.isle.api.driver.CompletionSink;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.queue.Notifier;
import io.isle.core.testing.FakeCapabilities;
import io.isle.core.testing.Until;
import io.isle.lib.agent.ThreadedAgentHost;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What stands in {@code io.isle.accel} acts on devices, at the start and when it is changed. */
@Timeout(60)
class AccelComponentTest {
  private final FakeCapabilities capabilities = new FakeCapabilities();
  private final Capability all = capabilities.grant("test", Set.of(Permission.values()), 0);
  private final ThreadedAgentHost agents = new ThreadedAgentHost(1, MonotonicClock.SYSTEM);
  private AccelComponent component;
  private BundleView view;
  private OwnedAttachment attachment;
  private ScriptedDevice device;

  @AfterEach
  void close() {
    device.completeAtOnce = true;
    device.close();
    view.close();
    component.deactivate();
    agents.close();
  }

  private static Map<String, Object> settings(String... keys) {
    Map<String, Object> settings = new HashMap<>();
    for (int i = 0; i < keys.length; i += 2) {
      settings.put(keys[i], keys[i + 1]);
    }
    return settings;
  }

  private void start(String... keys) {
    component = new AccelComponent(capabilities, agents, settings(keys));
    var ignored = component.core().members().apply(AccelGroups.EMPTY, Map.of());
    view = new BundleView(component.core(), () -> null);
    attachment = new OwnedAttachment(component.attach("sim0"));
    device = online(attachment);
  }

  private static ScriptedDevice online(OwnedAttachment attachment) {
    ScriptedDevice opened = new ScriptedDevice(attachment.completions());
    var ignored = attachment.rebuild(opened, 1);
    attachment.thaw();
    return opened;
  }

  private Context open(String id, Priority priority) {
    return view.find(DeviceQuery.id(id))
        .open(all, ContextSpec.named("test").withPriority(priority));
  }

  /** Completes what runs and waits for what is next. */
  private ScriptedDevice.Submission next() throws InterruptedException {
    ScriptedDevice.Submission before = device.awaitRunning(1).getFirst();
    assertEquals(0, device.complete(before, CompletionSink.SUCCESS));
    return device.awaitRunning(1).getFirst();
  }

  /** The contexts of what the device starts, of which both have three submissions. */
  private List<Long> order(Context low, Context high) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      assertTrue(low.submit(low.writer()) > 0);
    }
    List<Long> order = new ArrayList<>(List.of(device.awaitRunning(1).getFirst().context()));
    for (int i = 0; i < 3; i++) {
      assertTrue(high.submit(high.writer()) > 0);
    }
    // after the second the agent has made a whole cycle
    attachment.unpause();
    attachment.unpause();
    for (int i = 0; i < 5; i++) {
      order.add(next().context());
    }
    assertEquals(0, device.complete(device.awaitRunning(1).getFirst(), CompletionSink.SUCCESS));
    return order;
  }

  @Test
  void theChosenPolicyAndDepthAreThoseOfTheDevice() throws Exception {
    start("scheduling", "sim0 priority 1");
    Context low = open("sim0", Priority.BACKGROUND);
    Context high = open("sim0", Priority.HIGH);
    long l = low.id();
    long h = high.id();
    assertEquals(List.of(l, h, h, h, l, l), order(low, high));
    assertEquals("priority", view.find(DeviceQuery.id("sim0")).info().scheduling());
    component.modified(settings("scheduling", "sim0 round_robin 1"));
    assertEquals(List.of(l, h, l, h, l, h), order(low, high));
    assertEquals("round_robin", view.find(DeviceQuery.id("sim0")).info().scheduling());
    component.modified(settings("scheduling", "sim0 never", "max_in_flight", "1"));
    assertEquals(List.of(l, h, l, h, l, h), order(low, high), "a bad edit changes nothing");
    component.modified(settings("max_in_flight", "1"));
    assertEquals(List.of(l, h, h, h, l, l), order(low, high), "the default of its class");
  }

  @Test
  void fencesAreAsSet() {
    start("fence_domains", "sim1=3", "host_wait_ms", "30");
    device.completeAtOnce = true;
    online(new OwnedAttachment(component.attach("sim1"))).completeAtOnce = true;
    Context near = open("sim0", Priority.NORMAL);
    Context far = open("sim1", Priority.NORMAL);
    HostTimeline host = view.hostTimeline(all, "input");
    long late = near.submit(near.writer().after(host, 1));
    assertEquals(-Errno.ETIMEDOUT, near.await(late, -1));
    assertEquals(-Errno.EXDEV, far.submit(far.writer().after(near.timeline(), late)));
    component.modified(Map.of());
    long good = far.submit(far.writer().after(near.timeline(), late).after(host, 1));
    assertEquals(-Errno.ETIME, far.await(good, 100_000_000));
    assertEquals(0, host.signal(1));
    assertEquals(0, far.await(good, -1));
  }

  @Test
  void slowListenersAreToldOfAfterTheTimeThatIsSet() throws Exception {
    try (LogCapture log = new LogCapture(Notifier.class)) {
      start("callback_warn_ms", "60000");
      device.completeAtOnce = true;
      Context context = open("sim0", Priority.NORMAL);
      context.listen((from, completion) -> spin(2), Runnable::run);
      var ignored = context.submitAsync(context.writer()).get();
      assertEquals(List.of(), log.lines());
      component.modified(settings("callback_warn_ms", "1"));
      ignored = context.submitAsync(context.writer()).get();
      assertTrue(Until.holds(() -> log.lines().size() == 1));
    }
  }

  private static void spin(long ms) {
    long end = System.nanoTime() + ms * 1_000_000;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void theServicePassesEveryCallOn() throws NoSuchMethodException {
    start();
    for (Method call : AccelAdmin.class.getMethods()) {
      Method passed = AccelComponent.class.getMethod(call.getName(), call.getParameterTypes());
      assertEquals(AccelComponent.class, passed.getDeclaringClass(), call.getName());
    }
  }
}
