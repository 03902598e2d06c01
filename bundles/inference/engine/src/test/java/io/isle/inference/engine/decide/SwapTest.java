package io.isle.inference.engine.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.Decider;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.api.inference.FallbackEvent;
import io.isle.inference.engine.decide.ModelStats.Count;
import io.isle.inference.engine.fallback.FallbackTimes;
import io.isle.inference.engine.fallback.ModelFallback;
import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.engine.TreeEngines;
import io.isle.lib.model.form.TreeForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Models of one slot are swapped while eight threads decide. */
@Tag("alone")
class SwapTest {
  private static final int SWAPS = 10_000;
  private static final int THREADS = 8;
  private static final int SWAPS_A_CHECK = 1000;
  private static final long HEAP_BYTES = 4L << 20;

  /** Answers tell the number of the model, below the greatest output of the point. */
  private static final int NUMBERS = 500;

  private final TestPoint point = new TestPoint(Outside.CLAMP);
  private final SlotGates gates = new SlotGates();
  private final DecisionSlot slot = new DecisionSlot(point, gates, MonotonicClock.SYSTEM);
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicIntegerArray decided = new AtomicIntegerArray(THREADS);
  private volatile int announced;
  private volatile int done;
  private volatile boolean ended;

  @Test
  void eachAnswerIsTheOldOrTheNewModels() throws InterruptedException {
    List<FallbackEvent> events = new ArrayList<>();
    ModelFallback fallback =
        new ModelFallback(
            "test_point", gates, FallbackTimes.DEFAULT, MonotonicClock.SYSTEM, events::add);
    swap(0);
    CountDownLatch running = new CountDownLatch(THREADS);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      Thread thread = new Thread(() -> decide(number, running), "decides-" + number);
      thread.start();
      threads.add(thread);
    }
    running.await();
    long level = 0;
    for (int number = 1; number <= SWAPS; number++) {
      announced = number;
      swap(number);
      done = number;
      gates.tell(fallback);
      if (number % SWAPS_A_CHECK == 0) {
        // all threads see a model of this stretch before the next one
        awaitDecisions();
        long used = heap();
        level = number == SWAPS_A_CHECK ? used : level;
        assertTrue(used < level + HEAP_BYTES, "heap grew from " + level + " to " + used);
      }
    }
    ended = true;
    for (Thread thread : threads) {
      thread.join();
    }
    gates.tell(fallback);
    assertEquals(List.of(), List.copyOf(wrong));
    assertEquals(List.of(), events);
    assertEquals(0, slot.state().serving().stats().total(Count.INVALID));
  }

  private void decide(int thread, CountDownLatch running) {
    Decider decider = slot.open("group-" + thread % 4, 16, () -> {});
    int[] features = new int[2];
    int[] out = new int[1];
    boolean first = true;
    for (int i = 0; !ended; i++) {
      features[0] = i % 200 - 100;
      int oldest = done;
      long ticket = decider.decide(features, out);
      int newest = announced;
      decider.outcome(ticket, out);
      if (!isOf(out[0], features[0], oldest, newest) && wrong.size() < 10) {
        wrong.add(out[0] + " for " + features[0] + ", models " + oldest + " to " + newest);
      }
      decided.incrementAndGet(thread);
      if (first) {
        running.countDown();
        first = false;
      }
    }
    decider.close();
  }

  /** Whether it is the answer of one of these models. */
  private static boolean isOf(int answer, int feature, int oldest, int newest) {
    int number = feature <= 0 ? -answer : answer;
    for (int model = oldest; model <= Math.min(newest, oldest + NUMBERS); model++) {
      if (number == model % NUMBERS + 1) {
        return true;
      }
    }
    return false;
  }

  private void awaitDecisions() {
    int[] before = new int[THREADS];
    for (int i = 0; i < THREADS; i++) {
      before[i] = decided.get(i);
    }
    for (int i = 0; i < THREADS; i++) {
      while (decided.get(i) == before[i]) {
        Thread.yield();
      }
    }
  }

  private void swap(int number) {
    LoadedModel next = TestModels.of(slot.spec(), tree(number));
    slot.set(slot.state().with(next, null, slot.state().serving()));
  }

  /** Answers the number of the model, negative for features up to 0. */
  private static ModelEngine tree(int number) {
    int answer = number % NUMBERS + 1;
    return TreeEngines.of(
        new TreeForm(
            1,
            new int[] {0},
            new int[] {0, 0, 0},
            new int[] {0, TreeForm.LEAF, TreeForm.LEAF},
            new int[] {1, 0, 1},
            new int[] {-answer, answer}));
  }

  private static long heap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
