package io.isle.sim;

import static io.isle.sim.Scenes.MS;
import static io.isle.sim.Scenes.run;
import static io.isle.sim.Scenes.tenant;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What becomes of work: limits, stalls, ends, and what never got its turn. Virtual times. */
class SimulationTest {
  private static long chargedNs(Simulation simulation, TenantRun tenant) {
    return simulation.deviceOf(tenant).plane().scheduler().readings().givenNs(tenant.index());
  }

  @Test
  void aLimitCountsAllStretches() {
    Simulation simulation =
        run(
            """
            duration: 1s
            devices: {sim0: {depth: 1, preemption: instruction, check_interval: 1ms}}
            contexts:
              long: {execution_limit: 100ms, workload: {trace: [0ms]}, service: 150ms}
              urgent: {priority: high, workload: {trace: [60ms]}, service: 5ms}
            """);
    TenantRun limited = tenant(simulation, "long");
    assertEquals(1, limited.failed);
    assertTrue(limited.ranNs >= 100 * MS && limited.ranNs <= 102 * MS, "ran " + limited.ranNs);
    assertEquals(5 * MS, tenant(simulation, "urgent").ranNs);
    assertEquals(1, tenant(simulation, "urgent").completed);
  }

  /** What cannot be stopped ends late, as what it is, and is paid back. */
  @Test
  void whatRunsBeyondItsLimitIsPaidBack() {
    Simulation simulation =
        run(
            """
            duration: 1s
            devices: {sim0: {depth: 1}}
            contexts: {a: {execution_limit: 2ms, workload: {trace: [0ms, 0ms]}, service: 5ms}}
            """);
    TenantRun tenant = tenant(simulation, "a");
    assertEquals(2, tenant.failed);
    assertEquals(10 * MS, tenant.ranNs);
    assertEquals(8 * MS, tenant.waits.max(), 0.1 * MS);
  }

  @Test
  void workThatStandsStillEndsLaterAndIsChargedWhatItDid() {
    Simulation simulation =
        run(
            """
            duration: 1s
            devices: {sim0: {stall: 10ms}}
            contexts: {a: {workload: {trace: [0ms]}, service: 10ms}}
            """);
    TenantRun tenant = tenant(simulation, "a");
    assertEquals(1, tenant.completed);
    assertEquals(20 * MS, tenant.latencies.max());
    assertEquals(10 * MS, tenant.ranNs);
    assertEquals(10 * MS, chargedNs(simulation, tenant));
    assertEquals(10 * MS, simulation.devices().getFirst().ranNs());
  }

  @Test
  void soDoesWorkThatLeavesAndGoesOn() {
    Simulation simulation =
        run(
            """
            duration: 1s
            devices:
              sim0:
                depth: 1
                preemption: instruction
                check_interval: 1ms
                stall: {list: [10ms, 0ms, 20ms]}
            contexts:
              long: {workload: {trace: [0ms]}, service: 50ms}
              urgent: {priority: high, workload: {trace: [30ms]}, service: 1ms}
            """);
    TenantRun tenant = tenant(simulation, "long");
    assertEquals(1, tenant.completed);
    assertEquals(1, tenant.preemptions);
    // a half of the first stall, the second one, and the other's work
    assertEquals(76 * MS, tenant.latencies.max(), MS);
    assertEquals(50 * MS, tenant.ranNs, 0.001 * MS);
    assertEquals(50 * MS, chargedNs(simulation, tenant), 0.001 * MS);
  }

  private static final String STARVED =
      """
      duration: 1s
      devices: {sim0: {depth: 1}}
      contexts:
        flood: {priority: high, workload: flood, service: 1ms}
        starved: {queue: 4, workload: {periodic: 10ms, phase: 5ms}, service: 1ms}
      """;

  @Test
  void whoNeverGetsATurnMissesItsDeadlines() {
    TenantRun tenant = tenant(run(STARVED), "starved");
    assertEquals(0, tenant.completed);
    assertEquals(99, tenant.misses, "all but the newest");
    assertEquals(995 * MS, tenant.waits.max());
    assertEquals(995 * MS, tenant.latencies.max());
  }

  @Test
  void whatAContextCannotSubmitAnyMoreIsMissed() {
    TenantRun tenant = tenant(run(STARVED + "events: [{at: 500ms, close: starved}]"), "starved");
    assertEquals(4, tenant.failed, "its queue");
    assertEquals(50, tenant.misses);
  }

  @Test
  void whoThinksWhileHisContextEndsDoesNotGoOnInTheNext() {
    Simulation simulation =
        run(
            """
            duration: 3550ms
            devices: {sim0: {}}
            contexts: {a: {workload: {closed: 1, think: 1s}, service: 1ms}}
            events: [{at: 500ms, close: a}, {at: 600ms, open: a}]
            """);
    assertEquals(4, tenant(simulation, "a").submitted);
  }

  /** With nothing promised any more more than two may be on the device, from then on. */
  @Test
  void theEndOfAGroupOnOneDeviceActsOnTheOthersAtOnce() {
    Simulation simulation =
        run(
            """
            duration: 1s
            devices: {sim0: {units: 4, parallel: 4}, sim1: {}}
            groups: {g: {compute.guarantee: "sim0 50000, sim1 50000"}}
            contexts:
              a: {device: sim1, group: g, workload: {trace: [0ms]}, service: 130ms}
              b: {device: sim0, workload: {trace: [0ms, 0ms, 0ms, 0ms]}, service: 700ms}
            events: [{at: 50ms, remove: g}]
            """);
    assertEquals(130 * MS, tenant(simulation, "b").waits.max());
  }

  @Test
  void moreThanMemoryHoldsIsRefused() {
    SimException e =
        assertThrows(
            SimException.class,
            () ->
                run(
                    """
                    duration: 1s
                    devices: {sim0: {}}
                    contexts: {a: {workload: {periodic: 1ns, burst: 4096}, service: 1s}}
                    """));
    assertEquals(1, e.exit());
    assertTrue(e.getMessage().contains("wait for room in their queues"), e.getMessage());
  }
}
