package io.isle.net.xdp.rehearsal;

import io.isle.api.net.tile.Tiles;
import java.lang.foreign.Arena;
import java.time.Duration;

/**
 * Runs the code of tiles on a net in memory until it is compiled: openings, and frames of both
 * directions.
 */
public final class Rehearsal {
  private static final int OPENINGS = 100;

  private Rehearsal() {}

  /**
   * Opens and closes a tile some times, then moves frames.
   *
   * @param rounds of frames
   * @param most time in all
   * @param beat runs between all steps
   * @throws io.isle.api.net.NetException as {@link Tiles#open}
   */
  public static void run(Tiles tiles, int rounds, Duration most, Runnable beat) {
    long end = System.nanoTime() + most.toNanos();
    try (Arena arena = Arena.ofShared();
        MemoryNet net = new MemoryNet(arena, tiles)) {
      for (int i = 0; i < OPENINGS + rounds && System.nanoTime() - end < 0; i++) {
        if (i < OPENINGS) {
          net.reopen();
        }
        net.round();
        beat.run();
      }
    }
  }
}
