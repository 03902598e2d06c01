package io.isle.core.drivers.supervision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceState;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryCause.Kind;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.driver.FakeDriver;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Suspended devices whose driver refuses, or goes. */
class SuspensionTest {
  private static final RecoveryCause GOES = new RecoveryCause(Kind.UPDATE, "the driver goes");

  private final Rig rig = new Rig(Rig.QUICK);
  private final DeviceSupervisor device = rig.supervisor();

  @AfterEach
  void close() {
    device.remove().exceptionally(gone -> null).join();
    rig.close();
  }

  private FakeDriver refusing(String call) {
    return new FakeDriver(
        "1",
        what -> {
          rig.call(what);
          if (what.equals(call)) {
            throw new DriverException(Errno.EBUSY, "the driver says no");
          }
        });
  }

  private DeviceState state() {
    return rig.reports().getLast().state();
  }

  private void suspended(FakeDriver driver) {
    device.apply(driver, Rig.spec(1, Map.of())).join();
    device.suspend().join();
  }

  @Test
  void aDriverThatSavesNoPowerIsSuspendedAllTheSame() throws Exception {
    FakeDriver driver = refusing("power 1");
    suspended(driver);
    assertEquals(DeviceState.SUSPENDED, state());
    driver.lose(Kind.CRASH, "signal 9");
    DeviceReport recovered =
        rig.await(report -> report.epoch() == 2 && report.state() != DeviceState.RECOVERING);
    assertEquals(DeviceState.SUSPENDED, recovered.state());
    device.resume().join();
    assertEquals(DeviceState.ACTIVE, state());
    assertEquals("unpause", rig.calls().getLast());
  }

  @Test
  void aDriverThatEndsWhenItIsToSavePowerIsGivenUp() throws Exception {
    AtomicReference<FakeDriver> ending = new AtomicReference<>();
    FakeDriver driver =
        new FakeDriver(
            "1",
            what -> {
              rig.call(what);
              if (what.equals("power 1")) {
                ending.get().lose(Kind.CRASH, "signal 11");
              }
            });
    ending.set(driver);
    suspended(driver);
    DeviceReport over = rig.await(report -> report.state() == DeviceState.FAILED);
    assertTrue(over.error().contains("driver:reload"), over.error());
  }

  @Test
  void itStaysSuspendedOverADriverThatGoesWhileItIsNotOpen() {
    suspended(refusing("nothing"));
    device.port(null).join();
    device.depart(GOES).join();
    DeviceSupervisor next = rig.supervisor();
    next.apply(refusing("nothing"), Rig.spec(1, Map.of())).join();
    assertEquals(DeviceState.SUSPENDED, state());
    next.remove().join();
  }

  @Test
  void aRemovedDeviceLeavesNothingToTheNextOfItsName() {
    suspended(refusing("nothing"));
    device.depart(GOES).join();
    rig.supervisor().remove().join();
    assertTrue(rig.handovers.take("x0").isEmpty());
  }

  @Test
  void aDeviceThatIsDisabledIsNotSuspendedAfterwards() {
    suspended(refusing("nothing"));
    device.depart(GOES).join();
    DeviceSupervisor next = rig.supervisor();
    DeviceSpec enabled = Rig.spec(1, Map.of());
    FakeDriver driver = refusing("nothing");
    next.apply(driver, new DeviceSpec("x0", enabled.seed(), 1, false, Map.of())).join();
    next.apply(driver, enabled).join();
    assertEquals(DeviceState.ACTIVE, state());
    next.remove().join();
  }

  @Test
  void aDeviceThatIsNotOpenRunsInNobodysPlace() {
    FakeDriver broken = new FakeDriver("2", rig::call);
    broken.fails(9, Errno.EINVAL);
    broken.older = Optional.of(refusing("nothing"));
    DeviceSpec spec = Rig.spec(1, Map.of());
    device.apply(broken, spec).join();
    assertTrue(device.rollback().endsWith("runs instead of test 2"), device.rollback());
    device.apply(broken, new DeviceSpec("x0", spec.seed(), 1, false, Map.of())).join();
    assertEquals(List.of(DeviceState.DISABLED, ""), List.of(state(), device.rollback()));
  }
}
