package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.base.Setting;
import io.isle.api.device.DeviceState;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Vitals;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.AccelComponent;
import io.isle.core.accel.AccelGroupController;
import io.isle.core.accel.AcceleratorsComponent;
import io.isle.core.drivers.javacode.JavaHandle;
import io.isle.core.drivers.recovery.DriverTuning;
import io.isle.core.drivers.recovery.HostWatch;
import io.isle.core.drivers.recovery.Participants;
import io.isle.core.drivers.recovery.RecoveryBook;
import io.isle.core.drivers.recovery.RecoveryServices;
import io.isle.core.drivers.session.ServiceThreads;
import io.isle.core.drivers.session.SessionBoard;
import io.isle.core.drivers.supervision.DeviceSupervisor;
import io.isle.core.drivers.supervision.PendingHandovers;
import io.isle.core.drivers.supervision.SharedParts;
import io.isle.core.drivers.threads.Background;
import io.isle.core.tenancy.CapabilitiesComponent;
import io.isle.lib.agent.ThreadedAgentHost;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Drivers and accelerators together: control calls of a device never overlap. */
@Timeout(120)
class ControlCallsTest {
  private static final int ROUNDS = 5;

  /** What a caller may hear while the device comes and goes. */
  private static final Set<Integer> PASSING =
      Set.of(Errno.EINTR, Errno.ENODEV, Errno.ESTALE, Errno.ECLOSED);

  private final WatchedDriver driver = new WatchedDriver();
  private final JavaHandle handle = JavaHandle.look(driver, "test");
  private final CapabilitiesComponent capabilities = new CapabilitiesComponent();
  private final ThreadedAgentHost agents = new ThreadedAgentHost(1, MonotonicClock.SYSTEM);
  private final AccelComponent accel = new AccelComponent(capabilities, agents, Map.of());
  private final AcceleratorsComponent accelerators = new AcceleratorsComponent(accel);
  private final Background background = new Background();
  private final ServiceThreads serviceThreads = new ServiceThreads();
  private final SessionBoard sessions =
      new SessionBoard(serviceThreads, DriverTuning.DEFAULT::participant);
  private final ConcurrentLinkedQueue<DeviceReport> reports = new ConcurrentLinkedQueue<>();
  private final DeviceSupervisor device =
      new DeviceSupervisor(
          "sim0",
          accel,
          0,
          new SharedParts(
              new RecoveryServices(
                  new Participants(serviceThreads, DriverTuning.DEFAULT::participant),
                  sessions,
                  new HostWatch(MonotonicClock.SYSTEM, DriverTuning.DEFAULT::hang),
                  background,
                  () -> DriverTuning.DEFAULT),
              new RecoveryBook(),
              new PendingHandovers(),
              MonotonicClock.SYSTEM,
              recovery -> {}),
          this::report);
  private final List<Thread> callers = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> defects = new ConcurrentLinkedQueue<>();
  private final Capability capability =
      capabilities.issue(
          new CapabilitySpec("test", EnumSet.allOf(Permission.class), Optional.empty(), 0));
  private volatile boolean over;

  @AfterEach
  void close() {
    over = true;
    var ignored = device.remove().exceptionally(gone -> null).join();
    background.close();
    serviceThreads.close();
    agents.close();
  }

  private synchronized void report(DeviceReport report) {
    reports.add(report);
    notifyAll();
  }

  private synchronized void awaitRecovered(int epoch) throws InterruptedException {
    while (reports.stream()
        .noneMatch(now -> now.epoch() > epoch && now.state() == DeviceState.ACTIVE)) {
      wait();
    }
  }

  private int epoch() {
    return reports.stream().mapToInt(DeviceReport::epoch).max().orElse(0);
  }

  private static DeviceSpec spec(JavaHandle handle, String latencyNs) {
    Map<String, String> settings = new HashMap<>();
    for (Setting setting : handle.info().settings()) {
      settings.put(setting.key(), setting.normalise(setting.defaultValue()));
    }
    settings.put("latency_ns", latencyNs);
    return new DeviceSpec("sim0", new DeviceSeed("0", "", ""), 1, true, settings);
  }

  /** Does it again and again, on a thread of its own, until the test is over. */
  private void again(CountDownLatch begun, Runnable calls) {
    callers.add(
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over) {
                    try {
                      calls.run();
                    } catch (AccelException e) {
                      check(e, e.code());
                    } catch (DriverException e) {
                      check(e, e.code());
                    } catch (RuntimeException | Error e) {
                      defects.add(e);
                    }
                    begun.countDown();
                  }
                }));
  }

  private void check(Throwable thrown, int code) {
    if (!PASSING.contains(code)) {
      defects.add(thrown);
    }
  }

  private void openAndAllocate() {
    Accelerator accelerator = accelerators.find(DeviceQuery.id("sim0"));
    try (Context context = accelerator.open(capability, ContextSpec.named("test"))) {
      context.allocate(4096, 0).close();
    }
  }

  private void read() {
    sessions
        .find("sim0")
        .ifPresent(
            session -> {
              var ignored = session.call(Vitals.class, Vitals::power);
              ignored = session.call(Vitals.class, Vitals::power);
              var load = session.call(Vitals.class, Vitals::utilization);
              assertTrue(load.memoryTotalBytes() > 0);
            });
  }

  @Test
  void controlCallsOfADeviceNeverOverlapWhateverBefallsIt() throws Exception {
    AccelGroupController groups = new AccelGroupController(accel);
    groups.apply(GroupTree.EMPTY);
    DeviceSpec one = spec(handle, "0");
    DeviceSpec other = spec(handle, "1");
    device.apply(handle, one).join();
    CountDownLatch begun = new CountDownLatch(6);
    for (int i = 0; i < 2; i++) {
      again(begun, this::openAndAllocate);
      again(begun, this::read);
    }
    begun.await();
    for (int i = 0; i < ROUNDS; i++) {
      device.suspend().join();
      device.resume().join();
      device.reset(handle, one).join();
      device.reload(handle, one).join();
      device.apply(handle, other).join();
      device.apply(handle, one).join();
      int before = epoch();
      driver.lose();
      awaitRecovered(before);
    }
    over = true;
    for (Thread caller : callers) {
      caller.join();
    }
    assertEquals(List.of(), List.copyOf(defects));
    assertEquals(List.of(), driver.overlaps.stream().distinct().toList());
    assertTrue(
        driver.made.containsAll(
            List.of(
                "createContext",
                "destroyContext",
                "allocate",
                "free",
                "power",
                "utilization",
                "enter",
                "resetDevice",
                "extension",
                "info",
                "close")),
        driver.made::toString);
  }
}
