package io.isle.sim;

import io.isle.api.device.Priority;
import java.util.ArrayDeque;
import java.util.Optional;

/** A context in the simulation: what its tenant submits, and what became of that. */
final class TenantRun {
  private final Scenario.Tenant spec;
  private final VirtualTime time;
  private final Work[] slots;
  private final Randomness random;
  private final double failures;

  /** Arrivals that did not fit into the queue, oldest first. */
  private final ArrayDeque<Long> backlog = new ArrayDeque<>();

  private VirtualDataPlane plane;
  private int index = -1;
  private boolean open;
  private Priority priority;
  private long contextId;
  private long base;
  private long seen;
  private long newestBegun;
  private long drawn;

  long submitted;
  long completed;
  long failed;
  long misses;

  /** Arrivals that found the queue full. */
  long deferred;

  long preemptions;

  /** Time on the device's engines. */
  long ranNs;

  /** In openings before. */
  private long throttledBefore;

  final Distribution waits = new Distribution();
  final Distribution latencies = new Distribution();
  final Promise promise = new Promise();

  TenantRun(Scenario.Tenant spec, VirtualTime time, long seed, double failures) {
    this.spec = spec;
    this.time = time;
    this.failures = failures;
    random = new Randomness(seed, spec.name());
    slots = new Work[spec.queue()];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = new Work(this);
    }
  }

  Scenario.Tenant spec() {
    return spec;
  }

  Randomness random() {
    return random;
  }

  /** The context is there, with the priority that it was admitted with. */
  void opened(VirtualDataPlane at, int c, Priority admitted) {
    priority = admitted;
    plane = at;
    index = c;
    contextId = at.contextId(c);
    base = at.offset(c);
    seen = 0;
    newestBegun = 0;
    open = true;
  }

  /** Empty before it came. */
  Optional<Priority> priority() {
    return Optional.ofNullable(priority);
  }

  /** It is about to be forgotten. */
  void closes() {
    throttledBefore = throttledNs();
    open = false;
  }

  /** It is gone; what it could not submit any more is late for ever. */
  void closed() {
    index = -1;
    misses += spec.deadlineNs() > 0 ? backlog.size() : 0;
    time.tenants().waiting(-backlog.size());
    backlog.clear();
  }

  /** The simulation is over: what has not ended took so long at least. */
  void over(long nowNs) {
    backlog.forEach(arrivedNs -> addOpen(nowNs - arrivedNs, nowNs - arrivedNs));
    long newest = seen + unended();
    for (long point = seen + 1; point <= newest; point++) {
      Work work = slots[slot(point)];
      long begunNs = work.hasBegun() ? work.beganNs() : nowNs;
      addOpen(begunNs - work.arrivedNs(), nowNs - work.arrivedNs());
    }
  }

  private void addOpen(long wait, long latency) {
    waits.addOpen(wait);
    latencies.addOpen(latency);
    if (isLate(latency)) {
      misses++;
    }
  }

  private boolean isLate(long latency) {
    return spec.deadlineNs() > 0 && latency > spec.deadlineNs();
  }

  /** Until it is about to be forgotten. */
  boolean isOpen() {
    return open;
  }

  /** Index on its device; -1 while it is not open. */
  int index() {
    return index;
  }

  long contextId() {
    return contextId;
  }

  long limitNs() {
    return spec.limitNs();
  }

  Work work(long offset) {
    return slots[(int) ((offset - base) / VirtualDataPlane.SLOT_BYTES)];
  }

  /** A submission has come. */
  void arrive(long nowNs) {
    if (!backlog.isEmpty() || !takes()) {
      deferred++;
      time.tenants().waiting(1);
      backlog.add(nowNs);
    } else {
      submit(nowNs);
    }
  }

  /** Also that what has ended was looked at: its entry is used again. */
  private boolean takes() {
    return plane.takes(index) && plane.submitted(index) - seen < slots.length;
  }

  private void submit(long arrivedNs) {
    long service = random.draw(spec.service(), drawn++);
    boolean fails = failures > 0 && random.fraction() < failures;
    if (fails) {
      service = random.between(0, service);
    }
    long point = plane.submitted(index) + 1;
    slots[slot(point)].arrive(point, arrivedNs, service, fails);
    plane.submit(index);
    submitted++;
  }

  private int slot(long point) {
    return (int) (point - 1) & slots.length - 1;
  }

  /** A submission has begun, after all that were made before it. */
  void began(long point) {
    if (point <= newestBegun) {
      throw new IllegalStateException(
          spec.name() + ": submission " + point + " begins after " + newestBegun);
    }
    newestBegun = point;
  }

  /** Submissions that have not ended. */
  long unended() {
    return index < 0 ? 0 : plane.submitted(index) - seen;
  }

  /** Submits what fits of what has come; returns how many. */
  int refill(long nowNs) {
    int count = 0;
    boolean floods = spec.arrivals() instanceof Scenario.Arrivals.Flood;
    while ((floods || !backlog.isEmpty()) && takes()) {
      if (backlog.isEmpty()) {
        submit(nowNs);
      } else {
        time.tenants().waiting(-1);
        submit(backlog.poll());
      }
      count++;
    }
    return count;
  }

  /** Looks at what has ended since; returns how many did. */
  int collect(long nowNs) {
    long ended = plane.ended(index);
    int count = (int) (ended - seen);
    while (seen < ended) {
      seen++;
      Work work = slots[slot(seen)];
      end(nowNs, work, plane.status(index, seen));
      work.end(seen);
    }
    return count;
  }

  private void end(long nowNs, Work work, int code) {
    long latency = nowNs - work.arrivedNs();
    if (code == 0) {
      completed++;
      latencies.add(latency);
    } else {
      failed++;
    }
    if (work.hasBegun()) {
      waits.add(work.beganNs() - work.arrivedNs());
    }
    if (isLate(latency) || (spec.deadlineNs() > 0 && code != 0)) {
      misses++;
    }
  }

  void ran(long ns) {
    ranNs += ns;
  }

  void preempted() {
    preemptions++;
  }

  /** How long a ceiling has kept it. */
  long throttledNs() {
    return throttledBefore + (isOpen() ? plane.scheduler().readings().throttledNs(index) : 0);
  }
}
