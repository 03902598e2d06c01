package io.isle.net.xdp.net;

import io.isle.api.net.tile.Tile;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.Tiles;
import io.isle.net.tile.TileService;

/** Tiles that fail in their first cycle, except for those on which a process gets warm. */
public final class FailingTiles implements Tiles {
  private final TileService service = new TileService();

  /** All of a rehearsal have the same. */
  private TileMemory rehearsed;

  @Override
  public Tile open(TileMemory memory, TileCalls calls) {
    Tile tile = service.open(memory, calls);
    if (rehearsed == null) {
      rehearsed = memory;
    }
    if (memory == rehearsed) {
      return tile;
    }
    return new Tile() {
      @Override
      public int cycle(long nowNs) {
        throw new IllegalStateException("a defect of the test");
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
