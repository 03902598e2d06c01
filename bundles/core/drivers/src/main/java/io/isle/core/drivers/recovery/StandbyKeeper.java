package io.isle.core.drivers.recovery;

import io.isle.api.base.IsleException;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.Standby;
import io.isle.core.drivers.threads.Background;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The warm standby of one device: at most one loaded driver that waits, in a host if the device is
 * in tier 2. One that dies or does not start is replaced with growing delays. Thread-safe; one
 * thread takes.
 */
public final class StandbyKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(StandbyKeeper.class);
  private static final Duration FIRST_DELAY = Duration.ofMillis(100);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

  /** Usual longest wait for a host that is on its way. */
  public static final Duration PATIENCE = Duration.ofSeconds(2);

  private final String device;
  private final Background background;
  private final Duration patience;
  private final Runnable changed;
  // Guarded by this; source is what hosts are started from, null while none is wanted.
  private Supplier<Optional<Standby>> source;
  private DriverHandle loads;
  private int tier;
  // Belongs to whoever takes it, or to nobody once it is disowned.
  private Start starting;
  private Standby ready;
  private int failures;
  private final Set<Start> underWay = new HashSet<>();

  /**
   * The start of a host.
   *
   * @param host comes when it is ready, or empty when it failed or is disowned
   * @param ended nothing is passed to it any more
   */
  private record Start(CompletableFuture<Optional<Standby>> host, CompletableFuture<Void> ended) {
    /** From now on it is nobody's; false if the host has come. */
    boolean disown() {
      return host.complete(Optional.empty());
    }
  }

  /** A host that waits, or the start of one; both may be null. */
  private record Held(Standby ready, Start starting) {
    /** One that is on its way is not waited for. */
    void end() {
      if (starting != null && !starting.disown()) {
        starting.host.join().ifPresent(Standby::close);
      }
      endReady();
    }

    void endReady() {
      if (ready != null) {
        ready.close();
      }
    }
  }

  /**
   * What takes over.
   *
   * @param warm it was ready, not on its way
   */
  public record Taken(Standby standby, boolean warm) {}

  /**
   * @param patience longest wait for a host that is on its way
   * @param changed hears, on any thread, that the standby is ready or gone
   */
  public StandbyKeeper(String device, Background background, Duration patience, Runnable changed) {
    this.device = device;
    this.background = background;
    this.patience = patience;
    this.changed = changed;
  }

  /**
   * From now on a host of this source shall wait, if none like it does or is on its way. Another is
   * ended.
   *
   * @param version the version of the driver that it loads
   */
  public void want(DriverHandle version, int inTier, Supplier<Optional<Standby>> from) {
    Held other;
    synchronized (this) {
      if (source != null && loads(version, inTier)) {
        return;
      }
      other = release();
      source = from;
      loads = version;
      tier = inTier;
    }
    boolean ignored = background.execute(() -> start(from));
    other.end();
  }

  private boolean loads(DriverHandle version, int inTier) {
    return loads == version && tier == inTier;
  }

  /** Process of the host that is ready, if one is. */
  public synchronized Optional<Long> pid() {
    return ready == null || !ready.alive() ? Optional.empty() : ready.pid();
  }

  /**
   * Gives the host away, if it has loaded this version of the driver in this tier; another is
   * ended. One that is on its way is waited for, within reason: another would not be faster. Empty
   * when there is none. No other is started until {@link #want}.
   */
  public Optional<Taken> take(DriverHandle version, int inTier) {
    Held held;
    synchronized (this) {
      held = loads(version, inTier) ? release() : null;
    }
    if (held == null) {
      drop();
      return Optional.empty();
    }
    if (held.ready != null && held.ready.alive()) {
      forgive();
      return Optional.of(new Taken(held.ready, true));
    }
    held.endReady();
    return Optional.ofNullable(held.starting)
        .flatMap(this::awaited)
        .map(host -> new Taken(host, false));
  }

  /** It is not this object's any more, and no other is wanted. */
  private synchronized Held release() {
    Held held = new Held(ready, starting);
    source = null;
    starting = null;
    ready = null;
    return held;
  }

  /** One that takes too long is disowned; whoever starts it ends it when it comes. */
  private Optional<Standby> awaited(Start coming) {
    try {
      return coming.host.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.warn("{}: the standby driver host is not ready after {} ms", device, patience.toMillis());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // it may have come just now
    return coming.disown() ? Optional.empty() : coming.host.join();
  }

  private synchronized void forgive() {
    failures = 0;
  }

  /** Ends the host, if there is one, and wants none. One that is on its way is not waited for. */
  public void drop() {
    release().end();
  }

  /**
   * Returns when no start is under way any more, whoever it belongs to. After {@link #drop}: then
   * nothing uses the memory of the device's attachment, which a start passes on by number. Bounded
   * by the start's own limits, 25 s if its library hangs.
   */
  public void awaitStarts() {
    CompletableFuture<?>[] ends;
    synchronized (this) {
      ends = underWay.stream().map(start -> start.ended).toArray(CompletableFuture<?>[]::new);
    }
    var ignored = CompletableFuture.allOf(ends).join();
  }

  private void start(Supplier<Optional<Standby>> from) {
    Start start = new Start(new CompletableFuture<>(), new CompletableFuture<>());
    synchronized (this) {
      if (source != from) {
        return;
      }
      starting = start;
      underWay.add(start);
    }
    Optional<Standby> host = Optional.empty();
    boolean failed = true;
    try {
      host = from.get();
      failed = false;
    } catch (IsleException e) {
      LOG.warn("{}: no standby driver host: {}", device, e.getMessage());
    } catch (RuntimeException | Error e) {
      LOG.error("{}: no standby driver host because of a defect", device, e);
    } finally {
      end(start);
    }
    host.ifPresent(waiting -> waiting.onLost(cause -> died(from, waiting)));
    if (!kept(from, start, host)) {
      // not under the lock: this may take a while
      host.ifPresent(Standby::close);
    }
    if (failed) {
      again(from);
    }
    changed.run();
  }

  private void end(Start start) {
    synchronized (this) {
      underWay.remove(start);
    }
    boolean ignored = start.ended.complete(null);
  }

  /**
   * A host waits here, or whoever took the start in the meantime gets it.
   *
   * @return false if it is nobody's
   */
  private synchronized boolean kept(
      Supplier<Optional<Standby>> from, Start start, Optional<Standby> host) {
    if (starting != start) {
      return start.host.complete(host);
    }
    starting = null;
    if (host.isPresent()) {
      ready = host.get();
      if (!ready.alive()) {
        died(from, ready);
      }
    }
    return true;
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
