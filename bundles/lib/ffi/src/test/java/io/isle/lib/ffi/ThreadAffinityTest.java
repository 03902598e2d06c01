package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadAffinityTest {
  /** On a thread of its own, which takes its affinity with it. */
  private static <T> T on(Callable<T> call) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.ofPlatform().start(task).join();
    return task.get();
  }

  @Test
  void aThreadRunsWhereItIsTold() throws Exception {
    Set<Integer> all = ThreadAffinity.processors();
    assertFalse(all.isEmpty());
    for (int processor : all) {
      Set<Integer> one = Set.of(processor);
      assertEquals(
          one,
          on(
              () -> {
                assertEquals(0, ThreadAffinity.pin(one));
                return ThreadAffinity.processors();
              }));
    }
    assertEquals(all, ThreadAffinity.processors(), "others stay");
  }

  @Test
  void itMayBeLetGoAgain() throws Exception {
    Set<Integer> all = ThreadAffinity.processors();
    Set<Integer> first = Set.of(all.iterator().next());
    assertEquals(
        all,
        on(
            () -> {
              assertEquals(0, ThreadAffinity.pin(first));
              assertEquals(0, ThreadAffinity.pin(all));
              return ThreadAffinity.processors();
            }));
  }

  @Test
  void processorsThatAreNotThereAreRefused() throws Exception {
    assertEquals(-Errno.EINVAL, on(() -> ThreadAffinity.pin(Set.of(ThreadAffinity.MOST))));
    assertThrows(IllegalArgumentException.class, () -> ThreadAffinity.pin(Set.of()));
    assertThrows(IllegalArgumentException.class, () -> ThreadAffinity.pin(Set.of(-1)));
    assertThrows(
        IllegalArgumentException.class, () -> ThreadAffinity.pin(Set.of(ThreadAffinity.MOST + 1)));
  }
}
