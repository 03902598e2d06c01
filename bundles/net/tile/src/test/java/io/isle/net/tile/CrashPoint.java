package io.isle.net.tile;

/** Ends a tile behind a chosen store. {@link CrashLoader} has each store call {@link #stored}. */
public final class CrashPoint {
  /** The end of a tile: nothing that runs behind it may touch the memory. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("crash", null, false, false);
    }
  }

  private static long left = -1;

  private CrashPoint() {}

  /** The tile ends behind so many further stores; 1 or more. */
  static void arm(long stores) {
    left = stores;
  }

  static void disarm() {
    left = -1;
  }

  /** Called by instrumented code only. */
  public static void stored() {
    if (left > 0 && --left == 0) {
      throw new Crash();
    }
  }
}
