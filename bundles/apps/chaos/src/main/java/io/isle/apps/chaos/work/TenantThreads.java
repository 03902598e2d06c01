package io.isle.apps.chaos.work;

import io.isle.apps.chaos.plan.Machine;
import io.isle.apps.chaos.platform.Core;
import io.isle.apps.chaos.platform.Uninterrupted;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * All users of devices in a run, each on a thread: one tenant of each profile on each device, and a
 * display tenant where the device has a screen.
 */
public final class TenantThreads implements AutoCloseable {
  private static final long PATIENCE_MS = TimeUnit.SECONDS.toMillis(90);
  private static final long CLOSE_MS = TimeUnit.SECONDS.toMillis(10);

  private final Recorder recorder;
  private final List<DeviceUser> users = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  public TenantThreads(Core core, Recorder recorder, List<Machine> machines, long seed) {
    this.recorder = recorder;
    for (Machine machine : machines) {
      String id = machine.id();
      for (TenantProfile profile : TenantProfile.values()) {
        Tenant tenant = new Tenant(core, recorder, id, profile, 31 * seed + users.size());
        add(tenant, "chaos-tenant-" + id + "-" + profile);
      }
      if (machine.display()) {
        add(new DisplayTenant(core, recorder, id), "chaos-display-" + id);
      }
    }
  }

  private void add(DeviceUser user, String name) {
    users.add(user);
    threads.add(Thread.ofPlatform().daemon().name(name).unstarted(user));
  }

  public void start() {
    threads.forEach(Thread::start);
  }

  /** Lets all users finish their work and close. */
  public void stop() throws InterruptedException {
    users.forEach(DeviceUser::stop);
    for (Thread thread : join(PATIENCE_MS)) {
      recorder.problem("stuck: " + thread.getName() + " does not end");
      thread.interrupt();
    }
  }

  /** Ends without waiting for work: what is under way ends with its context. */
  @Override
  public void close() {
    users.forEach(DeviceUser::abandon);
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
