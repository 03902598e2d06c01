package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PriorityRoundRobinTest {
  @Property
  void eachReadyContextOfAPriorityIsServedOnceARound(
      @ForAll Set<@IntRange(min = 0, max = 199) Integer> contexts,
      @ForAll @IntRange(min = 0, max = 3) int priority) {
    PriorityRoundRobin scheduler = new PriorityRoundRobin(200);
    contexts.forEach(c -> scheduler.ready(c, priority));
    for (int round = 0; round < 3; round++) {
      Set<Integer> served = new HashSet<>();
      for (int i = 0; i < contexts.size(); i++) {
        served.add(scheduler.next(0));
      }
      assertEquals(contexts, served);
    }
  }

  @Test
  void aHigherPriorityGoesFirst() {
    PriorityRoundRobin scheduler = new PriorityRoundRobin(8);
    scheduler.ready(1, 0);
    scheduler.ready(2, 3);
    scheduler.ready(3, 1);
    List<Integer> order = new ArrayList<>();
    while (scheduler.hasReady()) {
      int c = scheduler.next(0);
      order.add(c);
      scheduler.idle(c, c == 1 ? 0 : c == 2 ? 3 : 1);
    }
    assertEquals(List.of(2, 3, 1), order);
    assertEquals(-1, scheduler.next(0));
  }
}
