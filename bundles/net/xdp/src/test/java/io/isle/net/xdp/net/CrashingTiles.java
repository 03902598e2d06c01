package io.isle.net.xdp.net;

import io.isle.api.net.tile.Tile;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.Tiles;
import io.isle.net.tile.TileService;
import java.util.concurrent.atomic.AtomicInteger;

/** Tiles of which one throws behind cycles with work, as often as a test wants. */
final class CrashingTiles implements Tiles {
  /** Crashes to come. */
  final AtomicInteger crashes = new AtomicInteger();

  private final Tiles tiles = new TileService();
  private final int crashing;

  /**
   * @param crashing number of the tile
   */
  CrashingTiles(int crashing) {
    this.crashing = crashing;
  }

  @Override
  public Tile open(TileMemory memory, TileCalls calls) {
    Tile tile = tiles.open(memory, calls);
    return memory.tile() == crashing ? crashing(tile) : tile;
  }

  private Tile crashing(Tile tile) {
    return new Tile() {
      @Override
      public int cycle(long nowNs) {
        int work = tile.cycle(nowNs);
        if (work > 0 && crashes.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
          throw new IllegalStateException("crash of a test");
        }
        return work;
      }

      @Override
      public long deadlineNs() {
        return tile.deadlineNs();
      }

      @Override
      public void close() {
        tile.close();
      }
    };
  }
}
