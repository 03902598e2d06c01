package io.isle.apps.chaos.work;

import io.isle.apps.chaos.plan.Machine;
import io.isle.apps.chaos.platform.Core;
import io.isle.apps.chaos.platform.Uninterrupted;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * All guests of a run, each on a thread: one tenant of each manner on each device, and whoever
 * looks at a screen where there is one.
 */
public final class Crowd implements AutoCloseable {
  private static final long PATIENCE_MS = TimeUnit.SECONDS.toMillis(90);
  private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(10);

  private final Recorder recorder;
  private final List<Guest> guests = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  public Crowd(Core core, Recorder recorder, List<Machine> machines, long seed) {
    this.recorder = recorder;
    for (Machine machine : machines) {
      String id = machine.id();
      for (Manner manner : Manner.values()) {
        Tenant tenant = new Tenant(core, recorder, id, manner, 31 * seed + guests.size());
        add(tenant, "chaos-tenant-" + id + "-" + manner);
      }
      if (machine.display()) {
        add(new Spectator(core, recorder, id), "chaos-spectator-" + id);
      }
    }
  }

  private void add(Guest guest, String name) {
    guests.add(guest);
    threads.add(Thread.ofPlatform().daemon().name(name).unstarted(guest));
  }

  public void start() {
    threads.forEach(Thread::start);
  }

  /** Lets everybody finish what is under way and close. */
  public void stop() throws InterruptedException {
    guests.forEach(Guest::stop);
    for (Thread thread : join(PATIENCE_MS)) {
      recorder.problem("stuck: " + thread.getName() + " does not end");
      thread.interrupt();
    }
  }

  /** Ends without waiting for work: what is under way ends with its context. */
  @Override
  public void close() {
    guests.forEach(Guest::abandon);
    threads.forEach(Thread::interrupt);
    List<Thread> ignored = Uninterrupted.get(() -> join(CLOSE_MS));
  }

  /** Waits for all threads, that long at most; those that are left. */
  private List<Thread> join(long ms) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
    }
    return threads.stream().filter(Thread::isAlive).toList();
  }
}
