package io.isle.apps.chaos.work;

import io.isle.apps.chaos.plan.Machine;
import io.isle.apps.chaos.platform.Core;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All tenants of a run: one of each manner on each device, each on a thread. */
public final class Crowd implements AutoCloseable {
  private static final long PATIENCE_MS = TimeUnit.SECONDS.toMillis(90);
  private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(10);

  private final Recorder recorder;
  private final List<Tenant> tenants = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  public Crowd(Core core, Recorder recorder, List<Machine> machines, long seed) {
    this.recorder = recorder;
    for (Machine machine : machines) {
      for (Manner manner : Manner.values()) {
        Tenant tenant =
            new Tenant(core, recorder, machine.id(), manner, 31 * seed + tenants.size());
        tenants.add(tenant);
        threads.add(
            Thread.ofPlatform()
                .daemon()
                .name("chaos-tenant-" + machine.id() + "-" + manner)
                .unstarted(tenant));
      }
    }
  }

  public void start() {
    threads.forEach(Thread::start);
  }

  /** Lets everybody finish what is under way and close. */
  public void stop() throws InterruptedException {
    tenants.forEach(Tenant::stop);
    for (Thread thread : join(PATIENCE_MS)) {
      recorder.problem("stuck: " + thread.getName() + " does not end");
      thread.interrupt();
    }
  }

  /** Ends without waiting for work: what is under way ends with its context. */
  @Override
  public void close() {
    tenants.forEach(Tenant::stop);
    threads.forEach(Thread::interrupt);
    try {
      join(CLOSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
