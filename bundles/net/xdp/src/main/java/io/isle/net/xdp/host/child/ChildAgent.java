package io.isle.net.xdp.host.child;

import io.isle.api.net.tile.Tile;
import io.isle.lib.agent.Agent;
import io.isle.lib.agent.AgentSleeper;
import io.isle.lib.shm.RemoteBell;
import io.isle.net.xdp.host.wire.TilePage;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Runs the tile of a process, gives signs of life, and wakes apps of the platform. */
final class ChildAgent implements Agent {
  /** Between two signs of life. */
  private static final long BEAT_NS = 100_000_000;

  private final Tile tile;
  private final AgentSleeper sleeper;
  private final RemoteBell[] bells;
  private final Set<Integer> processors;
  private final TilePage page;
  private long now;

  ChildAgent(Tile tile, AgentSleeper sleeper, List<RemoteBell> bells, Set<Integer> processors, TilePage page) {
    this.tile = tile;
    this.sleeper = sleeper;
    this.bells = bells.toArray(RemoteBell[]::new);
    this.processors = processors;
    this.page = page;
  }

  @Override
  public String name() {
    return "tile";
  }

  @Override
  public int doWork() {
    now = System.nanoTime();
    page.beat();
    int work = tile.cycle(now);
    if (work > 0) {
      for (RemoteBell bell : bells) {
        bell.ring();
      }
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
    return deadline == Long.MAX_VALUE ? BEAT_NS : Math.clamp(deadline - now, 0, BEAT_NS);
  }

  @Override
  public Set<Integer> processors() {
    return processors;
  }

  @Override
  public Optional<AgentSleeper> sleeper() {
    return Optional.of(sleeper);
  }

  /** Nothing is lost: the next process goes on. */
  @Override
  public void onFailure(Throwable cause) {
    TileProcessMain.die(page, "the tile failed: " + cause, cause);
  }
}
