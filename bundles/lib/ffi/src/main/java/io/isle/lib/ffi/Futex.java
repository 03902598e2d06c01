package io.isle.lib.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Waits on a 32-bit word of shared memory for a wake by another thread, possibly of another
 * process. One waiting thread an object; {@link #wake} is static and for any thread. Allocates
 * nothing after construction.
 */
public final class Futex {
  private static final long SYS_FUTEX =
      switch (System.getProperty("os.arch")) {
        case "aarch64", "riscv64" -> 98;
        default -> 202;
      };
  private static final int FUTEX_WAIT = 0;
  private static final int FUTEX_WAKE = 1;
  private static final int FUTEX_PRIVATE_FLAG = 128;

  private final MemorySegment timespec;

  /**
   * @param arena provides 16 bytes; must outlive all waits
   */
  public Futex(Arena arena) {
    this.timespec = arena.allocate(MemoryLayout.sequenceLayout(2, ValueLayout.JAVA_LONG));
  }

  /**
   * Sleeps while the word has the value {@code expected}, at most {@code timeoutNs}. May return
   * early without a reason: the caller must check its condition again.
   *
   * @param word at least 4 bytes of memory, 4-byte aligned
   */
  public void await(MemorySegment word, int expected, long timeoutNs) {
    await(FUTEX_WAIT, word, expected, timeoutNs);
  }

  /** As {@link #await}, for a word that only {@link #wakePrivate} of this process wakes. */
  public void awaitPrivate(MemorySegment word, int expected, long timeoutNs) {
    await(FUTEX_WAIT | FUTEX_PRIVATE_FLAG, word, expected, timeoutNs);
  }

  private void await(int operation, MemorySegment word, int expected, long timeoutNs) {
    long bounded = Math.max(0, timeoutNs);
    timespec.set(ValueLayout.JAVA_LONG, 0, bounded / 1_000_000_000L);
    timespec.set(ValueLayout.JAVA_LONG, 8, bounded % 1_000_000_000L);
    call(word, operation, expected, timespec);
  }

  /** Wakes up to {@code count} threads that wait on the word. */
  public static void wake(MemorySegment word, int count) {
    call(word, FUTEX_WAKE, count, MemorySegment.NULL);
  }

  /** As {@link #wake}, for threads of this process that wait privately. */
  public static void wakePrivate(MemorySegment word, int count) {
    call(word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count, MemorySegment.NULL);
  }

  private static void call(MemorySegment word, int operation, int value, MemorySegment timespec) {
    try {
      long ignored =
          (long)
              LibC.FUTEX.invokeExact(
                  SYS_FUTEX, word, operation, value, timespec, MemorySegment.NULL, 0);
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }
}
