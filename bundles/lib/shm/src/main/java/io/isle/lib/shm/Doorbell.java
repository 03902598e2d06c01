package io.isle.lib.shm;

import io.isle.lib.ffi.Futex;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Wakes one sleeping thread, from any thread of any process that maps the page.
 *
 * <p>The memory begins with two ints: the bell, incremented by each ring, and the sleep state of
 * the owner. The owner reads a {@link #ticket}, searches for work once more, and then calls {@link
 * #await}: a ring in between is not lost. A hostile peer can corrupt both words, so the owner's
 * sleep always has a limit. Allocates nothing.
 */
public final class Doorbell {
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final long BELL = 0;
  private static final long SLEEPING = 4;

  private final MemorySegment page;
  private final MemorySegment word;
  private final Futex futex;

  /**
   * @param page at least 8 bytes, 4-byte aligned
   * @param arena arena of the owner for internal memory
   */
  public Doorbell(MemorySegment page, Arena arena) {
    this.page = page;
    this.futex = new Futex(arena);
    this.word = page.asSlice(BELL, 4);
  }

  /** Wakes the owner, or prevents its next sleep. Any thread. */
  public void ring() {
    int ignored = (int) INT.getAndAdd(page, BELL, 1);
    if ((int) INT.getVolatile(page, SLEEPING) != 0) {
      Futex.wake(word, 1);
    }
  }

  /** Number of rings so far. */
  public int ticket() {
    return (int) INT.getVolatile(page, BELL);
  }

  /** Sleeps until the next ring after {@code ticket}, at most {@code timeoutNs}. Owner only. */
  public void await(int ticket, long timeoutNs) {
    INT.setVolatile(page, SLEEPING, 1);
    if ((int) INT.getVolatile(page, BELL) == ticket) {
      futex.await(word, ticket, timeoutNs);
    }
    INT.setVolatile(page, SLEEPING, 0);
  }
}
