package io.isle.net.tile;

/**
 * Ends a tile behind a chosen store, or has something else happen there. {@link CrashLoader} has
 * each store call {@link #stored}.
 */
public final class CrashPoint {
  /** The end of a tile: nothing that runs behind it may touch the memory. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("crash", null, false, false);
    }
  }

  private static long left = -1;
  private static Runnable then = CrashPoint::crash;

  private CrashPoint() {}

  /** The tile ends behind so many further stores; 1 or more. */
  static void arm(long stores) {
    left = stores;
  }

  /** Something happens behind so many further stores; 1 or more. */
  static void arm(long stores, Runnable work) {
    left = stores;
    then = work;
  }

  static void disarm() {
    left = -1;
    then = CrashPoint::crash;
  }

  private static void crash() {
    throw new Crash();
  }

  /** Called by instrumented code only. */
  public static void stored() {
    if (left > 0 && --left == 0) {
      then.run();
    }
  }
}
