package io.isle.fabric.jobs;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Impairments;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingPlan;
import io.isle.api.jobs.ActionValues;
import io.isle.lib.ffi.ChildProcess;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

/** Faults and changes of the rings of jobs. Thread-safe. */
final class RingEvents {
  private static final long PROCESS_NS = TimeUnit.SECONDS.toNanos(10);
  private static final long LOOK_MS = 5;

  private final RingAdmin admin;
  private final Drives drives;
  private final TransportBundles bundles;
  private final PathCut cut;

  RingEvents(RingAdmin admin, Impairments relays, Drives drives, TransportBundles bundles) {
    this.admin = admin;
    this.drives = drives;
    this.bundles = bundles;
    cut = new PathCut(admin, relays);
  }

  /**
   * Brings an event about.
   *
   * @throws io.isle.api.base.IsleException if it is impossible
   */
  void happen(RingPlan ring, String event, ActionValues values) throws InterruptedException {
    switch (event) {
      case EventKeys.KILL -> kill(ring, values.text(EventKeys.NODE));
      case EventKeys.HANG ->
          hang(ring, values.text(EventKeys.NODE), values.whole(EventKeys.FOR_MS));
      case EventKeys.CUT -> cut(ring, values.text(EventKeys.NODE), values.whole(EventKeys.FOR_MS));
      case EventKeys.RESTART -> bundles.update(values.text(EventKeys.TRANSPORT));
      case EventKeys.RESIZE ->
          drives
              .await(ring.name())
              .resize(
                  Arrays.stream(EventKeys.numbers(values.text(EventKeys.BOUNDARIES)))
                      .boxed()
                      .toList());
      case EventKeys.SWITCH -> {
        // by the names of nodes: another ring may have a node with the name of this ring
        List<String> moving =
            values.has(EventKeys.NODE) ? List.of(values.text(EventKeys.NODE)) : ring.names();
        for (String node : moving) {
          List<String> _ = admin.move(node, values.text(EventKeys.TRANSPORT));
        }
      }
      default -> throw new IllegalStateException("rings have no event " + event);
    }
  }

  private void kill(RingPlan ring, String node) throws InterruptedException {
    signal(ring, EventKeys.KILL, node, ChildProcess::kill);
  }

  private void hang(RingPlan ring, String node, long ms) throws InterruptedException {
    long pid = signal(ring, EventKeys.HANG, node, ChildProcess::stop);
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } finally {
      // one that was killed meanwhile has nothing to go on with
      boolean ignored = ChildProcess.resume(pid);
    }
  }

  /** A process that begins just now is waited for. */
  private long signal(RingPlan ring, String event, String node, LongPredicate signal)
      throws InterruptedException {
    long end = System.nanoTime() + PROCESS_NS;
    while (true) {
      var pid = admin.process(node).orElseThrow(() -> shared(node)).pid();
      long before = System.nanoTime();
      if (pid.isPresent() && signal.test(pid.getAsLong())) {
        drives.happened(ring.name(), new FaultMoment(event, List.of(node), before));
        return pid.getAsLong();
      }
      if (System.nanoTime() - end >= 0) {
        throw new RingException(
            Errno.ENOENT, node + ": its process does not run; see ring:status " + node);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  private static RingException shared(String node) {
    return new RingException(Errno.EPERM, node + ": runs in the platform's process");
  }

  private void cut(RingPlan ring, String node, long ms) throws InterruptedException {
    List<String> names = ring.names();
    String next = names.get((names.indexOf(node) + 1) % names.size());
    cut.run(
        node,
        ms,
        () ->
            drives.happened(
                ring.name(),
                new FaultMoment(EventKeys.CUT, List.of(node, next), System.nanoTime())));
  }
}
