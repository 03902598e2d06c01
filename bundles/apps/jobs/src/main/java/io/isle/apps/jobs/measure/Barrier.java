package io.isle.apps.jobs.measure;

import io.isle.api.accel.Context;
import io.isle.apps.jobs.platform.Threads;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps that begin together, when the last of them is ready. What each group gets of the devices is
 * measured from when the last has filled its queue until the first has no more to submit. Whatever
 * is thrown while it measures ends that, and the steps go on without. Thread-safe.
 */
public final class Barrier {
  private static final Logger LOG = LoggerFactory.getLogger(Barrier.class);

  private final String threadName;
  private final CountDownLatch ready;
  private final CountDownLatch open = new CountDownLatch(1);
  private final Map<String, GroupWork> groups = new LinkedHashMap<>();
  private final List<Member> members = new ArrayList<>();
  private List<OptionalLong> before = List.of();
  private List<OptionalLong> after = List.of();
  private Thread thread;
  private int filled;
  private boolean closing;
  private long openNs;
  private long fromNs;
  private long closeNs;

  /** Nothing is measured any more. */
  private boolean failed;

  private record Member(
      String group, String device, Context context, int interruptions, GroupWork work) {}

  /**
   * What a group got.
   *
   * @param devices of which
   */
  record Share(OptionalLong cpuNs, Set<String> devices, GroupWork work) {}

  /**
   * @param threadName of the thread that measures
   * @param steps that it waits for
   */
  Barrier(String threadName, int steps) {
    this.threadName = threadName;
    ready = new CountDownLatch(steps);
  }

  /**
   * Comes to the barrier and waits until it opens.
   *
   * @param context that the step's work runs in, on the device
   * @param step takes a listener, which hears of the step's work from now on
   * @return the work of the step's group
   */
  public GroupWork join(String group, String device, Context context, Consumer<WorkListener> step)
      throws InterruptedException {
    GroupWork work;
    synchronized (this) {
      work = groups.computeIfAbsent(group, key -> new GroupWork());
      step.accept(work);
      members.add(new Member(group, device, context, context.interruptions(), work));
      ready.countDown();
      if (ready.getCount() == 0) {
        thread = Thread.ofPlatform().name(threadName).start(this::measure);
        openNs = System.nanoTime();
        open.countDown();
      }
    }
    open.await();
    return work;
  }

  private synchronized List<Context> contexts() {
    return members.stream().map(Member::context).toList();
  }

  /** When it opened, of {@link System#nanoTime}. */
  public synchronized long openNs() {
    return openNs;
  }

  /** A step has as much on its way as it may; once for each. */
  public synchronized void filled() {
    filled++;
    notifyAll();
  }

  /**
   * The time of a step is up. It goes on until the counters are read: else queues would run dry
   * meanwhile.
   *
   * @return whether they are
   */
  public synchronized boolean timeUp() {
    closing = true;
    notifyAll();
    return closeNs != 0 || failed;
  }

  /** A step has no more to submit, that of the first counts; waits until the counters are read. */
  public synchronized void close() throws InterruptedException {
    while (!timeUp()) {
      wait();
    }
  }

  /** In a thread of its own, so that all steps go on meanwhile. */
  private void measure() {
    try {
      synchronized (this) {
        while (filled < members.size() && !closing) {
          wait();
        }
      }
      long begun = System.nanoTime();
      List<OptionalLong> first = CpuTime.read(contexts());
      synchronized (this) {
        before = first;
        fromNs = begun + (System.nanoTime() - begun) / 2;
        groups.values().forEach(GroupWork::open);
        while (!closing) {
          wait();
        }
      }
      begun = System.nanoTime();
      List<OptionalLong> last = CpuTime.read(contexts());
      synchronized (this) {
        after = last;
        closeNs = begun + (System.nanoTime() - begun) / 2;
        groups.values().forEach(GroupWork::close);
        notifyAll();
      }
    } catch (InterruptedException e) {
      // The job ends without having been measured.
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  /** The steps do not wait for it. */
  private void fail(Throwable thrown) {
    synchronized (this) {
      failed = true;
      notifyAll();
    }
    LOG.error("{}: the measurement failed with an unexpected error", threadName, thrown);
  }

  /** Ends what measures; all steps have ended. */
  void stop() {
    Thread started;
    synchronized (this) {
      started = thread;
    }
    if (started == null) {
      return;
    }
    started.interrupt();
    Threads.join(started);
  }

  synchronized boolean isClosed() {
    return closeNs != 0;
  }

  /** When the measured time began. */
  synchronized long fromNs() {
    return fromNs;
  }

  synchronized long windowNs() {
    return closeNs - fromNs;
  }

  synchronized long idleNs(String group) {
    return groups.get(group).idleNs(fromNs, closeNs);
  }

  /**
   * What each group got, by group; of a context that a recovery took its counters from, nothing is
   * known.
   */
  synchronized Map<String, Share> shares() {
    Map<String, Share> shares = new LinkedHashMap<>();
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      OptionalLong spent = OptionalLong.empty();
      boolean whole = member.context().interruptions() == member.interruptions();
      if (CpuTime.isCounted(member.device())
          && whole
          && before.get(i).isPresent()
          && after.get(i).isPresent()) {
        spent = OptionalLong.of(after.get(i).getAsLong() - before.get(i).getAsLong());
      }
      Share share = new Share(spent, Set.of(member.device()), member.work());
      shares.merge(member.group(), share, Barrier::sum);
    }
    return shares;
  }

  private static Share sum(Share a, Share b) {
    boolean known = a.cpuNs().isPresent() && b.cpuNs().isPresent();
    Set<String> devices = new HashSet<>(a.devices());
    devices.addAll(b.devices());
    return new Share(
        known
            ? OptionalLong.of(a.cpuNs().getAsLong() + b.cpuNs().getAsLong())
            : OptionalLong.empty(),
        devices,
        a.work());
  }
}
