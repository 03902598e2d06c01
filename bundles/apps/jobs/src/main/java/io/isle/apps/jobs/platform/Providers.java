package io.isle.apps.jobs.platform;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Services of other bundles by their keys, such as kinds of steps, and the threads that call them.
 * One that goes is called no more once {@link #remove} returns. Thread-safe.
 *
 * @param <S> type of the services
 */
public final class Providers<S> {
  private static final Logger LOG = LoggerFactory.getLogger(Providers.class);
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

  private final String what;
  private final Function<S, String> key;
  private final Predicate<S> valid;

  // Guarded by this. Of several services with one key the first one counts.
  private final List<S> services = new ArrayList<>();
  private final Map<Thread, S> running = new HashMap<>();
  private final Set<Thread> cut = new HashSet<>();

  /**
   * @param what the services are, for messages: such as "a kind of steps"
   * @param valid whether the names of a service are well-formed and no key of jobs themselves
   */
  public Providers(String what, Function<S, String> key, Predicate<S> valid) {
    this.what = what;
    this.key = key;
    this.valid = valid;
  }

  /** A service comes. */
  public synchronized void add(S service) {
    String name = key.apply(service);
    if (!valid.test(service)) {
      LOG.warn(
          "'{}' of {} cannot be {}: a name is invalid or a key of jobs",
          name,
          service.getClass().getName(),
          what);
      return;
    }
    if (services.stream().anyMatch(other -> key.apply(other).equals(name))) {
      LOG.warn("two bundles provide {} '{}'; the first bundle is used", what, name);
    }
    services.add(service);
  }

  /** A service goes: calls that run are interrupted and waited for, at most ten seconds. */
  public synchronized void remove(S service) {
    services.remove(service);
    running.forEach(
        (thread, by) -> {
          if (by == service) {
            cut.add(thread);
            thread.interrupt();
          }
        });
    long until = System.nanoTime() + PATIENCE_NS;
    boolean interrupted = false;
    while (running.containsValue(service)) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (leftMs <= 0) {
        LOG.warn("{} '{}' is still in use although its bundle stops", what, key.apply(service));
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

  /** The services that there are, by key. */
  public synchronized Map<String, S> byKey() {
    Map<String, S> all = new TreeMap<>();
    services.forEach(service -> all.putIfAbsent(key.apply(service), service));
    return all;
  }

  /**
   * The calling thread begins to call a service.
   *
   * @return false when the service has gone
   */
  public synchronized boolean begin(S service) {
    if (!services.contains(service)) {
      return false;
    }
    running.put(Thread.currentThread(), service);
    return true;
  }

  /**
   * The calling thread has called it, after a {@link #begin} that returned true.
   *
   * @return whether the service has gone meanwhile; the interrupt for this is taken back
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
