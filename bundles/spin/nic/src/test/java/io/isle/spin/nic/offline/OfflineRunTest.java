package io.isle.spin.nic.offline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.spin.Ruleset;
import io.isle.api.spin.RulesetPreset;
import io.isle.api.spin.Rulesets;
import io.isle.spin.nic.core.DropReason;
import io.isle.spin.nic.core.HandlerKind;
import io.isle.spin.nic.plan.ContextPlan;
import io.isle.spin.nic.plan.NicLimits;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OfflineRunTest {
  private static final NicLimits SMALL = new NicLimits(2, 8, 4, 4);
  private static final String BYTE_40 =
      "AND {0, 0xc0000000, 0, 0} EOM {10, 0xff000000, 0x01000000, 0x01000000}";

  private final JavaHandlers handlers = new JavaHandlers(SMALL);

  private OfflineRun run(Ruleset rules, String names) {
    ContextPlan plan =
        new ContextPlan("a", rules, names.contains("h"), names.contains("p"), names.contains("t"));
    return new OfflineRun(SMALL, plan, handlers, handlers);
  }

  private OfflineRun run(String names) {
    return run(Rulesets.parse(BYTE_40).all().getFirst(), names);
  }

  private static void give(OfflineRun run, int first, int message, boolean ends) {
    give(run, JavaHandlers.packet(first, message, ends, 60));
  }

  private static void give(OfflineRun run, byte[] packet) {
    run.packet(MemorySegment.ofArray(packet), 0, packet.length);
  }

  @Test
  void eachPacketRunsToItsEndBeforeTheNext() {
    OfflineRun run = run("p");
    IntStream.range(0, 10).forEach(i -> give(run, i, i, true));
    give(run, 0x80, 3, true);
    run.end();
    assertEquals(
        IntStream.range(0, 10).mapToObj(i -> "PACKET " + i + " 60").toList(), handlers.sent);
    assertEquals(List.of(0x80), handlers.unmatched);
    assertEquals(11, run.packets());
    assertEquals(1, run.unmatched());
    assertEquals(10, run.sent());
    assertEquals(10, run.counters().packets());
  }

  @Test
  void aQueueRunsOnItsHomeCluster() {
    OfflineRun run = run("p");
    IntStream.range(0, 40).forEach(i -> give(run, 0, i, false));
    for (OfflineTask task : handlers.tasks) {
      assertEquals(task.packet() % 16, task.queue());
      assertEquals(task.queue() % 2 * 8, task.hpu());
    }
    assertEquals(40, handlers.tasks.size());
  }

  @Test
  void aMessageRunsItsHandlersInOrder() {
    OfflineRun run = run("hpt");
    give(run, 1, 5, false);
    give(run, 2, 5, false);
    give(run, 3, 5, true);
    assertEquals(
        List.of("HEADER 1 60", "PACKET 1 60", "PACKET 2 60", "PACKET 3 60", "TAIL 3 60"),
        handlers.sent);
    assertEquals(1, run.counters().messages());
    run.end();
    assertEquals(List.of(), handlers.aborted);
    assertEquals(3, run.times(HandlerKind.PACKET).runs());
    assertEquals(1, run.times(HandlerKind.PACKET).min());
    assertEquals(2, run.times(HandlerKind.PACKET).percentile(50));
    assertEquals(3, run.times(HandlerKind.PACKET).max());
    assertEquals(6, run.times(HandlerKind.PACKET).sum());
  }

  @Test
  void messagesOfOneQueueFollowEachOther() {
    OfflineRun run = run("hpt");
    give(run, 1, 5, false);
    give(run, 2, 21, true);
    assertEquals(2, handlers.tasks.size(), "another id waits for the end of the message");
    give(run, 3, 5, true);
    assertEquals(
        List.of(0L, 0L, 2L, 2L, 1L, 1L, 1L),
        handlers.tasks.stream().map(OfflineTask::packet).toList());
  }

  @Test
  void aFullBufferAbortsTheOldestMessageAndDropsNothing() {
    OfflineRun run = run("hpt");
    give(run, 1, 5, false);
    IntStream.range(0, 40).forEach(i -> give(run, i % 16, 21, i % 4 == 3));
    run.end();
    assertEquals(List.of("5 for room"), handlers.aborted);
    assertEquals(0, run.counters().drops(DropReason.SLOTS));
    assertEquals(10, run.counters().messages());
    assertEquals(41, run.times(HandlerKind.PACKET).runs());
    assertEquals(11, run.times(HandlerKind.HEADER).runs());
    assertEquals(10, run.times(HandlerKind.TAIL).runs());
  }

  @Test
  void theEndAbortsMessagesSoThatThoseBehindThemRun() {
    OfflineRun run = run("hpt");
    give(run, 1, 6, false);
    give(run, 2, 5, false);
    give(run, 3, 21, true);
    run.end();
    assertEquals(List.of("6 at the end", "5 at the end"), handlers.aborted);
    assertEquals("TAIL 3 60", handlers.sent.getLast());
    assertEquals(2, run.counters().aborted());
    assertEquals(1, run.counters().messages());
  }

  @Test
  void aTrapCostsItsPacket() {
    OfflineRun run = run(RulesetPreset.MATCH.ruleset(), "hpt");
    give(run, 1, 0, false);
    give(run, JavaHandlers.TRAPS, 0, false);
    give(run, 2, 0, false);
    assertEquals(List.of("HEADER on packet 1", "TAIL on packet 1"), handlers.trapped);
    assertEquals(1, run.traps(HandlerKind.HEADER));
    assertEquals(0, run.traps(HandlerKind.PACKET));
    assertEquals(2, run.counters().traps());
    assertEquals("TAIL 2 60", handlers.sent.getLast());
    assertEquals(7, run.times(HandlerKind.HEADER).max(), "the time of a trap counts");
  }

  @Test
  void nothingRunsBehindARefusedTask() {
    OfflineRun run = run(RulesetPreset.MATCH.ruleset(), "hpt");
    give(run, 1, 0, false);
    give(run, JavaHandlers.REFUSED, 0, false);
    give(run, 2, 0, false);
    assertEquals(4, handlers.tasks.size());
    assertTrue(run.refused());
    assertEquals(1, run.notRun());
    assertEquals(1, run.times(HandlerKind.HEADER).runs());
  }

  @Test
  void aPacketLongerThanASlotIsDropped() {
    OfflineRun run = run("p");
    give(run, JavaHandlers.packet(1, 1, false, NicLimits.LARGE_BYTES + 1));
    give(run, JavaHandlers.packet(1, 1, false, NicLimits.LARGE_BYTES));
    assertEquals(1, run.counters().drops(DropReason.LENGTH));
    assertEquals(List.of("PACKET 1 1536"), handlers.sent);
    assertTrue(handlers.unmatched.isEmpty());
  }
}
