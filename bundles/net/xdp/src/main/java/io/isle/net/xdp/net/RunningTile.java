package io.isle.net.xdp.net;

import io.isle.api.net.tile.Tile;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.Tiles;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.shm.AgentBells;
import java.lang.foreign.Arena;
import java.util.Set;
import java.util.function.Consumer;

/** A tile with the agent that runs it. */
final class RunningTile implements AutoCloseable {
  private static final int PAGE = 4096;

  private final Arena arena = Arena.ofShared();
  private final Tile tile;
  private final AgentHost.Placement placement;

  /**
   * Opens the tile and starts the agent.
   *
   * @param processors that the agent runs on; empty for any
   * @param failed told on the agent's thread when the tile has thrown
   * @throws io.isle.api.net.NetException as {@link Tiles#open}
   */
  RunningTile(
      String name,
      Tiles tiles,
      TileMemory memory,
      TilePart part,
      NetApps apps,
      int number,
      Set<Integer> processors,
      AgentHost host,
      Consumer<Throwable> failed) {
    boolean started = false;
    Tile opened = null;
    try {
      opened = tiles.open(memory, part);
      tile = opened;
      placement =
          host.start(
              new TileAgent(
                  name,
                  tile,
                  part.sleeper(),
                  part.onTile(apps.onTile(number)),
                  apps.bells(),
                  processors,
                  failed),
              new AgentBells(arena.allocate(PAGE, PAGE), arena));
      started = true;
    } finally {
      if (!started) {
        if (opened != null) {
          opened.close();
        }
        arena.close();
      }
    }
  }

  /** Ends the agent, then the tile; frames stay where they are. */
  @Override
  public void close() {
    placement.close();
    tile.close();
    arena.close();
  }
}
