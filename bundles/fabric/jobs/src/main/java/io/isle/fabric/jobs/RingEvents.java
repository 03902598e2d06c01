package io.isle.fabric.jobs;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Impairments;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingPlan;
import io.isle.api.jobs.ActionValues;
import io.isle.lib.ffi.ChildProcess;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

/** Faults and changes of the rings of jobs. Thread-safe. */
final class RingEvents {
  private static final long MOVE_NS = TimeUnit.SECONDS.toNanos(10);
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
      case EventKeys.SWITCH ->
          move(
              ring,
              values.has(EventKeys.NODE) ? values.text(EventKeys.NODE) : ring.name(),
              values.text(EventKeys.TRANSPORT));
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

  /** Moves links, and waits until each of them has a new path. */
  private void move(RingPlan ring, String name, String transport) throws InterruptedException {
    Map<String, Long> before = new HashMap<>();
    for (RingNodeInfo node : admin.nodes()) {
      boolean moves = node.ring().equals(ring.name()) && !uses(node, transport);
      if (moves && (name.equals(ring.name()) || name.equals(node.name()))) {
        before.put(node.name(), node.next().counters().paths());
      }
    }
    List<String> changed = admin.move(name, transport);
    long end = System.nanoTime() + MOVE_NS;
    while (!changed.isEmpty()) {
      List<RingNodeInfo> waiting =
          admin.nodes().stream()
              .filter(
                  node ->
                      before.containsKey(node.name())
                          && node.next().counters().paths() <= before.get(node.name()))
              .toList();
      if (waiting.isEmpty()) {
        return;
      }
      if (System.nanoTime() - end >= 0) {
        throw new RingException(
            Errno.ETIMEDOUT,
            waiting.getFirst().name()
                + " does not reach its next node by "
                + transport
                + ": "
                + waiting.getFirst().links());
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  private static boolean uses(RingNodeInfo node, String transport) {
    return node.next().addresses().stream().allMatch(one -> one.startsWith(transport + "://"));
  }
}
