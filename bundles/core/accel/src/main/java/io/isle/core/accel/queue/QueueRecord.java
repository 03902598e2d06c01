package io.isle.core.accel.queue;

import io.isle.api.accel.CompletionStatus;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.Capability;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The record of a context that the agent of its device, waiting threads and notifiers use: state,
 * index and queue. Thread-safe.
 */
public abstract class QueueRecord extends ContextState {
  private final int index;
  private final ContextQueue queue;
  private final AtomicInteger deferred = new AtomicInteger();

  /**
   * @param index in the device's machine
   */
  public QueueRecord(int index, ContextQueue queue) {
    this.index = index;
    this.queue = queue;
  }

  /** Device, context and tenant, for the log. */
  public abstract String who();

  public abstract Capability capability();

  /** The priority in force. */
  public abstract Priority priority();

  /** Whether what has not started outlives its device. */
  public abstract boolean keepsPending();

  public final long id() {
    return queue.contextId;
  }

  /** Index in the device's machine. */
  public final int index() {
    return index;
  }

  public final ContextQueue queue() {
    return queue;
  }

  public final int status(long point) {
    return queue.timeline.status(point);
  }

  public final CompletionStatus outcome(long point) {
    return queue.timeline.outcome(point);
  }

  /** How many of its deferred tasks wait. */
  final AtomicInteger deferred() {
    return deferred;
  }
}
