package io.isle.core.drivers.recovery;

import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.RecoveryParticipant;
import io.isle.api.driver.RecoveryParticipant.Recovering;
import io.isle.core.drivers.session.ServiceThreads;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A participant of recoveries with bounded calls: each is made on a thread that can be given up. A
 * participant that was overtaken, or has just come, is not told of a device until that is opened
 * anew. Calls about one device come from one thread at a time.
 */
public final class BoundedParticipant {
  private static final Logger LOG = LoggerFactory.getLogger(BoundedParticipant.class);

  /** In {@link Stay#missed}: the device itself. */
  private static final String WHOLE = "";

  private final ServiceThreads threads;
  private final String name;

  /** Phases without a body of the participant need no thread. */
  private final Set<Step> steps = EnumSet.noneOf(Step.class);

  private final Map<String, Stay> stays = new HashMap<>();

  /** Null once it has gone. */
  private RecoveryParticipant participant;

  /** How far it knows of one device. */
  private static final class Stay {
    /** The groups whose process it knows nothing of, or {@link #WHOLE}. */
    final Set<String> missed = new HashSet<>(Set.of(WHOLE));

    /** An opening of the device has begun for this participant. */
    boolean entered;

    /** The call that is being made; null while none is. */
    Turn inside;
  }

  /** One call. Guarded by its participant. */
  private static final class Turn {
    Thread thread;
    boolean over;

    /** Nobody waits for it any more. */
    boolean overtaken;

    Throwable thrown;
  }

  BoundedParticipant(RecoveryParticipant participant, ServiceThreads threads) {
    this.participant = participant;
    this.threads = threads;
    this.name = participant.getClass().getName();
    for (Step step : Step.values()) {
      if (step.isIn(participant)) {
        steps.add(step);
      }
    }
  }

  /** Whether this object bounds the calls of that participant. */
  synchronized boolean isFor(RecoveryParticipant other) {
    return participant == other;
  }

  /** Whether it was told of the device's opening, and is told what follows as all others are. */
  synchronized boolean hasEntered(String device) {
    Stay stay = stays.get(device);
    return stay != null && stay.entered;
  }

  /**
   * Makes a call, unless it knows nothing of the device; returns when it has returned, or when the
   * bound is over.
   *
   * @param enters whether it knows of the device from now on
   */
  void call(Step step, boolean enters, Recovering of, DeviceSession session, Duration bound) {
    Turn turn = new Turn();
    RecoveryParticipant who = admitted(step, enters, of, turn);
    if (who == null) {
      return;
    }
    if (!threads.execute(() -> make(step, who, of, session, turn))) {
      over(of.device(), turn);
      missed(of);
      LOG.warn(
          "{}: {} is not told of phase {}, because no thread is available",
          of.device(),
          name,
          step.text());
      return;
    }
    if (awaited(turn, bound)) {
      if (turn.thrown != null) {
        LOG.warn(
            "{}: {} failed in phase {} of the recovery from {}",
            of.device(),
            name,
            step.text(),
            of.cause().text(),
            turn.thrown);
      }
    } else {
      LOG.warn(
          "{}: {} did not return from phase {} within {} ms; the recovery continues without this"
              + " subsystem",
          of.device(),
          name,
          step.text(),
          bound.toMillis());
      missed(of);
    }
  }

  /** Whom to call; null if it is not to be called. */
  private synchronized RecoveryParticipant admitted(
      Step step, boolean enters, Recovering of, Turn turn) {
    if (participant == null) {
      return null;
    }
    Stay stay = stays.computeIfAbsent(of.device(), device -> new Stay());
    String scope = of.group().orElse(WHOLE);
    if (stay.inside != null) {
      stay.missed.add(scope);
      return null;
    }
    if (enters && scope.equals(WHOLE)) {
      stay.missed.clear();
      stay.entered = true;
    } else if (enters) {
      stay.missed.remove(scope);
    }
    if (stay.missed.contains(WHOLE) || stay.missed.contains(scope) || !steps.contains(step)) {
      return null;
    }
    stay.inside = turn;
    return participant;
  }

  private void make(
      Step step, RecoveryParticipant who, Recovering of, DeviceSession session, Turn turn) {
    synchronized (this) {
      if (turn.overtaken) {
        // its thread came too late: a phase is not called once the next one has begun
        over(of.device(), turn);
        return;
      }
      turn.thread = Thread.currentThread();
    }
    Throwable thrown = null;
    try {
      step.make(who, of, session);
    } catch (Throwable e) {
      // whatever another bundle throws is its own affair, and is reported
      thrown = e;
    }
    synchronized (this) {
      turn.thrown = thrown;
      over(of.device(), turn);
    }
  }

  private synchronized void over(String device, Turn turn) {
    turn.over = true;
    Stay stay = stays.get(device);
    if (stay != null && stay.inside == turn) {
      stay.inside = null;
    }
    notifyAll();
  }

  private synchronized void missed(Recovering of) {
    Stay stay = stays.get(of.device());
    if (stay != null) {
      stay.missed.add(of.group().orElse(WHOLE));
    }
  }

  /** Interrupts the call when the bound is over. */
  private synchronized boolean awaited(Turn turn, Duration bound) {
    if (!awaitOver(turn, bound)) {
      turn.overtaken = true;
      if (turn.thread != null) {
        turn.thread.interrupt();
      }
    }
    return turn.over;
  }

  private synchronized boolean awaitOver(Turn turn, Duration bound) {
    long deadline = System.nanoTime() + bound.toNanos();
    boolean interrupted = false;
    long left = bound.toNanos();
    while (!turn.over && left > 0) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      left = deadline - System.nanoTime();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return turn.over;
  }

  /** The device goes. */
  synchronized void forget(String device) {
    Stay stay = stays.get(device);
    if (stay != null && stay.inside == null) {
      stays.remove(device);
    }
  }

  /** It is not called any more once this returns; calls that are being made are waited for. */
  synchronized void leave(Duration bound) {
    participant = null;
    long deadline = System.nanoTime() + bound.toNanos();
    for (Stay stay : Set.copyOf(stays.values())) {
      Turn turn = stay.inside;
      if (turn != null
          && turn.thread != Thread.currentThread()
          && !awaitOver(turn, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
        LOG.warn("subsystem {} is being removed, but does not return from a recovery", name);
      }
    }
    stays.clear();
  }
}
