package io.isle.net.xdp.net;

import io.isle.api.net.NetAppTask;
import io.isle.lib.agent.Agent;

/** Runs the task of an app, on a thread of its own or on that of a tile. */
final class AppAgent implements Agent, TileAgent.OnTile {
  private static final System.Logger LOG = System.getLogger(AppAgent.class.getName());

  private final String name;
  private final NetAppTask task;
  private boolean over;
  private long now;
  private volatile String failure = "";

  AppAgent(String name, NetAppTask task) {
    this.name = name;
    this.task = task;
  }

  @Override
  public String name() {
    return name;
  }

  /** Why the task has thrown; empty if it has not. Any thread. */
  String failure() {
    return failure;
  }

  @Override
  public int doWork() {
    now = System.nanoTime();
    return run(now);
  }

  private int run(long nowNs) {
    int work = over ? 0 : task.cycle(nowNs);
    over |= work < 0;
    return Math.max(0, work);
  }

  /** A task that throws ends alone: the tile and other apps go on. */
  @Override
  public int cycle(long nowNs) {
    try {
      return run(nowNs);
    } catch (RuntimeException | LinkageError e) {
      end(e);
      return 0;
    }
  }

  private void end(Throwable cause) {
    onFailure(cause);
    LOG.log(System.Logger.Level.ERROR, name + ": the app ended because of a defect", cause);
  }

  @Override
  public long deadlineNs() {
    try {
      return over ? Long.MAX_VALUE : task.deadlineNs();
    } catch (RuntimeException | LinkageError e) {
      end(e);
      return Long.MAX_VALUE;
    }
  }

  @Override
  public long cycleNs() {
    return now;
  }

  @Override
  public long maxSleepNs() {
    long deadline = deadlineNs();
    return deadline == Long.MAX_VALUE ? deadline : Math.max(0, deadline - now);
  }

  @Override
  public void onFailure(Throwable cause) {
    over = true;
    failure = "ended because of a defect: " + cause;
  }
}
