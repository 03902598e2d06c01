package io.isle.core.accel.sched;

import static io.isle.core.accel.sched.SimulatedEngine.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.device.DeviceClass;
import io.isle.api.device.Priority;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies, their change at run time, what is refused, and what the journal hears. */
class PoliciesTest {
  private final SchedulingCore core = GuaranteesTest.core(4);

  private List<Integer> serve(int count) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int c = core.next(0);
      order.add(c);
      core.onStart(0, c, 0);
      core.onEnd(0, 1000, 0);
    }
    return order;
  }

  private void open(int c, int priority) {
    core.open(c, 0, priority, 0, 0);
    core.ready(c);
  }

  @Test
  void roundRobinKnowsNoPriority() {
    core.setPolicy(SchedulingPolicy.ROUND_ROBIN);
    open(3, 0);
    open(1, 3);
    open(2, 1);
    assertEquals(List.of(1, 2, 3, 1, 2, 3), serve(6));
    core.idle(2);
    assertEquals(List.of(1, 3, 1), serve(3));
  }

  @Test
  void priorityIsStrictAndInTurnWithinOne() {
    core.setPolicy(SchedulingPolicy.PRIORITY);
    open(1, 2);
    open(2, 2);
    open(3, 1);
    assertEquals(List.of(1, 2, 1, 2), serve(4));
    core.idle(1);
    core.idle(2);
    assertEquals(List.of(3, 3), serve(2));
    core.idle(3);
    assertFalse(core.hasEligible(0));
    assertEquals(SchedulingCore.NEVER, core.nextTimer());
  }

  /** Who comes first is served last: Background, Normal, High, Realtime is the order of coming. */
  @ParameterizedTest
  @CsvSource({"PRIORITY, false", "GUARANTEED, false", "GUARANTEED, true"})
  void eachPriorityGoesBeforeThoseBelow(SchedulingPolicy policy, boolean promised) {
    core.setPolicy(policy);
    List<Integer> descending = new ArrayList<>();
    for (Priority priority : Priority.values()) {
      int c = priority.ordinal();
      core.open(c, 0, c, promised ? MS : 0, promised ? 10 * MS : 0);
      core.ready(c);
      descending.addFirst(c);
    }
    List<Integer> served = new ArrayList<>();
    for (int c : descending) {
      served.addAll(serve(1));
      core.idle(c);
    }
    assertEquals(descending, served);
  }

  /** The journal of a device and the framework name them by number. */
  @Test
  void policiesHaveTheNumbersOfTheFramework() {
    assertEquals(
        List.of(
            SchedulingPolicy.ROUND_ROBIN, SchedulingPolicy.PRIORITY, SchedulingPolicy.GUARANTEED),
        List.of(SchedulingPolicy.values()));
  }

  @Test
  void askingTwiceChangesNothing() {
    for (SchedulingPolicy policy : SchedulingPolicy.values()) {
      SchedulingCore fresh = new SchedulingCore(4, 1, 2, 1, policy, 0);
      for (int c = 0; c < 3; c++) {
        fresh.open(c, 0, 1, 0, 0);
        fresh.ready(c);
        fresh.ready(c);
      }
      assertEquals(fresh.next(0), fresh.next(0));
      assertTrue(fresh.hasEligible(0));
    }
  }

  @Test
  void thePolicyMayChangeWhileAllRuns() {
    SimulatedEngine engine = new SimulatedEngine(core, 4);
    core.setGroup(1, 0, 8 * MS, 10 * MS, 0, 0, 100);
    core.open(0, 1, 1, 0, 0);
    core.open(1, 0, 1, 0, 0);
    var a = engine.tenant(0, () -> MS / 4).floods();
    var b = engine.tenant(1, () -> MS / 4).floods();
    engine.run(1_000 * MS);
    assertEquals(800 * MS, a.given, 2 * MS);
    core.setPolicy(SchedulingPolicy.ROUND_ROBIN);
    engine.run(2_000 * MS);
    assertEquals(1_300 * MS, a.given, 4 * MS);
    core.setPolicy(SchedulingPolicy.GUARANTEED);
    engine.run(3_000 * MS);
    assertEquals(2_100 * MS, a.given, 6 * MS);
    assertEquals(900 * MS, b.given, 6 * MS);
  }

  @Test
  void aDevicesDefaultFollowsItsClass() {
    assertEquals(
        SchedulingPolicy.PRIORITY, SchedulingPolicy.defaultOf(DeviceClass.GPU_COMPUTE, false));
    assertEquals(SchedulingPolicy.ROUND_ROBIN, SchedulingPolicy.defaultOf(DeviceClass.NPU, false));
    assertEquals(SchedulingPolicy.ROUND_ROBIN, SchedulingPolicy.defaultOf(DeviceClass.FPGA, false));
    for (DeviceClass deviceClass : DeviceClass.values()) {
      assertEquals(SchedulingPolicy.GUARANTEED, SchedulingPolicy.defaultOf(deviceClass, true));
    }
    assertEquals(2, SchedulingPolicy.defaultDepth(64, true));
    assertEquals(1, SchedulingPolicy.defaultDepth(1, true));
    assertEquals(64, SchedulingPolicy.defaultDepth(64, false));
  }

  private static void refused(String word, Runnable call) {
    String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
    assertTrue(message.contains(word), message);
  }

  @Test
  void whatIsOutOfRangeIsRefusedByFieldAndLimit() {
    refused("4096", () -> new SchedulingCore(4097, 1, 1, 1, SchedulingPolicy.PRIORITY, 0));
    refused("group 7", () -> core.open(0, 7, 1, 0, 0));
    refused("priority 4", () -> core.open(0, 0, 4, 0, 0));
    refused("context 16", () -> core.open(16, 0, 1, 0, 0));
    refused("period", () -> core.open(0, 0, 1, MS, MS - 1));
    refused("period", () -> core.open(0, 0, 1, MS, MS + 1));
    refused("period", () -> core.open(0, 0, 1, MS, Limits.MAX_PERIOD_NS + 1000));
    refused("quota", () -> core.open(0, 0, 1, 2 * MS + 1, 2 * MS));
    refused("quota", () -> core.open(0, 0, 1, -1, 2 * MS));
    refused("max", () -> core.setGroup(1, 0, 0, 0, 999, MS, 100));
    refused("weight 0", () -> core.setGroup(1, 0, 0, 0, 0, 0, 0));
    refused("weight 10001", () -> core.setGroup(1, 0, 0, 0, 0, 0, 10_001));
    refused("guarantee", () -> core.setGroup(0, -1, MS, MS, 0, 0, 100));
    core.setGroup(1, 0, 0, 0, 0, 0, 100);
    core.setGroup(2, 1, 0, 0, 0, 0, 100);
    refused("below", () -> core.setGroup(1, 2, 0, 0, 0, 0, 100));
    refused("below", () -> core.setGroup(1, 1, 0, 0, 0, 0, 100));
    refused("group 0", () -> core.removeGroup(0));
    refused("not open", () -> core.setContext(3, 0, 1, 0, 0));
    assertThrows(IllegalStateException.class, () -> core.removeGroup(1));
    core.open(0, 2, 1, 0, 0);
    assertThrows(IllegalStateException.class, () -> core.removeGroup(2));
    assertThrows(IllegalStateException.class, () -> core.open(0, 2, 1, 0, 0));
    core.close(0);
    core.removeGroup(2);
    core.removeGroup(1);
    refused("does not exist", () -> core.open(0, 2, 1, 0, 0));
  }

  @Test
  void whatARemovedGroupWasGivenStaysWithItsParent() {
    core.setGroup(1, 0, 0, 0, 0, 0, 100);
    core.setGroup(2, 1, 0, 0, 0, 0, 100);
    core.open(0, 2, 1, 0, 0);
    core.ready(0);
    core.onStart(0, 0, 0);
    core.onEnd(0, 5 * MS, 5 * MS);
    core.close(0);
    core.removeGroup(2);
    assertEquals(5 * MS, core.readings().groupGivenNs(1));
    assertEquals(5 * MS, core.readings().groupGivenNs(0));
  }

  @Test
  void aContextMayGoWithWorkInFlight() {
    core.setGroup(1, 0, 5 * MS, 10 * MS, 5 * MS, 10 * MS, 100);
    core.open(0, 1, 1, 0, 0);
    core.ready(0);
    core.onStart(0, 0, 0);
    core.onStart(1, 0, 0);
    assertEquals(3 * MS, core.readings().groupLeftNs(1));
    core.close(0);
    core.close(0);
    assertEquals(5 * MS, core.readings().groupLeftNs(1));
    assertEquals(5 * MS, core.readings().groupBudgetNs(1));
    core.onEnd(0, MS, MS);
    assertEquals(0, core.readings().groupGivenNs(1), "a completion that comes late counts nothing");
  }

  @Test
  void theJournalHearsWhatHappens() {
    List<String> events = new ArrayList<>();
    core.setGroup(1, 0, 0, 0, 2 * MS, 10 * MS, 100);
    core.setJournal(
        (kind, time, context, value, budget, deadline) ->
            events.add("%d %d %d %d".formatted(kind, time / MS, context, value / MS)));
    core.at(100 * MS);
    core.open(0, 1, 1, MS, 5 * MS);
    core.ready(0);
    core.onStart(0, 0, 100 * MS);
    core.onEnd(0, 3 * MS, 103 * MS);
    core.idle(0);
    assertEquals(SchedulingCore.NONE, core.next(111 * MS));
    core.setJournal(null);
    core.close(0);
    assertEquals(
        List.of(
            "0 100 0 0",
            "8 100 0 0",
            "2 100 0 0",
            "7 100 0 0",
            "4 100 0 1",
            "7 103 0 0",
            "9 103 -2 0",
            "5 103 0 3",
            "3 103 0 0",
            "10 111 -2 0"),
        events);
  }

  @Test
  void waitsAreCountedFromReadyOrTheLastStart() {
    core.open(0, 0, 1, 0, 0);
    core.at(MS);
    core.ready(0);
    core.onStart(0, 0, 4 * MS);
    core.onStart(1, 0, 6 * MS);
    assertEquals(5 * MS, core.readings().waitedNs(0));
    assertEquals(2, core.readings().started(0));
  }
}
