package io.isle.spin.nic.offline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.spin.Rulesets;
import io.isle.spin.nic.core.DropReason;
import io.isle.spin.nic.core.HandlerKind;
import io.isle.spin.nic.plan.ContextPlan;
import io.isle.spin.nic.plan.NicLimits;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class OfflineRunPropertyTest {
  private static final NicLimits SMALL = new NicLimits(2, 8, 4, 8);
  private static final String RULES =
      "AND {0, 0x80000000, 0, 0} EOM {10, 0xff000000, 0x01000000, 0x01000000}";

  /** A run of any packets. */
  private static JavaHandlers run(long seed, String names) {
    Random random = new Random(seed);
    JavaHandlers handlers = new JavaHandlers(SMALL);
    ContextPlan plan =
        new ContextPlan(
            "a",
            Rulesets.parse(RULES).all().getFirst(),
            names.contains("h"),
            names.contains("p"),
            names.contains("t"));
    OfflineRun run = new OfflineRun(SMALL, plan, handlers, handlers);
    int packets = 300;
    for (int i = 0; i < packets; i++) {
      byte[] packet =
          JavaHandlers.packet(
              random.nextInt(160),
              random.nextInt(40),
              random.nextInt(3) == 0,
              48 + random.nextInt(200));
      run.packet(MemorySegment.ofArray(packet), 0, packet.length);
    }
    run.end();
    assertEquals(0, run.counters().drops(DropReason.SLOTS), "the reader waits");
    assertEquals(packets, run.unmatched() + run.counters().packets());
    assertEquals(handlers.unmatched.size(), run.unmatched());
    assertEquals(handlers.aborted.size(), run.counters().aborted());
    return handlers;
  }

  @Property(tries = 100)
  void allPacketsRunOnceAndAlwaysInTheSameOrder(@ForAll long seed) {
    for (String names : new String[] {"hpt", "p", "pt", "hp"}) {
      JavaHandlers handlers = run(seed, names);
      Set<Long> packets = new HashSet<>();
      handlers.tasks.stream()
          .filter(task -> task.handler() == HandlerKind.PACKET)
          .forEach(task -> assertTrue(packets.add(task.packet()), "a packet runs twice"));
      assertEquals(300 - handlers.unmatched.size(), packets.size());
      JavaHandlers again = run(seed, names);
      assertEquals(handlers.tasks, again.tasks);
      assertEquals(handlers.sent, again.sent);
      assertEquals(handlers.aborted, again.aborted);
    }
  }

  @Property
  void percentilesAreThoseOfTheSortedTimes(
      @ForAll @Size(min = 1, max = 200) long[] any,
      @ForAll @IntRange(min = 1, max = 100) int percent) {
    RunTimes times = new RunTimes();
    long[] sorted = Arrays.stream(any).map(ns -> ns >>> 1).sorted().toArray();
    Arrays.stream(sorted).forEach(times::add);
    assertEquals(sorted[0], times.min());
    assertEquals(sorted[sorted.length - 1], times.max());
    assertEquals(sorted.length, times.runs());
    long exact = sorted[(sorted.length * percent + 99) / 100 - 1];
    long shown = times.percentile(percent);
    assertEquals(exact, shown, exact / 128.0);
  }
}
