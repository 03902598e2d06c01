package io.isle.spin.nic.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.spin.RulesetPreset;
import io.isle.api.spin.SpinException;
import io.isle.spin.nic.plan.ContextPlan;
import io.isle.spin.nic.plan.NicLimits;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NicCoreTest {
  private static final long TIMEOUT_NS = 500;
  private static final NicLimits SMALL = new NicLimits(2, 2, 4, 4);

  private static Harness nic(NicLimits limits, int parallel, String handlers) {
    Harness nic = new Harness(limits, parallel, TIMEOUT_NS);
    nic.attach(0, "a", handlers);
    return nic;
  }

  private static List<HandlerKind> kinds(Harness nic) {
    return nic.running.stream().map(Harness.Running::kind).toList();
  }

  /** Starts what can start, and ends it; the handlers that ran. */
  private static List<HandlerKind> round(Harness nic) {
    nic.core.dispatch(nic.now);
    List<HandlerKind> kinds = kinds(nic);
    while (!nic.running.isEmpty()) {
      nic.complete(0, false);
    }
    return kinds;
  }

  @Test
  void aMessageOfOnePacketRunsAllThree() {
    Harness nic = nic(SMALL, 4, "hpt");
    assertEquals(0, nic.arrive(0, 7, true, 0));
    assertEquals(List.of(HandlerKind.HEADER), round(nic));
    assertEquals(List.of(HandlerKind.PACKET), round(nic));
    assertEquals(1, nic.core.usedSlots(0), "the tail handler needs the packet");
    assertEquals(List.of(HandlerKind.TAIL), round(nic));
    assertEquals(0, nic.core.usedSlots(0));
    assertEquals(1, nic.core.counters(0).messages());
  }

  @Test
  void otherIdsOfABusyQueueWait() {
    Harness nic = nic(SMALL, 4, "pt");
    nic.arrive(0, 1, false, 0);
    nic.arrive(0, 17, true, 0);
    nic.arrive(0, 1, true, 0);
    nic.arrive(0, 1, true, 0);
    assertEquals(List.of(HandlerKind.PACKET, HandlerKind.PACKET), round(nic));
    assertEquals(List.of(HandlerKind.TAIL), round(nic));
    nic.core.dispatch(nic.now);
    assertEquals(17, nic.running.getFirst().packet().message());
    nic.finish();
    assertEquals(3, nic.core.counters(0).messages());
    assertEquals(0, nic.core.usedSlots(0));
  }

  @Test
  void withoutHeaderAndTailHandlersPacketsStandAlone() {
    Harness nic = nic(SMALL, 4, "p");
    nic.arrive(0, 1, false, 0);
    nic.arrive(0, 17, false, 0);
    assertEquals(List.of(HandlerKind.PACKET, HandlerKind.PACKET), round(nic));
    assertEquals(0, nic.core.expire(10 * TIMEOUT_NS));
    Harness never = new Harness(SMALL, 4, TIMEOUT_NS);
    never.plans[0] = Harness.plan(0, "a", "FALSE", "hpt");
    never.core.attach(0, never.plans[0]);
    never.arrive(0, 1, false, 0);
    assertEquals(List.of(HandlerKind.PACKET), round(never));
    assertEquals(0, never.core.usedSlots(0));
  }

  @Test
  void aTrapCostsThePacketAndNotTheMessage() {
    Harness nic = nic(SMALL, 1, "hpt");
    nic.arrive(0, 1, false, 0);
    nic.arrive(0, 1, true, 0);
    nic.core.dispatch(nic.now);
    nic.complete(0, true);
    nic.core.dispatch(nic.now);
    assertEquals(1, nic.running.getFirst().packet().number(), "the first packet is lost");
    nic.complete(0, true);
    assertEquals(List.of(HandlerKind.TAIL), round(nic));
    assertEquals(2, nic.core.counters(0).traps());
    assertEquals(3, nic.core.counters(0).tasks());
    assertEquals(1, nic.core.counters(0).messages());
  }

  @Test
  void aMessageWithoutPacketsIsAborted() {
    Harness nic = nic(SMALL, 1, "hpt");
    nic.arrive(0, 1, false, 0);
    nic.arrive(0, 17, true, 0);
    nic.core.dispatch(nic.now);
    nic.now = TIMEOUT_NS - 1;
    assertEquals(0, nic.core.expire(nic.now));
    nic.now = TIMEOUT_NS;
    assertEquals(1, nic.core.expire(nic.now));
    assertEquals(0, nic.core.expire(nic.now), "once");
    assertEquals(List.of("0 1 TIMEOUT"), nic.events);
    assertEquals(2, nic.core.usedSlots(0), "its header handler still runs");
    nic.complete(0, false);
    assertEquals(1, nic.core.usedSlots(0));
    nic.finish();
    assertEquals(1, nic.core.counters(0).messages(), "the next message has run");
    assertEquals(1, nic.core.counters(0).aborted());
  }

  @Test
  void whatDoesNotFitIsDroppedByReason() {
    Harness nic = nic(SMALL, 1, "p");
    nic.attach(1, "b", "p");
    assertEquals(0, nic.arrive(0, 1, false, 7), "more than a small slot");
    for (int i = 0; i < 3; i++) {
      assertEquals(0, nic.arrive(0, 1, false, 0), "two small slots, then a large one");
    }
    assertFalse(nic.core.hasRoom(MemorySegment.ofArray(new byte[48]), 0, 48));
    assertEquals(NicCore.DROPPED, nic.arrive(0, 1, false, 0));
    assertEquals(NicCore.DROPPED, nic.arrive(0, 1, false, 7));
    assertEquals(1, nic.arrive(1, 1, false, 7), "the other's part is free");
    assertEquals(NicCore.DROPPED, nic.arrive(1, 1, false, 200));
    assertEquals(NicCore.UNMATCHED, nic.arrive(3, 1, false, 0));
    nic.freeze(1);
    assertEquals(NicCore.DROPPED, nic.arrive(1, 1, false, 0));
    assertEquals(2, nic.core.counters(0).drops(DropReason.SLOTS));
    assertEquals(1, nic.core.counters(1).drops(DropReason.LENGTH));
    assertEquals(1, nic.core.counters(1).drops(DropReason.RECOVERY));
    assertEquals(1, nic.core.counters(1).lost());
    assertEquals(1, nic.core.unmatched());
  }

  @Test
  void aRecoveryLosesPacketsAndAbortsMessages() {
    Harness nic = nic(SMALL, 1, "hpt");
    nic.arrive(0, 1, false, 0);
    nic.arrive(0, 2, false, 0);
    nic.core.dispatch(nic.now);
    nic.now = 5;
    nic.freeze(0);
    assertEquals(List.of("0 1 RECOVERY", "0 2 RECOVERY"), nic.events);
    assertEquals(0, nic.core.running());
    assertEquals(5, nic.core.counters(0).hpuNs());
    assertEquals(0, nic.core.dispatch(nic.now));
    nic.core.thaw(0);
    nic.arrive(0, 1, true, 0);
    nic.finish();
    assertEquals(1, nic.core.counters(0).messages());
    assertEquals(2, nic.core.counters(0).lost());
  }

  @Test
  void theOldestMessageMakesRoomOnceNothingRuns() {
    Harness nic = nic(SMALL, 1, "pt");
    nic.arrive(0, 2, false, 0);
    nic.now = 1;
    nic.arrive(0, 1, false, 0);
    assertFalse(nic.core.abortOldest(nic.now), "both can run");
    nic.finish();
    assertTrue(nic.core.abortOldest(nic.now));
    assertEquals(List.of("0 2 ROOM"), nic.events);
    assertTrue(nic.core.abortOldest(nic.now));
    assertFalse(nic.core.abortOldest(nic.now));
  }

  @Test
  void aTaskThatWaitsForTheHostDoesNotCount() {
    Harness nic = nic(SMALL, 1, "p");
    nic.arrive(0, 0, false, 0);
    nic.arrive(0, 1, false, 0);
    assertEquals(1, nic.core.dispatch(nic.now));
    assertEquals(0, nic.core.dispatch(nic.now));
    assertEquals(0, nic.core.hostWait(nic.running.getFirst().tag(), true));
    assertEquals(1, nic.core.dispatch(nic.now));
    assertEquals(0, nic.core.hostWait(nic.running.getFirst().tag(), false));
    assertEquals(2, nic.core.running());
    assertEquals(0, nic.core.dispatch(nic.now));
    nic.finish();
  }

  /** Numbers of the packets whose tasks run on a cluster of two HPUs. */
  private static List<Integer> onCluster(Harness nic, int cluster) {
    return nic.running.stream()
        .filter(task -> (task.tag() & 0xFF) / 2 == cluster)
        .map(task -> task.packet().number())
        .toList();
  }

  @Test
  void aQueueHasAClusterUntilTwelveTasksWaitThere() {
    Harness nic = nic(new NicLimits(2, 2, 64, 4), 16, "p");
    for (int i = 0; i < 20; i++) {
      nic.arrive(0, 3, false, 0);
    }
    assertEquals(4, nic.core.dispatch(nic.now));
    assertEquals(List.of(0, 1), onCluster(nic, 1));
    assertEquals(List.of(14, 15), onCluster(nic, 0));
    nic.finish();
    assertEquals(20, nic.packetRuns.size());
  }

  @Test
  void readyQueuesTakeTurns() {
    Harness nic = nic(SMALL, 3, "p");
    IntStream.of(1, 1, 1, 2, 3).forEach(id -> nic.arrive(0, id, false, 0));
    nic.core.dispatch(nic.now);
    assertEquals(
        List.of(1, 2, 3), nic.running.stream().map(task -> task.packet().message()).toList());
    nic.finish();
  }

  @Test
  void mistakesOfTheControlPathHaveTheirCode() {
    Harness nic = nic(SMALL, 1, "p");
    ContextPlan plan = nic.plans[0];
    assertEquals(Errno.EBUSY, code(() -> nic.core.attach(0, plan)));
    assertEquals(Errno.EINVAL, code(() -> nic.core.attach(4, plan)));
    assertEquals(Errno.ENOENT, code(() -> nic.core.detach(1, 0)));
    assertEquals(Errno.EINVAL, code(() -> nic.core.weight("a", 0, 0)));
    assertEquals(Errno.EINVAL, code(() -> new NicLimits(0, 1, 1, 4)));
    assertEquals(
        Errno.EINVAL,
        code(() -> new ContextPlan("a", RulesetPreset.UDP.ruleset(), false, false, false)));
    assertEquals(-Errno.ESTALE, nic.core.complete(0, false, 0));
    assertEquals(-Errno.ESTALE, nic.core.complete(0xFF, false, 0));
  }

  private static int code(Runnable call) {
    return assertThrows(SpinException.class, call::run).code();
  }

  @Test
  void theMemoryOfPacketsIsThatOfTheFpga() {
    assertEquals(512 << 10, NicLimits.FPSPIN.packetBytes());
    assertEquals(1024 * 128 + 1536, NicLimits.FPSPIN.offset(1025));
  }
}
