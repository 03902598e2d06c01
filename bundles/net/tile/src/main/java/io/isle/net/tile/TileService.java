package io.isle.net.tile;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.Tile;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.Tiles;
import io.isle.lib.tile.RouteReader;
import org.osgi.service.component.annotations.Component;

/** The service that makes tiles. */
@Component
public final class TileService implements Tiles {
  @Override
  public Tile open(TileMemory memory, TileCalls calls) {
    return Opening.open(memory, routes(memory), calls);
  }

  private static RouteReader routes(TileMemory memory) {
    try {
      return new RouteReader(memory.routes());
    } catch (IllegalArgumentException e) {
      throw new NetException(Errno.EINVAL, e.getMessage(), e);
    }
  }
}
