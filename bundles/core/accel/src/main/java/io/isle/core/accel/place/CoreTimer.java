package io.isle.core.accel.place;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * The core's thread for what is due later and for what agents have no time for. What a task throws
 * is logged, and the next one runs; one that comes after the end is dropped.
 */
public final class CoreTimer extends ScheduledThreadPoolExecutor {
  private static final System.Logger LOG = System.getLogger(CoreTimer.class.getName());

  private final String name;

  public CoreTimer(String name) {
    super(1, Thread.ofPlatform().daemon().name(name).factory(), new DiscardPolicy());
    this.name = name;
  }

  @Override
  protected void afterExecute(Runnable task, Throwable thrown) {
    super.afterExecute(task, thrown);
    if (task instanceof Future<?> done && done.state() == Future.State.FAILED) {
      LOG.log(System.Logger.Level.ERROR, name + ": a task failed by a defect", done.exceptionNow());
    }
  }
}
