package io.isle.apps.jobs.run;

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
class SuspectsTest {
  private final List<Long> pauses = new ArrayList<>();

  @Test
  void waitsGrowAndDiffer() throws Exception {
    for (double random : new double[] {0, 1}) {
      Suspects suspects = new Suspects(pauses::add, () -> random);
      assertSame(Suspects.Turn.NONE, suspects.next("soft0", 1));
      suspects.next("soft0", 2).close();
    }
    assertEquals(List.of(50_000_000L, 200_000_000L, 150_000_000L, 600_000_000L), pauses);
  }

  @Test
  void fromTheSecondTimeOnTheyTakeTurnsOnADevice() throws Exception {
    Suspects suspects = new Suspects(ns -> {}, () -> 0.5);
    Suspects.Turn first = suspects.next("soft0", 2);
    // Whoever has it may take it again.
    suspects.next("soft0", 2).close();
    suspects.next("soft1", 2).close();
    assertSame(Suspects.Turn.NONE, suspects.next("soft0", 1));
    CompletableFuture<Void> second = new CompletableFuture<>();
    Thread other = Thread.ofPlatform().start(() -> take(suspects, second));
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
    Suspects suspects = new Suspects(ns -> {}, () -> 0.5);
    try (Suspects.Turn _ = suspects.next("soft0", 2)) {
      CompletableFuture<Void> second = new CompletableFuture<>();
      Thread other = Thread.ofPlatform().start(() -> take(suspects, second));
      other.interrupt();
      other.join();
      assertTrue(second.isCompletedExceptionally());
    }
    suspects.next("soft0", 2).close();
  }

  private static void take(Suspects suspects, CompletableFuture<Void> taken) {
    try {
      suspects.next("soft0", 2).close();
      taken.complete(null);
    } catch (InterruptedException e) {
      taken.completeExceptionally(e);
    }
  }
}
