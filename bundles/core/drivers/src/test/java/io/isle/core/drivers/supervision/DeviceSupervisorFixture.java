package io.isle.core.drivers.supervision;

import io.isle.api.device.Recovery;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.RecoveryParticipant;
import io.isle.core.drivers.driver.FakeDriver;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;

/** A device, and a driver that does as it is told. */
abstract class DeviceSupervisorFixture {
  final Rig rig = new Rig(Rig.QUICK);
  final FakeDriver driver = new FakeDriver("1", rig::call);
  final DeviceSupervisor device = rig.supervisor();

  @AfterEach
  void close() {
    device.remove().exceptionally(gone -> null).join();
    rig.close();
  }

  void open() {
    device.apply(driver, Rig.spec(1, Map.of())).join();
    rig.calls.clear();
  }

  /** It takes part in what happens to the device from now on. */
  void join(RecoveryParticipant participant) {
    var ignored = device.join(rig.participants.add(participant)).join();
  }

  Recovery recovered(int number) throws InterruptedException {
    DeviceReport ignored = rig.await(report -> rig.book.of("x0").size() == number);
    return rig.book.of("x0").getLast();
  }

  List<String> tail(int count) {
    List<String> calls = rig.calls();
    return calls.subList(Math.max(0, calls.size() - count), calls.size());
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
