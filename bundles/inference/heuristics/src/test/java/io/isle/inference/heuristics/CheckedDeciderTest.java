package io.isle.inference.heuristics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.api.base.Errno;
import io.isle.api.inference.Decider;
import io.isle.api.inference.InferenceException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CheckedDeciderTest {
  private final MemoryMigration point = new MemoryMigration();
  // more accesses of the device than twice those of the processor; it fits
  private final int[] features = {5, 2, 0, 4, 0, 0, 0, 4};
  private final int[] out = new int[1];

  @Test
  void theRuleDecidesWithoutAnEngine() {
    Decider decider = point.open("web", 4, () -> {});
    assertEquals(0, decider.decide(features, out));
    assertEquals(MemoryMigration.TO_DEVICE, out[0]);
    assertFalse(decider.wanted());
    decider.requestYield();
    decider.outcome(0, out);
    decider.close();
    assertEquals(0, decider.decide(features, out));
  }

  @Test
  void theEngineDecidesWhileItIsThere() {
    Decider before = point.open("web", 4, () -> {});
    TestEngine engine = new TestEngine(MemoryMigration.KEEP);
    point.bind(engine);
    Decider after = point.open("batch", 9, () -> {});
    assertEquals(List.of("web", "batch"), engine.opened.stream().map(one -> one.group).toList());
    assertEquals(9, engine.opened.getLast().outstanding);
    long ticket = before.decide(features, out);
    assertEquals(MemoryMigration.KEEP, out[0]);
    before.outcome(ticket, out);
    assertEquals(List.of(1L), engine.opened.getFirst().told);
    assertTrue(after.wanted());
    after.requestYield();
    assertTrue(engine.opened.getLast().yieldRequested);
    point.unbind();
    assertTrue(engine.opened.stream().allMatch(one -> one.closed));
    before.decide(features, out);
    assertEquals(MemoryMigration.TO_DEVICE, out[0]);
  }

  @Test
  void noAnswerOfTheEngineGoesPastTheCheck() {
    point.bind(new TestEngine(MemoryMigration.EVICT));
    Decider decider = point.open("web", 4, () -> {});
    decider.decide(features, out);
    assertEquals(MemoryMigration.KEEP, out[0], "the page is not on the device");
  }

  @Test
  void anOutcomeOfOneEngineIsNotToldToTheNext() {
    point.bind(new TestEngine(MemoryMigration.KEEP));
    Decider decider = point.open("web", 4, () -> {});
    long old = decider.decide(features, out);
    point.unbind();
    TestEngine next = new TestEngine(MemoryMigration.KEEP);
    point.bind(next);
    long mine = decider.decide(features, out);
    decider.outcome(old, out);
    decider.outcome(0, out);
    decider.outcome(-1, out);
    assertEquals(List.of(), next.opened.getFirst().told);
    decider.outcome(mine, out);
    assertEquals(List.of(1L), next.opened.getFirst().told);
  }

  @Test
  void aClosedDeciderComesToNoEngine() {
    Decider decider = point.open("web", 4, () -> {});
    decider.close();
    TestEngine engine = new TestEngine(MemoryMigration.KEEP);
    point.bind(engine);
    assertEquals(List.of(), engine.opened);
    Decider other = point.open("web", 4, () -> {});
    other.close();
    assertTrue(engine.opened.getFirst().closed);
  }

  @Test
  void argumentsAreChecked() {
    assertCode("group", () -> point.open("no group", 4, () -> {}));
    assertCode("outstanding", () -> point.open("web", 0, () -> {}));
    assertCode("outstanding", () -> point.open("web", (1 << 16) + 1, () -> {}));
  }

  @Test
  void anEngineThatRefusesLeavesTheRule() {
    point.bind(
        (group, outstanding, hook) -> {
          throw new InferenceException(Errno.ECLOSED, "closed");
        });
    Decider decider = point.open("web", 4, () -> {});
    decider.decide(features, out);
    assertArrayEquals(new int[] {MemoryMigration.TO_DEVICE}, out);
  }

  /** The engine's decider is closed only when the call that uses it has returned, however late. */
  @Test
  void unbindWaitsForCallsThatRun() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    AtomicBoolean closedInside = new AtomicBoolean();
    AtomicReference<Thread> unbinding = new AtomicReference<>();
    TestEngine engine = new TestEngine(MemoryMigration.KEEP);
    TestEngine.One[] one = new TestEngine.One[1];
    point.bind(
        (group, outstanding, hook) -> {
          one[0] = (TestEngine.One) engine.open(group, outstanding, hook);
          return new Slow(one[0], inside, unbinding, closedInside);
        });
    Decider decider = point.open("web", 4, () -> {});
    Thread caller = new Thread(() -> decider.decide(features, out));
    caller.start();
    inside.await();
    Thread unbind = new Thread(() -> point.unbind(Long.MAX_VALUE / 2));
    unbinding.set(unbind);
    unbind.start();
    unbind.join();
    caller.join();
    assertFalse(closedInside.get());
    assertTrue(one[0].closed);
  }

  @Test
  void decisionsAllocateNothing() {
    point.bind(new TestEngine(MemoryMigration.KEEP));
    Decider decider = point.open("web", 4, () -> {});
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 10; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 1000; i++) {
        decider.decide(features, out);
        decider.outcome(-1, out);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertEquals(0, least);
  }

  private static void assertCode(String field, Runnable call) {
    InferenceException e = assertThrows(InferenceException.class, call::run);
    assertEquals(Errno.EINVAL, e.code());
    assertTrue(e.getMessage().startsWith(field), e.getMessage());
  }

  /** Stays in a call until the other thread waits for it. */
  private record Slow(
      TestEngine.One inner,
      CountDownLatch inside,
      AtomicReference<Thread> unbinding,
      AtomicBoolean closedInside)
      implements Decider {
    @Override
    public long decide(int[] features, int[] out) {
      inside.countDown();
      Thread other = unbinding.get();
      while (other == null || other.getState() == Thread.State.NEW) {
        Thread.yield();
        other = unbinding.get();
      }
      for (int i = 0; i < 1000; i++) {
        Thread.yield();
      }
      closedInside.set(inner.closed);
      return inner.decide(features, out);
    }

    @Override
    public void outcome(long ticket, int[] actual) {
      inner.outcome(ticket, actual);
    }

    @Override
    public void requestYield() {
      inner.requestYield();
    }

    @Override
    public boolean wanted() {
      return true;
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
