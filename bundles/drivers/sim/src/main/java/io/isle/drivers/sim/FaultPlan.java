package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.FaultInjection;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Planned faults. SEGV, ABORT and EXIT are the loss of the device: its units stop, the core is told
 * so, and what is in flight is left to the core; the JVM goes on.
 */
final class FaultPlan implements FaultInjection {
  private static final int MAX = 16;

  /** A fault that a submission meets. */
  record Met(Fault fault, long value) {}

  private static final class Planned {
    final Fault fault;
    final long value;
    long after;
    long count;

    Planned(Fault fault, long after, long count, long value) {
      this.fault = fault;
      this.after = after;
      this.count = count;
      this.value = value;
    }
  }

  private final List<Planned> plan = new ArrayList<>();
  private volatile boolean armed;

  @Override
  public synchronized void inject(Fault fault, long after, long count, long value) {
    if (after < 0 || count < 1 || value < 0) {
      throw new DriverException(
          Errno.EINVAL,
          "after "
              + after
              + ", count "
              + count
              + ", value "
              + value
              + ": count is at least 1, the"
              + " others at least 0");
    }
    if (fault == Fault.HOTPLUG) {
      throw new DriverException(Errno.EINVAL, "hotplug: the device has no display");
    }
    if (plan.size() >= MAX) {
      throw new DriverException(
          Errno.ENOSPC, MAX + " planned faults exist already, the most of one device");
    }
    plan.add(new Planned(fault, after, count, value));
    armed = true;
  }

  /** Called once a submission. */
  Optional<Met> next() {
    return armed ? take() : Optional.empty();
  }

  private synchronized Optional<Met> take() {
    Optional<Met> met = Optional.empty();
    for (Iterator<Planned> it = plan.iterator(); it.hasNext(); ) {
      Planned planned = it.next();
      if (planned.after > 0) {
        planned.after--;
      } else if (met.isEmpty()) {
        met = Optional.of(new Met(planned.fault, planned.value));
        if (--planned.count == 0) {
          it.remove();
        }
      }
    }
    armed = !plan.isEmpty();
    return met;
  }

  synchronized void clear() {
    plan.clear();
    armed = false;
  }
}
