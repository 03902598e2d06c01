package io.isle.core.accel;

import io.isle.api.accel.Timeline;
import io.isle.api.base.Errno;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The points of one context: how many were submitted, written by the submitting thread, and how
 * many have ended, written by the device's agent. The words lie on cache lines of their own.
 * Thread-safe.
 */
final class PointTimeline implements Timeline {
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle WATCHERS;
  private static final int SUBMITTED = 16;
  private static final int ENDED = 32;

  static {
    try {
      WATCHERS =
          MethodHandles.lookup().findVarHandle(PointTimeline.class, "watchers", Bell[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long id;
  private final Bell own;
  private final CompletionLog log;
  private final long[] words = new long[48];
  private volatile Bell[] watchers;

  /** What every point that was not recorded ended with; 0 while the agent records. */
  private volatile int sealed;

  /**
   * @param own bell of the agent that advances it
   * @param depth queue depth of its context, a power of two
   */
  PointTimeline(long id, Bell own, int depth) {
    this.id = id;
    this.own = own;
    this.log = new CompletionLog(depth);
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public long ended() {
    return sealed != 0 ? submitted() : recorded();
  }

  @Override
  public int status(long point) {
    if (point < 1) {
      return -Errno.EINVAL;
    }
    int end = sealed;
    if (point > recorded()) {
      if (point > submitted()) {
        return -Errno.EINVAL;
      }
      return end != 0 ? end : -Errno.EINPROGRESS;
    }
    int code = log.code(point);
    return submitted() - point >= log.capacity() ? -Errno.ESTALE : code;
  }

  /** How its newest points ended. */
  CompletionLog log() {
    return log;
  }

  /** All points up to this one have ended and stand in the completion log. */
  long recorded() {
    return (long) WORDS.getAcquire(words, ENDED);
  }

  boolean isOver(long point) {
    return recorded() >= point || sealed != 0;
  }

  /** The agent records nothing more: what has not ended by now has this code. Once. */
  synchronized void seal(int code) {
    if (sealed == 0) {
      sealed = code;
    }
  }

  boolean isSealed() {
    return sealed != 0;
  }

  /** The newest point that was submitted. */
  long submitted() {
    return (long) WORDS.getAcquire(words, SUBMITTED);
  }

  /**
   * Submitting thread: everything written before belongs to the submissions up to {@code point}.
   */
  void publish(long point) {
    WORDS.setRelease(words, SUBMITTED, point);
  }

  /** Agent: all points up to {@code point} have ended. */
  void advance(long point) {
    WORDS.setRelease(words, ENDED, point);
  }

  /** Rings {@code bell} at each advance from now on; allocates for a bell that is new here. */
  void watch(Bell bell) {
    if (bell == own) {
      return;
    }
    while (true) {
      Bell[] old = watchers;
      int length = old == null ? 0 : old.length;
      for (int i = 0; i < length; i++) {
        if (old[i] == bell) {
          return;
        }
      }
      Bell[] more = new Bell[length + 1];
      for (int i = 0; i < length; i++) {
        more[i] = old[i];
      }
      more[length] = bell;
      if (WATCHERS.compareAndSet(this, old, more)) {
        return;
      }
    }
  }

  /** Agent, after {@link #advance} and a full fence. */
  void ringWatchers() {
    Bell[] all = watchers;
    if (all != null) {
      for (Bell bell : all) {
        bell.ring();
      }
    }
  }
}
