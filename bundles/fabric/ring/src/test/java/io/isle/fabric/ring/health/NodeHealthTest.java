package io.isle.fabric.ring.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;
import io.isle.lib.leap.isle.Notice;
import io.isle.lib.leap.isle.RollCall;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Notices and roll calls of neighbours that behave, and of some that do not. */
class NodeHealthTest {
  private static final long SECOND = 1_000_000_000L;

  private final Way toPrev = new Way();
  private final Way toNext = new Way();
  private long now = 1;

  /** Keeps what is sent to a neighbour. */
  private static final class Way implements NewsPath {
    private final List<Notice> notices = new ArrayList<>();
    private final List<RollCall> rolls = new ArrayList<>();

    @Override
    public boolean isUp() {
      return true;
    }

    @Override
    public void post(int kind, byte[] payload) {
      MemorySegment bytes = MemorySegment.ofArray(payload);
      if (kind == IsleFrame.NOTICE) {
        notices.add(Notice.read(bytes, 0));
      } else {
        rolls.add(RollCall.read(bytes, 0, payload.length));
      }
    }

    /** Notices that this node did not give by itself. */
    private List<Notice> passedOn() {
      return notices.stream().filter(one -> !one.reporter().equals("me")).toList();
    }
  }

  private static RollCall.Entry entry(String node) {
    return new RollCall.Entry(node, "tcp://h:1", 7, 1, 1, 0, 4, false, true, 9);
  }

  private NodeHealth node(RingRole role) {
    OwnState own =
        new OwnState() {
          @Override
          public void write(MemorySegment heartbeat, long at, long nowNs) {}

          @Override
          public RollCall.Entry entry() {
            return NodeHealthTest.entry("me");
          }
        };
    NodeHealth made = new NodeHealth("me", role, own, SECOND, 1000, () -> {});
    made.paths(toPrev, toNext);
    return made;
  }

  private static Notice notice(String reporter, long id, String node, int hops) {
    return new Notice(reporter, id, node, "tcp://h:2", Notice.Cause.SILENT, 5, 6, hops, "");
  }

  private static Hello hello(String node) {
    return new Hello(false, "r", node, 1, 5, 0, 0, 200, 8, 250, "tcp://h:3");
  }

  private void tend(NodeHealth health) {
    long next = now;
    while (next <= now) {
      next = health.tend(now);
    }
  }

  @Test
  void aNoticeIsPassedOnOnceWithOneHopLess() {
    NodeHealth health = node(RingRole.WORKER);
    health.events(RingSide.PREV).noticed(notice("a", 1, "b", 9));
    health.events(RingSide.PREV).noticed(notice("a", 1, "b", 9));
    health.events(RingSide.NEXT).noticed(notice("a", 1, "b", 3));
    tend(health);
    assertEquals(List.of(notice("a", 1, "b", 8)), toNext.passedOn());
    assertEquals(List.of(), toPrev.passedOn());
    assertEquals("b", health.health().failures().getFirst().node());
    health.events(RingSide.NEXT).noticed(notice("a", 2, "b", 0));
    tend(health);
    assertEquals(List.of(), toPrev.passedOn(), "no hop is left");
  }

  @Test
  void aNoticeThatIsNotRepeatedEnds() {
    NodeHealth health = node(RingRole.WORKER);
    health.events(RingSide.PREV).noticed(notice("a", 1, "b", 9));
    tend(health);
    assertEquals(1, health.health().lasting().size());
    for (int i = 0; i < 10; i++) {
      now += SECOND;
      tend(health);
    }
    assertEquals(List.of(), health.health().lasting());
  }

  @Test
  void anOwnNoticeThatCameRoundOrIsForgedEndsHere() {
    NodeHealth health = node(RingRole.WORKER);
    health.events(RingSide.PREV).noticed(notice("me", Long.MAX_VALUE, "b", 9));
    tend(health);
    assertEquals(List.of(), health.health().failures());
    assertEquals(List.of(), toNext.passedOn());
  }

  @Test
  void aFloodNeitherGrowsNorHidesTheOtherSide() {
    NodeHealth health = node(RingRole.MASTER);
    health.events(RingSide.NEXT).greeted(hello("near"), false);
    Random random = new Random(1);
    int seconds = 20;
    for (int second = 0; second < seconds; second++) {
      now += SECOND;
      for (int i = 0; i < 5_000; i++) {
        String reporter = "r" + random.nextInt(100_000);
        health
            .events(RingSide.PREV)
            .noticed(notice(reporter, random.nextLong(1L << 62), "n" + i, 255));
        if (i % 100 == 0) {
          tend(health);
        }
      }
      health.events(RingSide.NEXT).noticed(notice("near", second + 1L, "real", 255));
      tend(health);
      toPrev.notices.clear();
      assertTrue(health.health().lasting().size() <= FailureBook.MOST + 1);
    }
    assertTrue(toNext.passedOn().size() <= 256 * (seconds + 1), "the rate is bounded");
    assertTrue(health.health().dropped() > 90_000, health.health().dropped() + " dropped");
    assertTrue(health.health().lasting().stream().map(NodeFailure::node).anyMatch("real"::equals));
    assertTrue(health.changes().size() <= 64, "news that nobody fetches are bounded");
  }

  @Test
  void aRollCallGetsTheNodeAndGoesOn() {
    NodeHealth health = node(RingRole.WORKER);
    health.events(RingSide.PREV).called(new RollCall(77, 0, true, List.of(entry("a"))));
    tend(health);
    assertEquals(
        List.of(new RollCall(77, 0, true, List.of(entry("a"), entry("me")))), toNext.rolls);
  }

  @Test
  void aRollCallThatCameRoundOrTheWrongWayEndsHere() {
    NodeHealth health = node(RingRole.WORKER);
    health.events(RingSide.PREV).called(new RollCall(77, 0, true, List.of(entry("me"))));
    health.events(RingSide.NEXT).called(new RollCall(77, 0, true, List.of(entry("a"))));
    List<RollCall.Entry> full =
        IntStream.range(0, RollCall.MAX_ENTRIES).mapToObj(i -> entry("e" + i)).toList();
    int last = RollCall.MAX_NODES - RollCall.MAX_ENTRIES;
    health.events(RingSide.PREV).called(new RollCall(77, last, true, full));
    tend(health);
    assertEquals(List.of(), toNext.rolls);
    assertEquals(3, health.health().dropped());
  }

  @Test
  void aMasterTakesOnlyTheRollThatItCalls() {
    NodeHealth health = node(RingRole.MASTER);
    health.events(RingSide.NEXT).greeted(hello("a"), false);
    tend(health);
    long number = toNext.rolls.getFirst().roll();
    health.events(RingSide.PREV).called(new RollCall(number - 1, 0, true, List.of(entry("x"))));
    health.events(RingSide.PREV).called(new RollCall(number, 1, true, List.of(entry("x"))));
    health.events(RingSide.PREV).called(new RollCall(number, 0, false, List.of(entry("a"))));
    tend(health);
    assertEquals(List.of(), health.health().members());
    health.events(RingSide.PREV).called(new RollCall(number, 1, true, List.of(entry("b"))));
    tend(health);
    assertEquals(
        List.of("a", "b", "me"),
        health.health().members().stream().map(member -> member.node()).toList());
  }

  @Test
  void aLostRollCallIsRepeated() {
    NodeHealth health = node(RingRole.MASTER);
    health.events(RingSide.NEXT).greeted(hello("a"), false);
    tend(health);
    int first = toNext.rolls.size();
    now += 2 * SECOND;
    tend(health);
    assertTrue(toNext.rolls.size() > first);
  }
}
