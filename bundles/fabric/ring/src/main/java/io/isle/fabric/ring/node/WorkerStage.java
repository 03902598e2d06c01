package io.isle.fabric.ring.node;

import io.isle.api.base.ForeignText;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingStage;
import java.lang.foreign.MemorySegment;

/**
 * The stage of a worker as its bundle comes and goes. The worker's thread processes; the thread of
 * the rings exchanges the stage. A stage that fails is not called again before a reset.
 */
final class WorkerStage implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(WorkerStage.class.getName());

  private final String node;
  private final String name;
  private final int payloadBytes;
  private RingStage.Instance instance;
  private LayerRange range;
  private final Runnable changed;
  private volatile String failure;

  /**
   * @param changed called when a failure begins or ends; any thread, returns soon
   */
  WorkerStage(String node, String name, int payloadBytes, LayerRange range, Runnable changed) {
    this.node = node;
    this.name = name;
    this.payloadBytes = payloadBytes;
    this.range = range;
    this.changed = changed;
    failure = missing();
  }

  private String missing() {
    return "stage " + name + " is not installed; install its bundle, or change the setting stage";
  }

  /** The failure of the stage and its remedy; empty without one. Any thread. */
  String failure() {
    return failure;
  }

  /** The stage of this name has come, or goes: null. */
  synchronized void use(RingStage stage) {
    closeInstance();
    if (stage == null) {
      become(missing());
      return;
    }
    try {
      instance = stage.open(payloadBytes);
      become("");
      resize(range);
    } catch (RuntimeException | LinkageError e) {
      fail("open", e);
    }
  }

  /** Other layers; also ends a failure. */
  synchronized void resize(LayerRange to) {
    range = to;
    if (instance != null) {
      guarded("resize", () -> instance.resize(to));
    }
  }

  /** Deletes state of earlier positions; also ends a failure. */
  synchronized void reset() {
    if (instance != null) {
      guarded("reset", () -> instance.reset());
    }
  }

  /** Processes a payload in place; false if the packet is to be dropped. */
  synchronized boolean process(int position, MemorySegment payload) {
    if (!failure.isEmpty()) {
      return false;
    }
    try {
      instance.process(position, payload);
      return true;
    } catch (RuntimeException | LinkageError e) {
      fail("process position " + position, e);
      return false;
    }
  }

  private void guarded(String what, Runnable call) {
    try {
      call.run();
      become("");
    } catch (RuntimeException | LinkageError e) {
      fail(what, e);
    }
  }

  private void fail(String what, Throwable cause) {
    become(
        "stage "
            + name
            + " failed to "
            + what
            + ": "
            + ForeignText.line(String.valueOf(cause.getMessage()))
            + "; packets are dropped until a resize or position 0");
    LOG.log(System.Logger.Level.WARNING, "ring node " + node + ": " + failure, cause);
  }

  private void become(String next) {
    boolean same = failure.equals(next);
    failure = next;
    if (!same) {
      changed.run();
    }
  }

  private void closeInstance() {
    RingStage.Instance before = instance;
    instance = null;
    if (before != null) {
      try {
        before.close();
      } catch (RuntimeException | LinkageError e) {
        LOG.log(System.Logger.Level.WARNING, "ring node " + node + ": stage " + name, e);
      }
    }
  }

  @Override
  public synchronized void close() {
    closeInstance();
  }
}
