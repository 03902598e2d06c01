package io.isle.apps.jobs.platform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CrashBlameTest {
  private final List<Long> pauses = new ArrayList<>();

  @Test
  void waitsGrowAndDiffer() throws Exception {
    for (double random : new double[] {0, 1}) {
      CrashBlame blame = new CrashBlame(pauses::add, () -> random);
      assertSame(CrashBlame.Turn.NONE, blame.next("soft0", 1));
      blame.next("soft0", 2).close();
    }
    assertEquals(List.of(50_000_000L, 200_000_000L, 150_000_000L, 600_000_000L), pauses);
  }

  @Test
  void fromTheSecondTimeOnTheyTakeTurnsOnADevice() throws Exception {
    CrashBlame blame = new CrashBlame(ns -> {}, () -> 0.5);
    CrashBlame.Turn first = blame.next("soft0", 2);
    // Whoever has it may take it again.
    blame.next("soft0", 2).close();
    blame.next("soft1", 2).close();
    assertSame(CrashBlame.Turn.NONE, blame.next("soft0", 1));
    CompletableFuture<Void> second = new CompletableFuture<>();
    Thread other = Thread.ofPlatform().start(() -> take(blame, second));
    while (other.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertTrue(!second.isDone());
    first.close();
    second.get(20, TimeUnit.SECONDS);
    other.join();
  }

  @Test
  void whoWaitsForATurnCanBeInterrupted() throws Exception {
    CrashBlame blame = new CrashBlame(ns -> {}, () -> 0.5);
    try (CrashBlame.Turn _ = blame.next("soft0", 2)) {
      CompletableFuture<Void> second = new CompletableFuture<>();
      Thread other = Thread.ofPlatform().start(() -> take(blame, second));
      other.interrupt();
      other.join();
      assertTrue(second.isCompletedExceptionally());
    }
    blame.next("soft0", 2).close();
  }

  private static void take(CrashBlame blame, CompletableFuture<Void> taken) {
    try {
      blame.next("soft0", 2).close();
      taken.complete(null);
    } catch (InterruptedException e) {
      taken.completeExceptionally(e);
    }
  }
}
