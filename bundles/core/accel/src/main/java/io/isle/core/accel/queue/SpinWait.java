package io.isle.core.accel.queue;

/**
 * The short spin of a thread that waits, before it sleeps:
 *
 * <pre>{@code
 * int yieldMask = SpinWait.yieldMask();
 * for (int i = 0; i < SpinWait.TURNS && stillToWait; i++) {
 *   SpinWait.turn(i, yieldMask);
 * }
 * }</pre>
 *
 * <p>Steps of a loop that the caller writes, so that what it looks at is a direct call.
 */
public final class SpinWait {
  /** How often a thread looks before it sleeps. */
  public static final int TURNS = 512;

  private static final int YIELD_MASK = 15;

  private SpinWait() {}

  /** Which turns of the current thread yield. */
  public static int yieldMask() {
    // virtual threads that yield can keep others from running; they park soon instead
    return Thread.currentThread().isVirtual() ? Integer.MAX_VALUE : YIELD_MASK;
  }

  /** The pause before the caller looks again. */
  public static void turn(int i, int yieldMask) {
    if ((i & yieldMask) == yieldMask) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }
}
