package io.isle.fabric.jobs;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Component;

/**
 * Where the steps of jobs and the events on rings meet: which step sends packets round a ring, and
 * which faults its ring had. Thread-safe.
 */
@Component(service = Drives.class)
public final class Drives {
  private static final long WAIT_NS = TimeUnit.MINUTES.toNanos(1);

  private final Map<String, RingStep> running = new HashMap<>();
  private final Map<String, List<FaultMoment>> faults = new HashMap<>();

  synchronized void begin(String ring, RingStep step) {
    running.put(ring, step);
    notifyAll();
  }

  synchronized void end(String ring) {
    running.remove(ring);
  }

  /**
   * The step that sends packets round a ring; waits for one.
   *
   * @throws RingException ETIMEDOUT after a minute without one
   */
  synchronized RingStep await(String ring) throws InterruptedException {
    long end = System.nanoTime() + WAIT_NS;
    while (!running.containsKey(ring)) {
      long rest = end - System.nanoTime();
      if (rest <= 0) {
        throw new RingException(Errno.ETIMEDOUT, "no step sends packets round the ring " + ring);
      }
      TimeUnit.NANOSECONDS.timedWait(this, rest);
    }
    return running.get(ring);
  }

  synchronized void happened(String ring, FaultMoment fault) {
    faults.computeIfAbsent(ring, any -> new ArrayList<>()).add(fault);
  }

  /** The faults of a ring that a job has made, oldest first. */
  synchronized List<FaultMoment> faults(String ring) {
    return List.copyOf(faults.getOrDefault(ring, List.of()));
  }

  /** A ring is removed. */
  synchronized void forget(String ring) {
    faults.remove(ring);
  }
}
