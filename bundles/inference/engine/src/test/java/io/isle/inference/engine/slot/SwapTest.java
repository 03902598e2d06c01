package io.isle.inference.engine.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.Decider;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.inference.engine.decide.DecisionSlot;
import io.isle.inference.engine.decide.LoadedModel;
import io.isle.inference.engine.decide.SlotGates;
import io.isle.inference.engine.decide.TestPoint;
import io.isle.inference.engine.fallback.FallbackTimes;
import io.isle.inference.engine.fallback.ModelFallback;
import io.isle.inference.engine.load.WarmUp;
import io.isle.lib.model.ModelProof;
import io.isle.lib.model.ProofSettings;
import io.isle.lib.model.ProvenModel;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("alone")
class SwapTest {
  private static final int SWAPS = 10_000;
  private static final int THREADS = 8;
  private static final int GROWTH = 4 << 20;

  private final TestPoint point = new TestPoint(Outside.CLAMP);
  private final AtomicLong answers = new AtomicLong();
  private final AtomicInteger wrong = new AtomicInteger();
  private volatile boolean ended;

  private LoadedModel model(long serial, int bias) {
    ProofSettings settings =
        ProofSettings.any(List.of(ModelFiles.KEY.publicKey()), ModelFiles.NOW)
            .forDecision(point.spec());
    ProvenModel proven = ModelProof.prove(ModelFiles.signed(point.spec(), serial, bias), settings);
    new WarmUp(MonotonicClock.SYSTEM, TimeUnit.SECONDS.toNanos(30)).run(point, proven);
    return LoadedModel.of(point.spec(), proven);
  }

  private void decide(DecisionSlot slot, String group) {
    int[] out = new int[1];
    long made = 0;
    try (Decider decider = slot.open(group, 8, () -> {})) {
      while (!ended) {
        int a = (int) (made % 100);
        decider.outcome(decider.decide(new int[] {a, 0}, out), out);
        if (out[0] != a + 10 && out[0] != a + 20) {
          wrong.incrementAndGet();
        }
        made++;
      }
    }
    answers.addAndGet(made);
  }

  @Test
  void eachAnswerIsThatOfTheOldOrOfTheNewModel() throws InterruptedException {
    SlotGates gates = new SlotGates();
    ModelFallback fallback =
        new ModelFallback("test_point", gates, FallbackTimes.DEFAULT, () -> 0, event -> {});
    DecisionSlot slot = new DecisionSlot(point, gates, MonotonicClock.SYSTEM);
    LoadedModel first = model(1, 10);
    LoadedModel second = model(2, 20);
    slot.set(slot.state().with(first, null, null));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      String group = "team-" + i;
      threads.add(Thread.ofPlatform().start(() -> decide(slot, group)));
    }
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    long before = 0;
    for (int swap = 0; swap < SWAPS; swap++) {
      boolean odd = swap % 2 == 0;
      slot.set(slot.state().with(odd ? second : first, null, odd ? first : second));
      Thread.yield();
      if (swap == SWAPS / 10) {
        memory.gc();
        before = memory.getHeapMemoryUsage().getUsed();
      }
    }
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
    memory.gc();
    long growth = memory.getHeapMemoryUsage().getUsed() - before;
    gates.tell(fallback);
    assertEquals(0, wrong.get());
    assertTrue(answers.get() > THREADS);
    assertTrue(fallback.state().reason().isEmpty(), () -> fallback.state().toString());
    assertTrue(growth < GROWTH, growth + " bytes more");
  }
}
