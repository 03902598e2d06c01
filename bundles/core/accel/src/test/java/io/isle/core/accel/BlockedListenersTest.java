package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.CompletionListener;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.device.Priority;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The watch itself: it catches listeners that block, and no others. */
@Timeout(120)
class BlockedListenersTest {
  private final Fixture fixture = new Fixture();

  BlockedListenersTest() {
    fixture.device.completeAtOnce = true;
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private List<String> watch(Priority priority, CompletionListener listener, Executor executor)
      throws InterruptedException {
    CountDownLatch done = new CountDownLatch(3);
    try (BlockedListeners watch = new BlockedListeners();
        Context context =
            fixture.context(
                ContextSpec.named("heard")
                    .withPriority(priority)
                    .withGuarantee(10_000, 1_000_000))) {
      context.listen(
          (from, completion) -> {
            listener.completed(from, completion);
            done.countDown();
          },
          executor);
      for (int i = 0; i < 3; i++) {
        assertTrue(context.submit(context.writer()) > 0);
      }
      done.await();
      return watch.stop();
    }
  }

  private static void sleeps() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aListenerThatSleepsIsCaughtByName() throws Exception {
    for (Priority priority : List.of(Priority.NORMAL, Priority.REALTIME)) {
      List<String> found = watch(priority, (from, completion) -> sleeps(), Runnable::run);
      assertEquals(1, found.size(), found.toString());
      assertTrue(found.get(0).startsWith("jdk.ThreadSleep in " + getClass().getName() + "."));
    }
  }

  @Test
  void aListenerThatParksIsCaught() throws Exception {
    List<String> found =
        watch(Priority.NORMAL, (from, completion) -> LockSupport.parkNanos(1), Runnable::run);
    assertTrue(found.toString().contains("jdk.ThreadPark in " + getClass().getName()), "" + found);
  }

  @Test
  void aGoodListenerIsNot() throws Exception {
    List<String> found =
        watch(
            Priority.NORMAL,
            (from, completion) -> assertEquals(0, from.status(completion.point())),
            Runnable::run);
    assertEquals(List.of(), found);
  }

  @Test
  void oneThatBlocksOnAnExecutorOfTheTenantsIsNot() throws Exception {
    try (ExecutorService own = Executors.newSingleThreadExecutor()) {
      assertEquals(List.of(), watch(Priority.NORMAL, (from, completion) -> sleeps(), own));
    }
  }
}
