package io.isle.net.xdp.net;

import io.isle.api.net.tile.Tile;
import io.isle.lib.agent.Agent;
import io.isle.lib.agent.AgentSleeper;
import io.isle.net.xdp.socket.TileSleeper;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Runs a tile, and the apps that live on its thread. */
final class TileAgent implements Agent {
  private final String name;
  private final Tile tile;
  private final TileSleeper sleeper;
  private final OnTile[] apps;
  private final Runnable[] bells;
  private final Set<Integer> processors;
  private final Consumer<Throwable> failed;
  private long now;

  /** Work of an app behind each cycle of the tile. */
  interface OnTile {
    /** Returns the number of frames; 0 without work. */
    int cycle(long nowNs);

    /** As {@link Tile#deadlineNs}. */
    long deadlineNs();
  }

  /**
   * @param bells of the threads of apps, rung behind each cycle with work
   * @param processors that the thread runs on; empty for any
   * @param failed told on the agent's thread, behind which nobody runs the tile
   */
  TileAgent(
      String name,
      Tile tile,
      TileSleeper sleeper,
      List<OnTile> apps,
      List<? extends Runnable> bells,
      Set<Integer> processors,
      Consumer<Throwable> failed) {
    this.name = name;
    this.tile = tile;
    this.sleeper = sleeper;
    this.apps = apps.toArray(OnTile[]::new);
    this.bells = bells.toArray(Runnable[]::new);
    this.processors = processors;
    this.failed = failed;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int doWork() {
    now = System.nanoTime();
    int work = tile.cycle(now);
    if (work > 0) {
      for (Runnable bell : bells) {
        bell.run();
      }
    }
    for (OnTile app : apps) {
      work += app.cycle(now);
    }
    return work;
  }

  @Override
  public long cycleNs() {
    return now;
  }

  @Override
  public long maxSleepNs() {
    long deadline = tile.deadlineNs();
    for (OnTile app : apps) {
      deadline = Math.min(deadline, app.deadlineNs());
    }
    return deadline == Long.MAX_VALUE ? deadline : Math.max(0, deadline - now);
  }

  @Override
  public Set<Integer> processors() {
    return processors;
  }

  @Override
  public Optional<AgentSleeper> sleeper() {
    return Optional.of(sleeper);
  }

  @Override
  public void onFailure(Throwable cause) {
    failed.accept(cause);
  }
}
