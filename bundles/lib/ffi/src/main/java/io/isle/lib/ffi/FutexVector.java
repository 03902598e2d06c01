package io.isle.lib.ffi;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Waits on several 32-bit words at once, of this process and of memory that other processes map
 * (futex_waitv). One waiting thread an object. Allocates nothing after construction.
 */
public final class FutexVector {
  /** The same on all architectures. */
  private static final long SYS_FUTEX_WAITV = 449;

  private static final int CLOCK_MONOTONIC = 1;
  private static final int FUTEX2_SIZE_U32 = 2;
  private static final int FUTEX2_PRIVATE = 128;

  private static final long WAITER_BYTES = 24;
  private static final long VALUE = 0;
  private static final long ADDRESS = 8;
  private static final long FLAGS = 16;

  private static final boolean SUPPORTED = probe();

  private final int capacity;
  private final MemorySegment waiters;
  private final MemorySegment timespec;

  /**
   * @param capacity largest number of words, 1 to 128
   * @param arena provides 24 bytes a word and 16 more; must outlive all waits
   */
  public FutexVector(int capacity, Arena arena) {
    if (capacity < 1 || capacity > 128) {
      throw new IllegalArgumentException("capacity " + capacity + " is not in 1..128");
    }
    this.capacity = capacity;
    this.waiters = arena.allocate(capacity * WAITER_BYTES, 8);
    this.timespec = arena.allocate(16, 8);
  }

  /** Whether the kernel has this call (since Linux 5.16) and permits it for this process. */
  public static boolean isSupported() {
    return SUPPORTED;
  }

  /** Without words the call has nothing to wait for and says so, where it exists. */
  private static boolean probe() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      long result =
          (long)
              LibC.FUTEX_WAITV_CHECKED.invokeExact(
                  state, SYS_FUTEX_WAITV, MemorySegment.NULL, 0, 0, MemorySegment.NULL, 0);
      return result < 0 && LibC.errno(state) == Errno.EINVAL;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  /**
   * Sets a word for the next wait.
   *
   * @param index index of the word in the next {@link #await}, below the capacity
   * @param word 4 bytes of memory, 4-byte aligned, mapped until the return of that wait
   * @param shared whether other processes wake the word
   * @param expected value of the word without an event
   */
  public void set(int index, MemorySegment word, boolean shared, int expected) {
    long at = index * WAITER_BYTES;
    waiters.set(ValueLayout.JAVA_LONG, at + VALUE, Integer.toUnsignedLong(expected));
    waiters.set(ValueLayout.JAVA_LONG, at + ADDRESS, word.address());
    waiters.set(
        ValueLayout.JAVA_INT,
        at + FLAGS,
        shared ? FUTEX2_SIZE_U32 : FUTEX2_SIZE_U32 | FUTEX2_PRIVATE);
  }

  /**
   * Sleeps while all words have their expected values, at most {@code timeoutNs}. May return early
   * without a reason: the caller must check its condition again.
   *
   * @param count waits on the words 0 to {@code count - 1}
   * @return index of a woken word; negative without a wake, for example if a word had another value
   */
  public int await(int count, long timeoutNs) {
    if (count < 1 || count > capacity) {
      throw new IllegalArgumentException("count " + count + " is not in 1.." + capacity);
    }
    // absolute; System.nanoTime is CLOCK_MONOTONIC
    long now = System.nanoTime();
    long end = now + Math.clamp(timeoutNs, 0, Long.MAX_VALUE - now);
    timespec.set(ValueLayout.JAVA_LONG, 0, end / 1_000_000_000L);
    timespec.set(ValueLayout.JAVA_LONG, 8, end % 1_000_000_000L);
    try {
      return (int)
          (long)
              LibC.FUTEX_WAITV.invokeExact(
                  SYS_FUTEX_WAITV, waiters, count, 0, timespec, CLOCK_MONOTONIC);
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }
}
