package io.isle.core.observe;

import io.isle.api.base.MonotonicClock;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditFilter;
import io.isle.api.observe.AuditRecord;
import io.isle.core.observe.AuditJournal.Stamped;
import io.isle.core.observe.RateLimiter.Suppressed;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Takes events on any thread into a bounded queue, which {@link #step} empties into the journal: on
 * the writer thread of {@link #start}, or on a test's. Whatever is thrown there, the writer goes on
 * until this is closed; what it had taken from the queue is counted, and the count written down.
 *
 * <p>Not a serial executor: the queue is bounded, and the writer takes events in batches, each of
 * which is one write to the disk.
 */
final class AuditBook implements Audit, AutoCloseable {
  /** Events that may wait; further ones are counted and dropped. */
  static final int QUEUE = 4096;

  private static final int BATCH = 512;
  private static final Duration EXPIRY = Duration.ofHours(1);
  private static final long FLUSH_NS = 2_000_000_000L;

  private sealed interface Item {}

  private record Event(Stamped stamped) implements Item {}

  /** Opened when all before it is written. */
  private record Marker(CountDownLatch latch) implements Item {}

  private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(QUEUE);
  private final AtomicLong dropped = new AtomicLong();

  /** Events that the writer had taken when something was thrown. */
  private final AtomicLong failed = new AtomicLong();

  private final AuditJournal journal;
  private final RateLimiter limiter;
  private final MonotonicClock clock;
  private final InstantSource wall;
  private final Consumer<String> warnings;
  private volatile AuditLimits limits;
  private volatile boolean closed;
  private Thread writer;

  /** Whether the administrator was told of what the writer met, and it has not written since. */
  private boolean complained;

  private long expireAtNs;

  AuditBook(
      Path folder,
      AuditLimits limits,
      MonotonicClock clock,
      InstantSource wall,
      Consumer<String> warnings) {
    this.limits = limits;
    this.clock = clock;
    this.wall = wall;
    this.warnings = warnings;
    limiter = new RateLimiter(limits);
    journal = new AuditJournal(new AuditFolder(folder), warnings);
    expireAtNs = clock.nanoTime();
  }

  /** An event of the book's own. */
  static AuditEvent own(String action) {
    return AuditEvent.of(Actor.PLATFORM, action);
  }

  void start() {
    writer = new Thread(this::write, "isle-audit");
    writer.setDaemon(true);
    writer.start();
  }

  /** Takes new limits; they hold from the next event on. */
  void set(AuditLimits changed) {
    limits = changed;
    limiter.set(changed);
  }

  @Override
  public void record(AuditEvent event) {
    boolean ownAccount = event.actor().equals(Actor.PLATFORM.text());
    if (!closed && (ownAccount || limiter.admit(account(event), clock.nanoTime()))) {
      offer(event);
    }
  }

  /**
   * Whose rate an event counts against. What a user's jobs do under capabilities counts apart from
   * what the user commands: no job can push its owner's own actions out of the book.
   */
  private static String account(AuditEvent event) {
    return event.capability() == 0 ? event.actor() : event.actor() + " by capability";
  }

  @Override
  public List<AuditRecord> tail(int limit, AuditFilter filter) {
    flush();
    return journal.tail(limit, filter);
  }

  @Override
  public List<AuditRecord> awaitNext(AuditFilter filter) throws InterruptedException {
    return journal.awaitNext(filter);
  }

  /** Writes what waits down, and the counts whose time has come. */
  void step() {
    step(null);
  }

  private void step(Item first) {
    List<Item> items = new ArrayList<>();
    if (first != null) {
      items.add(first);
    }
    boolean written = false;
    try {
      limiter.ended(clock.nanoTime()).forEach(this::offer);
      queue.drainTo(items, BATCH);
      write(items);
      written = true;
    } finally {
      for (Item item : items) {
        if (item instanceof Marker marker) {
          marker.latch().countDown();
        } else if (!written) {
          failed.incrementAndGet();
        }
      }
    }
    long nowNs = clock.nanoTime();
    if (nowNs - expireAtNs >= 0) {
      expireAtNs = nowNs + EXPIRY.toNanos();
      journal.expire(wall.instant(), limits);
    }
  }

  private void write(List<Item> items) {
    List<Stamped> batch = new ArrayList<>();
    for (Item item : items) {
      if (item instanceof Event event) {
        batch.add(event.stamped());
      }
    }
    long full = dropped.get();
    if (full > 0) {
      batch.add(
          stamped(
              own("audit.dropped").detail(full + " events were lost, because the queue was full")));
    }
    long lost = failed.get();
    if (lost > 0) {
      batch.add(
          stamped(
              own("audit.dropped")
                  .detail(lost + " events were lost, because their writer failed")));
    }
    if (!batch.isEmpty()) {
      journal.append(batch, limits.maxFileBytes());
      dropped.addAndGet(-full);
      failed.addAndGet(-lost);
    }
  }

  /** Writes down what was recorded, counts included, and ends the writer thread. */
  @Override
  public void close() {
    closed = true;
    if (writer != null && !ended(writer)) {
      warnings.accept("audit records are lost: the disk did not take the last records within 10 s");
    } else {
      limiter.all(clock.nanoTime()).forEach(this::offer);
      do {
        step();
      } while (!queue.isEmpty());
    }
    journal.end();
  }

  private boolean ended(Thread thread) {
    // Wakes it; when the queue is full it is awake.
    queue.offer(new Marker(new CountDownLatch(1)));
    try {
      return thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Each turn begins with an event, or after a second in which a window may have ended. */
  private void write() {
    while (!closed) {
      try {
        step(queue.poll(1, TimeUnit.SECONDS));
        complained = false;
      } catch (InterruptedException e) {
        // nobody but the close ends the book
      } catch (RuntimeException | Error e) {
        complain(e);
      }
    }
  }

  /** Once, until something is written again; that it cannot be told ends nothing either. */
  private void complain(Throwable thrown) {
    if (complained) {
      return;
    }
    complained = true;
    try {
      warnings.accept("audit records are lost: the writer of audit files failed: " + thrown);
    } catch (RuntimeException | Error e) {
      // what follows is written nevertheless
    }
  }

  /** Waits until what is in the queue is written; not long on a slow disk. */
  private void flush() {
    if (writer == null || closed) {
      return;
    }
    Marker marker = new Marker(new CountDownLatch(1));
    long deadlineNs = System.nanoTime() + FLUSH_NS;
    try {
      boolean ended =
          queue.offer(marker, FLUSH_NS, TimeUnit.NANOSECONDS)
              && marker.latch().await(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (!ended) {
        warnings.accept("audit records are written slowly: the list may lack the newest records");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void offer(Suppressed suppressed) {
    offer(
        own("audit.suppressed")
            .object(suppressed.actor())
            .detail(
                suppressed.count()
                    + " events dropped, because they exceed the limit of "
                    + limits.perSecond()
                    + " a second (per_tenant_per_s)"));
  }

  private void offer(AuditEvent event) {
    if (!queue.offer(new Event(stamped(event)))) {
      dropped.incrementAndGet();
    }
  }

  private Stamped stamped(AuditEvent event) {
    return new Stamped(wall.millis(), cut(event));
  }

  private static AuditEvent cut(AuditEvent event) {
    return new AuditEvent(
        cut(event.actor()),
        event.capability(),
        cut(event.action()),
        cut(event.device()),
        cut(event.object()),
        event.code(),
        cut(event.detail()));
  }

  private static String cut(String text) {
    if (text == null) {
      return "";
    }
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
  }
}
