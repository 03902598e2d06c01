package io.isle.spin.nic.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.spin.nic.plan.NicLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class HandlerSwapTest {
  private static final long TIMEOUT_NS = 500;
  private static final NicLimits SMALL = new NicLimits(2, 2, 8, 4);

  private static Harness nic(String handlers) {
    Harness nic = new Harness(SMALL, 4, TIMEOUT_NS);
    nic.attach(0, "a", handlers);
    return nic;
  }

  private static void replace(Harness nic, String handlers) {
    nic.plans[0] = Harness.plan(0, "a", "{10, 0xff000000, 0x01000000, 0x01000000}", handlers);
    nic.core.swap().replace(0, nic.plans[0]);
  }

  @Test
  void packetsThatStandAloneWaitAndAreHandledOnce() {
    Harness nic = nic("p");
    nic.arrive(0, 1, false, 0);
    assertEquals(1, nic.core.dispatch(nic.now));
    nic.core.swap().hold(0);
    nic.arrive(0, 1, false, 0);
    nic.arrive(0, 2, false, 0);
    assertEquals(0, nic.core.dispatch(nic.now));
    assertFalse(nic.core.swap().drained(0));
    nic.complete(0, false);
    assertTrue(nic.core.swap().drained(0));
    replace(nic, "p");
    assertEquals(0, nic.core.dispatch(nic.now));
    nic.core.swap().resume(0, nic.now);
    nic.finish();
    assertEquals(3, nic.packetRuns.size());
    assertEquals(0, nic.core.usedSlots(0));
  }

  @Test
  void anOpenMessageEndsAndTheNextHasTheNewHandlers() {
    Harness nic = nic("hpt");
    nic.arrive(0, 1, false, 0);
    nic.core.swap().hold(0);
    nic.arrive(0, 17, true, 0);
    nic.arrive(0, 2, true, 0);
    nic.finish();
    assertFalse(nic.core.swap().drained(0));
    nic.arrive(0, 1, true, 0);
    nic.finish();
    assertTrue(nic.core.swap().drained(0));
    assertEquals(1, nic.core.counters(0).messages());
    replace(nic, "pt");
    nic.core.swap().resume(0, nic.now);
    nic.core.dispatch(nic.now);
    assertEquals(
        List.of(HandlerKind.PACKET, HandlerKind.PACKET),
        nic.running.stream().map(Harness.Running::kind).toList());
    nic.finish();
    assertEquals(3, nic.core.counters(0).messages());
  }

  @Test
  void whatDoesNotEndIsAborted() {
    Harness nic = nic("hpt");
    nic.arrive(0, 1, false, 0);
    nic.core.swap().hold(0);
    nic.core.dispatch(nic.now);
    nic.core.swap().abortOpen(0, nic.now);
    assertEquals(List.of("0 1 SWAP"), nic.events);
    assertFalse(nic.core.swap().drained(0), "its task runs");
    nic.finish();
    assertTrue(nic.core.swap().drained(0));
    assertEquals(0, nic.core.usedSlots(0));
  }

  @Test
  void messagesBecomePacketsThatStandAloneAndBack() {
    Harness nic = nic("hpt");
    for (String handlers : List.of("p", "pt")) {
      nic.core.swap().hold(0);
      nic.arrive(0, 1, false, 0);
      nic.arrive(0, 1, true, 0);
      nic.finish();
      assertTrue(nic.core.swap().drained(0));
      replace(nic, handlers);
      nic.core.swap().resume(0, nic.now);
      nic.finish();
    }
    assertEquals(4, nic.packetRuns.size());
    assertEquals(1, nic.core.counters(0).messages());
    assertEquals(0, nic.core.usedSlots(0));
  }

  @Property(tries = 300)
  void noPacketIsLostAndNoneRunsTwice(@ForAll long seed) {
    Random random = new Random(seed);
    Harness nic = new Harness(new NicLimits(2, 2, 512, 512), 3, Long.MAX_VALUE);
    nic.attach(0, "a", "hpt");
    boolean held = false;
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      nic.now++;
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          int message = random.nextInt(1, 6);
          boolean ends = random.nextInt(3) == 0;
          assertEquals(0, nic.arrive(0, message, ends, 0));
          open.add(message);
        }
        case 2 -> nic.core.dispatch(nic.now);
        case 3 -> {
          if (!nic.running.isEmpty()) {
            nic.complete(random.nextInt(8), false);
          }
        }
        default -> {
          if (!held) {
            nic.core.swap().hold(0);
            held = true;
          } else {
            if (nic.core.swap().drained(0)) {
              replace(nic, random.nextBoolean() ? "hpt" : "pt");
            }
            nic.core.swap().resume(0, nic.now);
            held = false;
          }
        }
      }
    }
    nic.core.swap().resume(0, nic.now);
    nic.finish();
    while (nic.core.abortOldest(++nic.now)) {
      nic.finish();
    }
    assertEquals(0, nic.core.usedSlots(0));
    assertEquals(0, nic.core.counters(0).lost());
    assertEquals(open.size(), nic.core.counters(0).packets());
  }

  @Test
  void theViewShowsWhatIsThere() {
    Harness nic = nic("hpt");
    assertFalse(nic.core.view().isBusy(0));
    nic.now = 40;
    nic.arrive(0, 5, false, 0);
    nic.arrive(0, 21, false, 0);
    nic.core.dispatch(nic.now);
    List<NicView.Queue> queues = new ArrayList<>();
    nic.core.view().queues(0, queues::add);
    assertEquals(List.of(new NicView.Queue(5, "header_running", 5, 1, 1, 40)), queues);
    List<String> tasks = new ArrayList<>();
    nic.core
        .view()
        .tasks(task -> tasks.add(task.hpu() + " " + task.handler() + " " + task.startNs()));
    assertEquals(List.of("2 HEADER 40"), tasks);
    assertTrue(nic.core.view().isBusy(0));
  }
}
