package io.isle.fabric.ring.link;

import io.isle.lib.ffi.Epoll;
import io.isle.lib.ffi.EpollEvents;
import io.isle.lib.ffi.EventDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The thread {@code isle-fabric}: drives all ports that no data call drives, asleep in one set of
 * descriptors until the next event or time. It never receives or sends packets, except for the rest
 * of a packet that has begun.
 */
public final class FabricAgent implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(FabricAgent.class.getName());

  /** Longest sleep; bounds the effect of a lost event. */
  private static final long MOST_NS = 1_000_000_000;

  /** Of the descriptor by which other threads wake this one. */
  private static final long WOKEN = 1;

  private final Epoll epoll = new Epoll();
  private final EpollEvents events = new EpollEvents(64);
  private final EventDescriptor wake = new EventDescriptor();
  private final Queue<LinkWatch> coming = new ConcurrentLinkedQueue<>();

  /** A new array after each change. */
  private volatile Tended[] tended = {};

  private long tendedView;
  private final List<LinkWatch> links = new ArrayList<>();
  private final Runnable changed;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Starts the thread.
   *
   * @param changed called after changes of the states of ports; returns soon
   */
  public FabricAgent(Runnable changed) {
    this.changed = changed;
    int ignored = epoll.add(wake.descriptor(), EpollEvents.EPOLLIN, WOKEN);
    thread = Thread.ofPlatform().daemon().name("isle-fabric").start(this::run);
  }

  /** Watches a link from now on, until its end. Thread-safe. */
  public void watch(Link link) {
    link.watch().agent(wake::signal);
    coming.add(link.watch());
    wake.signal();
  }

  /** Does not watch a link any more. Thread-safe. */
  public void forget(Link link) {
    link.watch().end();
    wake.signal();
  }

  /** Does work of a node from now on, until {@link #forget(Tended)}. Thread-safe. */
  public void tend(Tended work) {
    synchronized (this) {
      Tended[] more = Arrays.copyOf(tended, tended.length + 1);
      more[more.length - 1] = work;
      tended = more;
    }
    wake.signal();
  }

  /** Does not do this work any more; a last call may still run. Thread-safe. */
  public synchronized void forget(Tended work) {
    tended = Arrays.stream(tended).filter(one -> one != work).toArray(Tended[]::new);
  }

  /** A port has changed. Thread-safe. */
  public void wake() {
    wake.signal();
  }

  private void run() {
    while (!closed) {
      if (isWoken()) {
        wake.drain();
      }
      for (LinkWatch link = coming.poll(); link != null; link = coming.poll()) {
        links.add(link);
      }
      links.removeIf(LinkWatch::isOver);
      long now = System.nanoTime();
      long next = now + MOST_NS;
      boolean news = false;
      // without an iterator: a busy link has a look many times a second
      for (int i = 0; i < links.size(); i++) {
        LinkWatch link = links.get(i);
        next = Math.min(next, tend(link, now));
        news |= link.hasChanged();
      }
      long view = 0;
      for (Tended work : tended) {
        next = Math.min(next, tend(work, now));
        view = 31 * view + work.view();
      }
      if (news || view != tendedView) {
        tendedView = view;
        changed.run();
      }
      int ignored = epoll.await(events, next - System.nanoTime());
    }
  }

  private boolean isWoken() {
    for (int i = 0; i < events.count(); i++) {
      if (events.token(i) == WOKEN) {
        return true;
      }
    }
    return false;
  }

  private long tend(LinkWatch link, long now) {
    try {
      return link.tend(now, epoll);
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.log(System.Logger.Level.ERROR, "a port failed because of a defect of its transport", e);
      return now + MOST_NS;
    }
  }

  private long tend(Tended work, long now) {
    try {
      return work.tend(now);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "news of a ring failed because of a defect", e);
      return now + MOST_NS;
    }
  }

  /** Ends the thread. */
  @Override
  public void close() {
    closed = true;
    wake.signal();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    wake.close();
    epoll.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
