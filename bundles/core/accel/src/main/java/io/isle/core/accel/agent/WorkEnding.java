package io.isle.core.accel.agent;

import io.isle.api.base.Errno;
import io.isle.core.accel.machine.ContextSet;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.InFlightTable;
import io.isle.core.accel.queue.ContextState;
import io.isle.core.accel.queue.QueueRecord;
import java.util.List;

/**
 * Ends submissions whose device is gone or whose context is over, each exactly once. Everything
 * here is done in control operations of the agent, while no data call is made for the work.
 */
public final class WorkEnding {
  private final DeviceMachine machine;
  private final DeviceAgent agent;
  private final CompletionRing completions;

  /** What became of work. */
  public record Ended(long interrupted, long replayed) {
    public static final Ended NONE = new Ended(0, 0);

    public Ended plus(Ended other) {
      return new Ended(interrupted + other.interrupted, replayed + other.replayed);
    }
  }

  WorkEnding(DeviceMachine machine, DeviceAgent agent, CompletionRing completions) {
    this.machine = machine;
    this.agent = agent;
    this.completions = completions;
  }

  /**
   * The device is gone: what was in flight ends with EINTR or starts again, but ETIMEDOUT if it was
   * over its limit; what was pending ends with EINTR or is kept.
   *
   * @param records the contexts that live on
   */
  public Ended fail(List<? extends QueueRecord> records, boolean keepAll) {
    agent.takeAll();
    long replayed = 0;
    long interrupted = 0;
    InFlightTable inFlight = machine.inFlight();
    for (int i = 0; i < inFlight.capacity(); i++) {
      if (inFlight.context(i) >= 0) {
        boolean coming = !completions.disarm(i, inFlight.tag(i));
        int code = inFlight.endCode(i) == 0 ? -Errno.EINTR : inFlight.endCode(i);
        if (code == -Errno.EINTR && machine.departures().onReplay(i, coming)) {
          replayed++;
        } else {
          machine.departures().onAbandon(i, code, coming);
          interrupted++;
        }
      }
    }
    for (QueueRecord record : records) {
      if (machine.queue(record.index()) == record.queue()) {
        boolean keep = keepAll || record.keepsPending();
        long before = record.queue().log.completed();
        machine.onFail(record.index(), ContextState.stampOf(record.word()), keep, keepAll);
        interrupted += record.queue().log.completed() - before;
      }
    }
    agent.publish();
    return new Ended(interrupted, replayed);
  }

  /**
   * The process of these contexts is gone, while that of others goes on: as {@link #fail}, for
   * theirs alone.
   */
  public Ended failOnly(List<? extends QueueRecord> records) {
    agent.takeAll();
    long replayed = 0;
    long interrupted = 0;
    for (QueueRecord record : records) {
      int c = record.index();
      if (machine.queue(c) == record.queue()) {
        long before = record.queue().log.completed();
        replayed += endInFlight(c);
        machine.onFail(c, ContextState.stampOf(record.word()), record.keepsPending(), false);
        interrupted += record.queue().log.completed() - before;
      }
    }
    agent.publish();
    return new Ended(interrupted, replayed);
  }

  /** Returns how many start again. */
  private long endInFlight(int c) {
    long replayed = 0;
    InFlightTable inFlight = machine.inFlight();
    for (int i = 0; i < inFlight.capacity(); i++) {
      if (inFlight.context(i) == c) {
        boolean coming = !completions.disarm(i, inFlight.tag(i));
        int code = inFlight.endCode(i) == 0 ? -Errno.EINTR : inFlight.endCode(i);
        if (code == -Errno.EINTR && machine.departures().onReplay(i, coming)) {
          replayed++;
        } else {
          machine.departures().onAbandon(i, code, coming);
        }
      }
    }
    return replayed;
  }

  /** No device follows: everything ends with EINTR and every context is forgotten. */
  public void loseAll() {
    agent.takeAll();
    ContextSet contexts = machine.contexts();
    for (int i = 0; i < contexts.size(); i++) {
      machine.onClose(contexts.get(i), -Errno.EINTR);
    }
    abandon(-1, -Errno.EINTR);
    agent.publish();
    while (contexts.size() > 0) {
      agent.forget(contexts.get(0));
    }
  }

  /** Ends what is left of a context with {@code code} and forgets it. */
  public void forget(QueueRecord record, int code) {
    int c = record.index();
    if (machine.queue(c) != record.queue()) {
      return;
    }
    agent.takeAll();
    machine.onClose(c, code);
    abandon(c, code);
    agent.publish();
    agent.forget(c);
  }

  /** Ends what a context has not started; what is in flight goes on. */
  public void close(QueueRecord record, int code) {
    if (machine.queue(record.index()) == record.queue()) {
      machine.onClose(record.index(), code);
    }
  }

  /**
   * What a context has in flight ends with {@code code} unless it succeeds; whether there is any.
   */
  public boolean stopWith(QueueRecord record, int code) {
    int c = record.index();
    return machine.queue(c) == record.queue() && machine.inFlight().stopAll(c, code) > 0;
  }

  private void abandon(int only, int code) {
    InFlightTable inFlight = machine.inFlight();
    for (int i = 0; i < inFlight.capacity(); i++) {
      int c = inFlight.context(i);
      if (c >= 0 && (only < 0 || only == c)) {
        machine.departures().onAbandon(i, code, !completions.disarm(i, inFlight.tag(i)));
      }
    }
  }
}
