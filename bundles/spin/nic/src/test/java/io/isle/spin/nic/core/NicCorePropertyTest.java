package io.isle.spin.nic.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.spin.nic.plan.NicLimits;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Any order of packets, ends of tasks, traps, losses, aborts and recoveries. */
class NicCorePropertyTest {
  private static final long TIMEOUT_NS = 500;
  private static final NicLimits SMALL = new NicLimits(2, 2, 12, 8);
  private static final List<String> HANDLERS = List.of("hpt", "hp", "pt", "p", "h", "t", "ht");

  @Property(tries = 500)
  void handlersRunInOrderAndEachTaskOnce(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int parallel) {
    Random random = new Random(seed);
    Harness nic = new Harness(SMALL, parallel, TIMEOUT_NS);
    nic.attach(0, "a", "hpt");
    nic.attach(1, "b", HANDLERS.get(random.nextInt(HANDLERS.size())));
    nic.attach(2, "a", HANDLERS.get(random.nextInt(HANDLERS.size())));
    for (int i = 0; i < 400; i++) {
      step(nic, random, parallel);
      check(nic);
    }
    for (int slot = 0; slot < 3; slot++) {
      nic.core.thaw(slot);
    }
    do {
      nic.finish();
      nic.now += TIMEOUT_NS;
    } while (nic.core.expire(nic.now) > 0);
    for (int slot = 0; slot < 3; slot++) {
      assertEquals(0, nic.core.usedSlots(slot), "slots of " + nic.plans[slot]);
    }
    assertEquals(0, nic.core.running());
  }

  private static void step(Harness nic, Random random, int parallel) {
    nic.now += random.nextInt(20);
    int slot = random.nextInt(3);
    switch (random.nextInt(40)) {
      case 0 -> nic.core.expire(nic.now);
      case 1 -> nic.freeze(slot);
      case 2, 3 -> nic.core.thaw(slot);
      case 4 -> {
        boolean ignored = nic.running.isEmpty() && nic.core.abortOldest(nic.now);
      }
      case 5 -> {
        nic.detach(slot);
        nic.attach(slot, "ab".substring(slot % 2, slot % 2 + 1), HANDLERS.get(slot));
      }
      case 6, 7 -> wait(nic, random);
      case 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 -> {
        int before = nic.core.running();
        int started = nic.core.dispatch(nic.now);
        assertTrue(started == 0 || before + started <= parallel, "more than may run");
      }
      case 20, 21, 22, 23, 24, 25, 26, 27 -> {
        if (!nic.running.isEmpty()) {
          nic.complete(random.nextInt(), random.nextInt(8) == 0);
        }
      }
      default -> {
        int message = random.nextInt(6) * (random.nextInt(3) == 0 ? 16 : 1);
        int ignored = nic.arrive(slot, message, random.nextInt(3) == 0, random.nextInt(140));
      }
    }
  }

  private static void wait(Harness nic, Random random) {
    if (!nic.running.isEmpty()) {
      long tag = nic.running.get(random.nextInt(nic.running.size())).tag();
      assertEquals(0, nic.core.hostWait(tag, random.nextBoolean()));
    }
  }

  private static void check(Harness nic) {
    int slots = 0;
    for (int slot = 0; slot < 3; slot++) {
      int used = nic.core.usedSlots(slot);
      assertTrue(used <= SMALL.smallSlots() / 3 + SMALL.largeSlots() / 3, "more than a part");
      slots += used;
    }
    assertTrue(slots >= nic.running.stream().map(Harness.Running::packet).distinct().count());
  }

  @Property(tries = 200)
  void withoutLossEachPacketRunsOnceAndEachMessageEnds(@ForAll long seed) {
    Random random = new Random(seed);
    Harness nic = new Harness(NicLimits.FPSPIN, 1 + random.nextInt(16), TIMEOUT_NS);
    nic.attach(0, "a", "hpt");
    int messages = 1 + random.nextInt(20);
    int[] left = IntStream.range(0, messages).map(i -> 1 + random.nextInt(8)).toArray();
    int packets = IntStream.of(left).sum();
    for (int sent = 0; sent < packets; ) {
      int message = random.nextInt(messages);
      if (left[message] > 0) {
        assertEquals(0, nic.arrive(0, message, --left[message] == 0, random.nextInt(100)));
        sent++;
      }
      if (random.nextBoolean()) {
        nic.core.dispatch(nic.now);
      }
      if (random.nextBoolean() && !nic.running.isEmpty()) {
        nic.complete(random.nextInt(), false);
      }
    }
    nic.finish();
    assertEquals(packets, nic.packetRuns.size());
    ContextCounters counters = nic.core.counters(0);
    assertEquals(packets, counters.packets());
    assertEquals(messages, counters.messages());
    assertEquals(packets + 2L * messages, counters.tasks());
    assertEquals(0, nic.core.usedSlots(0));
    assertEquals(List.of(), nic.events);
  }
}
