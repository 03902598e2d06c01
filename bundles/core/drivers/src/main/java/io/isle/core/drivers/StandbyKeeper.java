package io.isle.core.drivers;

import io.isle.api.base.IsleException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The warm standby of one device: at most one host that waits. One that dies or does not start is
 * replaced with growing delays. Thread-safe; one thread takes.
 */
final class StandbyKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(StandbyKeeper.class);
  private static final Duration FIRST_DELAY = Duration.ofMillis(100);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

  /** Usual longest wait for a host that is on its way. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  private final String device;
  private final Background background;
  private final Duration patience;
  private final Runnable changed;
  // Guarded by this; source is what hosts are started from, null while none is wanted.
  private Supplier<Optional<Standby>> source;
  private DriverHandle loads;
  private CompletableFuture<Optional<Standby>> starting;
  private Standby ready;
  private int failures;

  /**
   * What takes over.
   *
   * @param warm it was ready, not on its way
   */
  record Taken(Standby standby, boolean warm) {}

  /**
   * @param patience longest wait for a host that is on its way
   * @param changed hears, on any thread, that the standby is ready or gone
   */
  StandbyKeeper(String device, Background background, Duration patience, Runnable changed) {
    this.device = device;
    this.background = background;
    this.patience = patience;
    this.changed = changed;
  }

  /**
   * From now on a host of this source shall wait, if none does or is on its way.
   *
   * @param version the version of the driver that it loads
   */
  synchronized void want(DriverHandle version, Supplier<Optional<Standby>> from) {
    if (source == null) {
      source = from;
      loads = version;
      boolean ignored = background.execute(() -> start(from));
    }
  }

  /** Process of the host that is ready, if one is. */
  synchronized Optional<Long> pid() {
    return ready == null || !ready.alive() ? Optional.empty() : Optional.of(ready.pid());
  }

  /** As {@link #take()}, for a version of the driver; a host that has loaded another is ended. */
  Optional<Taken> take(DriverHandle version) {
    DriverHandle loaded;
    synchronized (this) {
      loaded = loads;
    }
    if (loaded == version) {
      return take();
    }
    drop();
    return Optional.empty();
  }

  /**
   * Gives the host away. One that is on its way is waited for, within reason: another would not be
   * faster. Empty when there is none. No other is started until {@link #want}.
   */
  private Optional<Taken> take() {
    CompletableFuture<Optional<Standby>> coming;
    Standby taken;
    synchronized (this) {
      source = null;
      taken = ready;
      ready = null;
      coming = starting;
    }
    if (taken != null && taken.alive()) {
      forgive();
      return Optional.of(new Taken(taken, true));
    }
    if (taken != null) {
      taken.close();
    }
    return coming == null ? Optional.empty() : awaited(coming).map(host -> new Taken(host, false));
  }

  /** One that takes too long is not waited for; it is ended when it comes. */
  private Optional<Standby> awaited(CompletableFuture<Optional<Standby>> coming) {
    try {
      return coming.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.warn("{}: the standby is not ready after {} ms", device, patience.toMillis());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    var ignored = coming.thenAccept(late -> late.ifPresent(Standby::close));
    return Optional.empty();
  }

  private synchronized void forgive() {
    failures = 0;
  }

  /** Ends the host, if there is one, and wants none. */
  void drop() {
    take().ifPresent(taken -> taken.standby.close());
  }

  private void start(Supplier<Optional<Standby>> from) {
    CompletableFuture<Optional<Standby>> coming = new CompletableFuture<>();
    synchronized (this) {
      if (source != from) {
        return;
      }
      starting = coming;
    }
    Optional<Standby> host = Optional.empty();
    try {
      host = from.get();
      host.ifPresent(waiting -> waiting.onLost(cause -> died(from, waiting)));
    } catch (IsleException e) {
      LOG.warn("{}: no standby: {}", device, e.getMessage());
      again(from);
    } finally {
      keep(from, coming, host);
    }
    changed.run();
  }

  /** Whoever takes in the meantime gets it from the future; else it waits here. */
  private synchronized void keep(
      Supplier<Optional<Standby>> from,
      CompletableFuture<Optional<Standby>> coming,
      Optional<Standby> host) {
    starting = null;
    coming.complete(host);
    if (source == from && host.isPresent()) {
      ready = host.get();
      if (!ready.alive()) {
        died(from, ready);
      }
    }
  }

  private void died(Supplier<Optional<Standby>> from, Standby host) {
    synchronized (this) {
      if (ready != host) {
        return;
      }
      ready = null;
    }
    // not here: this is the host's own thread, which its closing waits for
    boolean ignored = background.execute(host::close);
    changed.run();
    again(from);
  }

  private synchronized void again(Supplier<Optional<Standby>> from) {
    if (source == from) {
      Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(failures++, 20));
      background.after(
          delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY, () -> start(from));
    }
  }
}
