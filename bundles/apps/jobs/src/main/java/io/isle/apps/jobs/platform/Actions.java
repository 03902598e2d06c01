package io.isle.apps.jobs.platform;

import io.isle.api.jobs.JobAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kinds of steps that other bundles bring, and the threads that run steps of these kinds. One
 * that goes is called no more once {@link #remove} returns. Thread-safe.
 */
public final class Actions {
  private static final Logger LOG = LoggerFactory.getLogger(Actions.class);
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

  private final Set<String> reserved;

  // Guarded by this. Of several services with one key the first one counts.
  private final List<JobAction> services = new ArrayList<>();
  private final Map<Thread, JobAction> running = new HashMap<>();
  private final Set<Thread> cut = new HashSet<>();

  /**
   * @param reserved keys of steps that no action may have
   */
  public Actions(Set<String> reserved) {
    this.reserved = Set.copyOf(reserved);
  }

  /** A kind comes. */
  public synchronized void add(JobAction action) {
    String key = action.key();
    if (!key.matches(JobAction.NAME) || reserved.contains(key)) {
      LOG.warn(
          "'{}' of {} cannot be a kind of step: the name is invalid or a key of steps",
          key,
          action.getClass().getName());
      return;
    }
    if (services.stream().anyMatch(other -> other.key().equals(key))) {
      LOG.warn("two bundles provide steps of the kind '{}'; the first bundle is used", key);
    }
    services.add(action);
  }

  /** A kind goes: its steps that run are interrupted and waited for, at most ten seconds. */
  public synchronized void remove(JobAction action) {
    services.remove(action);
    running.forEach(
        (thread, by) -> {
          if (by == action) {
            cut.add(thread);
            thread.interrupt();
          }
        });
    long until = System.nanoTime() + PATIENCE_NS;
    boolean interrupted = false;
    while (running.containsValue(action)) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (leftMs <= 0) {
        LOG.warn("a step of the kind '{}' still runs although its bundle stops", action.key());
        break;
      }
      try {
        wait(leftMs);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The kinds that there are, by key. */
  public synchronized Map<String, JobAction> byKey() {
    Map<String, JobAction> actions = new TreeMap<>();
    services.forEach(action -> actions.putIfAbsent(action.key(), action));
    return actions;
  }

  /**
   * The calling thread begins to call an action.
   *
   * @return false when the action has gone
   */
  public synchronized boolean begin(JobAction action) {
    if (!services.contains(action)) {
      return false;
    }
    running.put(Thread.currentThread(), action);
    return true;
  }

  /**
   * The calling thread has called it, after a {@link #begin} that returned true.
   *
   * @return whether the action has gone meanwhile; the interrupt for this is taken back
   */
  public synchronized boolean end() {
    Thread self = Thread.currentThread();
    running.remove(self);
    notifyAll();
    boolean gone = cut.remove(self);
    if (gone) {
      boolean ignored = Thread.interrupted();
    }
    return gone;
  }
}
