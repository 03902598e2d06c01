package io.isle.apps.chaos.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.chaos.ChaosRequest.Plant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private static final int[] LEGAL = {
    0, 0, 0, -Errno.EINTR, -Errno.ENODATA, -Errno.ENODEV, -Errno.ECLOSED, -Errno.ETIMEDOUT
  };

  @Property(tries = 300)
  void aCorrectHistoryIsCleanInAnyOrder(@ForAll long seed) {
    List<LedgerEvent> events = history(seed);
    Collections.shuffle(events, new Random(seed));
    Verdict verdict = judged(events);
    assertEquals(List.of(), verdict.problems());
    assertEquals(verdict.submitted(), verdict.ended());
    assertEquals(
        events.stream().filter(LedgerEvent.Submitted.class::isInstance).count(),
        verdict.submitted());
  }

  @Property(tries = 300)
  void anyDroppedEndIsLost(@ForAll long seed) {
    List<LedgerEvent> events = history(seed);
    events.remove(one(events, LedgerEvent.Ended.class, seed));
    Verdict verdict = judged(events);
    assertEquals(1, verdict.lost());
    assertEquals(1, verdict.problems().size());
    assertTrue(verdict.problems().getFirst().startsWith("lost: point "), verdict::toString);
  }

  @Property(tries = 300)
  void anySecondEndIsDoubled(@ForAll long seed) {
    List<LedgerEvent> events = history(seed);
    events.add(events.get(one(events, LedgerEvent.Ended.class, seed)));
    Verdict verdict = judged(events);
    assertEquals(1, verdict.doubled());
    assertTrue(verdict.problems().getFirst().startsWith("doubled: point "), verdict::toString);
  }

  @Property(tries = 300)
  void anyFalseResultIsWrong(@ForAll long seed) {
    List<LedgerEvent> events = history(seed);
    int at = one(events, LedgerEvent.Result.class, seed);
    LedgerEvent.Result right = (LedgerEvent.Result) events.get(at);
    events.set(
        at,
        new LedgerEvent.Result(
            right.context(), right.point(), right.expected(), right.actual() + 1));
    Verdict verdict = judged(events);
    assertEquals(1, verdict.wrong());
    assertTrue(verdict.problems().getFirst().startsWith("wrong: point "), verdict::toString);
  }

  @Property(tries = 300)
  void anyOtherStatusDisagrees(@ForAll long seed) {
    List<LedgerEvent> events = history(seed);
    int at = one(events, LedgerEvent.Told.class, seed);
    LedgerEvent.Told told = (LedgerEvent.Told) events.get(at);
    events.set(at, new LedgerEvent.Told(told.context(), told.point(), told.status() - Errno.EIO));
    assertEquals(1, judged(events).disagreeing());
  }

  @Test
  void anEndThatNobodySubmittedIsDoubled() {
    Verdict verdict = judged(List.of(new LedgerEvent.Ended(1, 7, 0)));
    assertEquals(1, verdict.doubled());
    assertEquals(0, verdict.submitted());
  }

  @Test
  void aPointThatCannotBeIsDoubled() {
    assertEquals(1, judged(List.of(new LedgerEvent.Ended(1, -7, 0))).doubled());
    assertEquals(1, judged(List.of(new LedgerEvent.Ended(1, Long.MAX_VALUE, 0))).doubled());
  }

  @Test
  void aCodeThatNoFaultExplainsIsIllegal() {
    Verdict ended =
        judged(
            List.of(
                new LedgerEvent.Submitted(1, 1, 0), new LedgerEvent.Ended(1, 1, -Errno.EINVAL)));
    assertEquals(1, ended.illegal());
    Verdict refused = judged(List.of(new LedgerEvent.Refused(1, -Errno.EINVAL, 3)));
    assertEquals(1, refused.illegal());
    assertEquals(List.of(), judged(List.of(new LedgerEvent.Refused(1, -4, 3))).problems());
  }

  @Test
  void aProblemNamesContextPointAndStep() {
    Verdict verdict =
        judged(
            List.of(
                new LedgerEvent.Opened(4, "soft0/plain#4"), new LedgerEvent.Submitted(4, 9, 41)));
    assertEquals(
        List.of("lost: point 9 of soft0/plain#4, submitted after step 41, never ended"),
        verdict.problems());
  }

  @Property(tries = 100)
  void exactlyThePlantedDefectsAreFound(@ForAll long seed, @ForAll Set<Plant> plants) {
    Ledger ledger = new Ledger();
    history(seed).forEach(new DefectSeeder(plants, ledger));
    Verdict verdict = ledger.verdict();
    assertEquals(plants.contains(Plant.LOST) ? 1 : 0, verdict.lost());
    assertEquals(plants.contains(Plant.DOUBLED) ? 1 : 0, verdict.doubled());
    assertEquals(plants.contains(Plant.WRONG) ? 1 : 0, verdict.wrong());
    assertEquals(
        plants.stream().filter(plant -> plant != Plant.LEAK).map(Plant::text).sorted().toList(),
        verdict.problems().stream().map(line -> line.split(":", 2)[0]).toList());
  }

  private static Verdict judged(List<LedgerEvent> events) {
    Ledger ledger = new Ledger();
    events.forEach(ledger);
    return ledger.verdict();
  }

  /** Several contexts whose submissions all end once, legally, with right results. */
  private static List<LedgerEvent> history(long seed) {
    Random random = new Random(seed);
    List<LedgerEvent> events = new ArrayList<>();
    for (int context = 1; context <= 1 + random.nextInt(4); context++) {
      int last = 300 + random.nextInt(300);
      for (int point = 1; point <= last; point++) {
        int status = LEGAL[random.nextInt(LEGAL.length)];
        events.add(new LedgerEvent.Submitted(context, point, random.nextInt(50)));
        events.add(new LedgerEvent.Ended(context, point, status));
        if (random.nextBoolean()) {
          events.add(new LedgerEvent.Told(context, point, status));
        }
        if (status == 0 && random.nextInt(4) > 0) {
          long result = random.nextLong();
          events.add(new LedgerEvent.Result(context, point, result, result));
        }
      }
    }
    return events;
  }

  /** The index of one event of that type. */
  private static int one(List<LedgerEvent> events, Class<?> type, long seed) {
    int at = new Random(~seed).nextInt(events.size());
    while (!type.isInstance(events.get(at))) {
      at = (at + 1) % events.size();
    }
    return at;
  }
}
