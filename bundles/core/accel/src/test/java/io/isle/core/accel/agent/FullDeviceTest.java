package io.isle.core.accel.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import org.junit.jupiter.api.Test;

/** A device that takes no work for now, in simulated time. */
class FullDeviceTest {
  private final SimulatedDataPlane plane = new SimulatedDataPlane();

  private void cycle() {
    int ignored = plane.agent.doWork();
    plane.now += Dispatcher.RETRY_NS;
  }

  @Test
  void anAgentWithNothingToStartSleepsAlthoughTheDeviceWasFull() {
    SimulatedTenant tenant = plane.tenants.get(0);
    tenant.submit(false, false);
    cycle();
    plane.complete(plane.onDevice.get(0), CompletionSink.PREEMPTED, -Errno.EAGAIN);
    plane.refusal = -Errno.EAGAIN;
    cycle();
    assertEquals(Dispatcher.RETRY_NS, plane.agent.maxSleepNs());
    plane.pause(true);
    assertEquals(Long.MAX_VALUE, plane.agent.maxSleepNs());
  }

  @Test
  void aDeviceThatHasNothingToDoAndTakesNoWorkIsGivenUp() {
    plane.refusal = -Errno.EAGAIN;
    plane.tenants.get(0).submit(false, false);
    for (int i = 1; i < Dispatcher.MOST_REFUSALS; i++) {
      cycle();
    }
    assertNull(plane.failure);
    cycle();
    assertTrue(plane.failure.contains("refuses work"), plane.failure);
  }

  @Test
  void aDeviceThatIsBusyMayRefuseForEver() {
    plane.tenants.get(0).submit(false, false);
    cycle();
    plane.refusal = -Errno.EAGAIN;
    plane.tenants.get(1).submit(false, false);
    for (int i = 0; i < 2 * Dispatcher.MOST_REFUSALS; i++) {
      cycle();
    }
    assertTrue(plane.refused > Dispatcher.MOST_REFUSALS, "it was asked");
    assertNull(plane.failure);
  }
}
