package io.isle.core.drivers.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Ids;
import io.isle.api.base.Setting;
import io.isle.api.device.Priority;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.Programs;
import io.isle.core.drivers.driver.DriverHandle.OpenRequest;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.driver.Versions;
import io.isle.core.drivers.nativecode.Dispatch;
import io.isle.core.drivers.nativecode.FakeAttachment;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.host.Sandbox;
import io.isle.core.drivers.session.DeviceLane;
import io.isle.core.drivers.versions.NativeHandle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A device in real processes, of which a group's attacks the sleep of the agent that all share; the
 * test's thread is that agent and sleeps until it is woken.
 */
@Timeout(240)
class GroupBreachTest implements HostParts {
  private static final Path NATIVE = Path.of(System.getProperty("isle.native"));

  /** Longer than the agent may sleep while something completes. */
  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

  private static final ContextArgs ARGS = new ContextArgs(1, Priority.NORMAL, 0, 0, 0, 0);

  @TempDir Path folder;
  private final FakeAttachment attachment = new FakeAttachment();
  private final BlockingQueue<Lost> lost = new LinkedBlockingQueue<>();
  private final NativeDriver honest =
      NativeDriver.look(
          new NativeRuntime(NATIVE, 50, Sandbox.DEFAULT),
          NATIVE.resolve("libsoftaccel.so"),
          l -> {});
  private NativeDriver next = honest;
  private int ended;
  private int submitted;
  private GroupedDevice device;

  private record Lost(GroupHost host, RecoveryCause cause) {}

  @Override
  public OwnCompletions completions() {
    return new OwnCompletions(
        (tag, status, start, end, busy, detail) -> {
          assertEquals(0, status);
          ended++;
          return 0;
        });
  }

  private static DeviceLane lane(String name, BooleanSupplier alive) {
    return new DeviceLane(name, alive, DeviceLane.Bounds.of(Duration.ofSeconds(60)), cause -> {});
  }

  @Override
  public DeviceLane lane(GroupHost host) {
    return lane("x0-" + host.group(), host::isAlive);
  }

  @Override
  public HostParts.Started start(OwnCompletions completions, Consumer<RecoveryCause> heard) {
    return new HostParts.Started(open(next, completions, heard), false);
  }

  private OpenedDevice open(
      NativeDriver driver, OwnCompletions completions, Consumer<RecoveryCause> heard) {
    Map<String, String> settings = new HashMap<>();
    for (Setting setting : driver.info().settings()) {
      settings.put(setting.key(), setting.normalise(setting.defaultValue()));
    }
    return new NativeHandle(driver, "test", "", () -> {}, Versions.NONE)
        .open(
            new OpenRequest(
                new DeviceSpec("x0", new DeviceSeed("0", "", ""), 2, true, settings),
                1,
                attachment,
                heard,
                Optional.empty(),
                completions));
  }

  @Override
  public void end(OpenedDevice process, boolean orderly) {
    process.end(orderly);
    process.release();
  }

  @Override
  public void admit(String group) {}

  @Override
  public void lost(GroupHost host, RecoveryCause cause) {
    lost.add(new Lost(host, cause));
  }

  @Override
  public void changed() {}

  @Override
  public void after(Duration delay, Runnable work) {}

  @Override
  public boolean execute(Runnable work) {
    return false;
  }

  private static long context(int i) {
    return Ids.of(Ids.CONTEXT, 1, i);
  }

  private void prepare(AccelDevice process, int i) {
    process.createContext(context(i), ARGS);
    var ignored =
        process
            .extension(Programs.class)
            .orElseThrow()
            .load(
                context(i),
                Ids.of(Ids.PROGRAM, 1, i),
                Programs.Kind.BUILTIN,
                "noop".getBytes(StandardCharsets.UTF_8));
  }

  /** One piece of work after the other; the agent sleeps in between. */
  private void work(int context, int pieces) {
    for (int i = 0; i < pieces; i++) {
      int goal = ended + 1;
      long at = (submitted++ & 63) * 4096L;
      int length =
          Dispatch.write(attachment.commands().memory(), at, Ids.of(Ids.PROGRAM, 1, context));
      long tag = (long) submitted << 32 | 7;
      assertEquals(
          0, device.submit(context(context), tag, attachment.commands().memory(), at, length));
      while (ended < goal) {
        attachment.bells.look();
        if (device.poll(64) == 0) {
          long before = System.nanoTime();
          attachment.bells.await(LONG_NS, true);
          assertTrue(System.nanoTime() - before < LONG_NS, "nobody woke the agent");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rings-without-end", "wakes-without-ringing"})
  void aGroupThatRingsForEverGetsAnotherProcessAndOthersGoOn(String mode) throws Exception {
    long pages = pages();
    try (Opened all = new Opened()) {
      GroupHosts hosts = all.hosts;
      prepare(hosts.open("b").device(), 2);
      next = hostile(mode);
      hosts.open("a").device().createContext(context(1), ARGS);
      List<?> before = hosts.list();
      while (lost.isEmpty()) {
        work(0, 1);
        work(2, 1);
      }
      Lost one = lost.take();
      assertEquals("a", one.host.group);
      assertEquals(RecoveryCause.Kind.PROTOCOL, one.cause.kind());
      assertTrue(one.cause.text().contains("woke the device's agent"), one.cause.text());
      hosts.retire(one.host, false);
      next = honest;
      prepare(hosts.open("a").device(), 1);
      for (int i = 0; i < 50; i++) {
        work(i % 3, 1);
      }
      assertTrue(lost.isEmpty());
      assertEquals(before.subList(0, 2), hosts.list().subList(0, 2), "others have other processes");
    }
    assertEquals(pages, pages());
  }

  @Test
  void aGroupThatNeverRingsKeepsNobodyElseAsleep() throws Exception {
    long pages = pages();
    try (Opened all = new Opened()) {
      prepare(all.hosts.open("b").device(), 2);
      next = hostile("never-rings");
      all.hosts.open("a").device().createContext(context(1), ARGS);
      for (int i = 0; i < 300; i++) {
        work(i % 2 * 2, 1);
      }
      assertFalse(attachment.bells.isAsleep());
      assertTrue(lost.isEmpty());
    }
    assertEquals(pages, pages());
  }

  private NativeDriver hostile(String mode) throws IOException {
    Files.createSymbolicLink(folder.resolve("driver-host"), NATIVE.resolve("hostile-host"));
    return NativeDriver.look(
        new NativeRuntime(folder, 50, Sandbox.DEFAULT), folder.resolve(mode), line -> {});
  }

  /** Bell pages that are mapped, those of libraries that other tests left behind among them. */
  private static long pages() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains("/memfd:isle-doorbell")).count();
    }
  }

  /** The device, with its own process and none of a group. */
  private final class Opened implements AutoCloseable {
    final OwnCompletions completions = completions();
    final OpenedDevice root = open(honest, completions, cause -> lost.add(new Lost(null, cause)));
    final DeviceLane lane = lane("x0", () -> true);
    final GroupHosts hosts =
        new GroupHosts(
            GroupBreachTest.this, new OwnHost(root, completions, lane, 1, root.device().info()));

    Opened() {
      device = new GroupedDevice(hosts, new GroupSums(hosts::groupHosts, work -> true));
      prepare(hosts.rootPort(), 0);
    }

    @Override
    public void close() {
      hosts.endAll(false);
      lane.abort();
      root.end(false);
      root.release();
    }
  }
}
