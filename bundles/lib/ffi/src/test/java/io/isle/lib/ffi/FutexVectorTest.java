package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class FutexVectorTest {
  private static final long LONG_NS = 70_000_000_000L;

  private final MemorySegment memory = Arena.ofAuto().allocate(64 * 18, 64);
  private final FutexVector vector = new FutexVector(18, Arena.ofAuto());

  @BeforeEach
  void kernel() {
    assumeTrue(FutexVector.isSupported(), "the kernel has no futex_waitv");
  }

  private MemorySegment word(int i) {
    return memory.asSlice(64L * i, 4);
  }

  private void set(int count) {
    for (int i = 0; i < count; i++) {
      vector.set(i, word(i), i > 0, 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 17})
  void whoIsWokenIsTold(int which) throws InterruptedException {
    set(18);
    AtomicBoolean over = new AtomicBoolean();
    Thread waker =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    if (which == 0) {
                      Futex.wakePrivate(word(0), 1);
                    } else {
                      Futex.wake(word(which), 1);
                    }
                    Thread.yield();
                  }
                });
    int woken = vector.await(18, LONG_NS);
    over.set(true);
    waker.join();
    assertEquals(which, woken);
  }

  @Test
  void aWordThatHoldsAnotherValueEndsTheWait() {
    set(18);
    word(17).set(ValueLayout.JAVA_INT, 0, 1);
    assertTrue(vector.await(18, LONG_NS) < 0);
  }

  @Test
  void wordsBehindTheCountDoNotMatter() {
    set(18);
    word(17).set(ValueLayout.JAVA_INT, 0, 1);
    word(0).set(ValueLayout.JAVA_INT, 0, 1);
    vector.set(0, word(0), false, 1);
    long before = System.nanoTime();
    assertTrue(vector.await(17, 2_000_000) < 0);
    assertTrue(System.nanoTime() - before >= 2_000_000, "it did not sleep");
  }

  @Test
  void negativeValuesAreValuesToo() {
    word(0).set(ValueLayout.JAVA_INT, 0, -5);
    vector.set(0, word(0), false, -5);
    long before = System.nanoTime();
    assertTrue(vector.await(1, 2_000_000) < 0);
    assertTrue(System.nanoTime() - before >= 2_000_000, "it did not sleep");
  }

  @Test
  void theLongestSleepIsNoOverflow() {
    set(2);
    word(1).set(ValueLayout.JAVA_INT, 0, 1);
    assertTrue(vector.await(2, Long.MAX_VALUE) < 0);
    assertTrue(vector.await(2, -1) < 0);
  }

  @Test
  void countsOutsideAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> vector.await(0, 1));
    assertThrows(IllegalArgumentException.class, () -> vector.await(19, 1));
    assertThrows(IllegalArgumentException.class, () -> new FutexVector(129, Arena.ofAuto()));
  }
}
