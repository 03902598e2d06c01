package io.isle.lib.agent;

import io.isle.lib.shm.AgentBells;
import java.lang.foreign.Arena;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** An agent that takes what it is given, one a cycle, and notes what its host does with it. */
final class Parcels implements Agent {
  final AgentBells bells = new AgentBells(Arena.ofAuto().allocate(4096, 64), Arena.ofAuto());
  final AtomicLong given = new AtomicLong();
  final AtomicLong taken = new AtomicLong();
  final AtomicInteger starts = new AtomicInteger();
  final CountDownLatch stopped = new CountDownLatch(1);
  final AtomicReference<Throwable> failure = new AtomicReference<>();
  final Set<String> threads = ConcurrentHashMap.newKeySet();
  final Set<Thread> inside = ConcurrentHashMap.newKeySet();
  volatile boolean wentWrong;
  volatile RuntimeException raise;
  volatile Set<Integer> wanted = Set.of();
  volatile CountDownLatch entered;
  volatile CountDownLatch stuck;
  private final String name;
  private Thread thread;

  Parcels(String name) {
    this.name = name;
  }

  void give() {
    long ignored = given.incrementAndGet();
    bells.ring();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void onStart() {
    int ignored = starts.incrementAndGet();
    thread = Thread.currentThread();
    ignored = threads.add(thread.getName()) ? 1 : 0;
  }

  @Override
  public Set<Integer> processors() {
    return wanted;
  }

  @Override
  public int doWork() {
    // one thread at a time, which was told that it is that thread
    wentWrong |= !inside.add(Thread.currentThread()) || inside.size() > 1;
    wentWrong |= Thread.currentThread() != thread;
    try {
      if (raise != null) {
        throw raise;
      }
      if (stuck != null) {
        entered.countDown();
        Waiting.on(stuck);
      }
      if (taken.get() >= given.get()) {
        return 0;
      }
      long ignored = taken.incrementAndGet();
      return 1;
    } finally {
      boolean ignored = inside.remove(Thread.currentThread());
    }
  }

  @Override
  public long cycleNs() {
    return System.nanoTime();
  }

  @Override
  public void onStop() {
    stopped.countDown();
  }

  @Override
  public void onFailure(Throwable cause) {
    failure.set(cause);
    stopped.countDown();
  }
}
