package io.isle.core.accel.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import org.junit.jupiter.api.Test;

/** A device that takes no work for now, in simulated time. */
class FullDeviceTest {
  private final SimulatedPlace place = new SimulatedPlace();

  private void cycle() {
    int ignored = place.agent.doWork();
    place.now += Dispatcher.RETRY_NS;
  }

  @Test
  void anAgentWithNothingToStartSleepsAlthoughTheDeviceWasFull() {
    SimulatedTenant tenant = place.tenants.get(0);
    tenant.submit(false, false);
    cycle();
    place.complete(place.onDevice.get(0), CompletionSink.PREEMPTED, -Errno.EAGAIN);
    place.refusal = -Errno.EAGAIN;
    cycle();
    assertEquals(Dispatcher.RETRY_NS, place.agent.maxSleepNs());
    place.pause(true);
    assertEquals(Long.MAX_VALUE, place.agent.maxSleepNs());
  }

  @Test
  void aDeviceThatHasNothingToDoAndTakesNoWorkIsGivenUp() {
    place.refusal = -Errno.EAGAIN;
    place.tenants.get(0).submit(false, false);
    for (int i = 1; i < Dispatcher.MOST_REFUSALS; i++) {
      cycle();
    }
    assertNull(place.failure);
    cycle();
    assertTrue(place.failure.contains("takes no work"), place.failure);
  }

  @Test
  void aDeviceThatIsBusyMayRefuseForEver() {
    place.tenants.get(0).submit(false, false);
    cycle();
    place.refusal = -Errno.EAGAIN;
    place.tenants.get(1).submit(false, false);
    for (int i = 0; i < 2 * Dispatcher.MOST_REFUSALS; i++) {
      cycle();
    }
    assertTrue(place.refused > Dispatcher.MOST_REFUSALS, "it was asked");
    assertNull(place.failure);
  }
}
