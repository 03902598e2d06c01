package io.isle.fabric.impair;

import io.isle.api.fabric.ImpairmentInfo;
import io.isle.api.fabric.RingException;
import io.isle.fabric.impair.ImpairSettings.Faults;
import io.isle.lib.ffi.EventDescriptor;
import io.isle.lib.ffi.PollSet;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A relay with its thread, {@code isle-impair-NAME}. Thread-safe. */
final class RelayThread implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RelayThread.class.getName());

  /** Between two attempts to take the addresses. */
  private static final long AGAIN_NS = 500_000_000;

  private final String name;
  private final ImpairSettings.Way way;
  private final boolean datagrams;
  private final Tally tally = new Tally();
  private final EventDescriptor wake = new EventDescriptor();
  private final PollSet set = new PollSet(Relay.MOST_DESCRIPTORS);
  private final Queue<Runnable> orders = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile ImpairSettings settings;
  private volatile Relay relay;
  private volatile String reason = "the relay has not begun yet";
  private volatile boolean closed;

  RelayThread(String name, ImpairSettings settings) {
    this.name = name;
    this.settings = settings;
    this.way = settings.way();
    this.datagrams = settings.datagrams();
    thread = Thread.ofPlatform().daemon().name("isle-impair-" + name).start(this::run);
  }

  ImpairSettings settings() {
    return settings;
  }

  /** Whether other settings are possible without a new relay. */
  boolean canChangeTo(ImpairSettings other) {
    return other.way().equals(way) && other.datagrams() == datagrams;
  }

  /** Other impairments from now on. */
  void change(ImpairSettings to) {
    settings = to;
    Faults faults = to.faults();
    order(
        () -> {
          if (relay != null) {
            relay.faults(faults);
          }
        });
  }

  /** Cuts all connections. */
  void cut() {
    order(
        () -> {
          if (relay != null) {
            relay.cut();
          }
        });
  }

  private void order(Runnable order) {
    orders.add(order);
    wake.signal();
  }

  private void run() {
    try {
      while (!closed) {
        open();
        serve();
      }
    } finally {
      if (relay != null) {
        relay.close();
      }
    }
  }

  /** Takes the addresses; the reason says why not. */
  private void open() {
    try {
      Endpoints endpoints = new Endpoints(way);
      relay =
          datagrams
              ? new DatagramRelay(endpoints, settings.faults(), tally)
              : new StreamRelay(endpoints, settings.faults(), tally);
      reason = "";
    } catch (RingException e) {
      if (!reason.equals(e.getMessage())) {
        LOG.log(System.Logger.Level.WARNING, "impairment relay {0}: {1}", name, e.getMessage());
      }
      reason = e.getMessage();
    }
  }

  private void serve() {
    set.set(0, wake.descriptor(), PollSet.POLLIN);
    do {
      for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
        order.run();
      }
      long now = System.nanoTime();
      long next = now + AGAIN_NS;
      int count = 1;
      if (relay != null) {
        relay.work(now);
        next = Math.min(next, relay.nextNs());
        count = relay.collect(set, 1);
      }
      int ignored = set.await(count, next - System.nanoTime());
      if (set.happened(0) != 0) {
        long _ = wake.drain();
      }
    } while (!closed && relay != null);
  }

  ImpairmentInfo info() {
    Relay now = relay;
    return new ImpairmentInfo(
        name,
        way.listen(),
        way.to(),
        now != null,
        reason,
        now == null ? 0 : now.connections(),
        tally.get(Tally.Event.PASSED),
        tally.get(Tally.Event.BYTES),
        tally.get(Tally.Event.LOST),
        tally.get(Tally.Event.DUPLICATED),
        tally.get(Tally.Event.REORDERED),
        tally.get(Tally.Event.CORRUPTED),
        tally.get(Tally.Event.SWALLOWED),
        tally.get(Tally.Event.OVERFLOWED),
        tally.get(Tally.Event.CUTS));
  }

  /** Ends the thread; sockets are closed when the call returns. */
  @Override
  public void close() {
    closed = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      wake.signal();
      try {
        thread.join(100);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    wake.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
