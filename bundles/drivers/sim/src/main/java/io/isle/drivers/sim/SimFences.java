package io.isle.drivers.sim;

import io.isle.api.driver.FenceProtocolSupport;
import io.isle.api.driver.Fences;

/**
 * Waits of submissions that the device keeps: what stands first in its context's queue begins when
 * all points that it waits for are reached. Allocates nothing.
 */
final class SimFences implements Fences {
  private final FenceProtocolSupport support;
  private final Units units;

  SimFences(long maxValue, Units units) {
    this.support = new FenceProtocolSupport(true, true, true, maxValue);
    this.units = units;
  }

  @Override
  public FenceProtocolSupport support() {
    return support;
  }

  @Override
  public void signalled(long timeline, long value) {
    for (SimContext context : units.served()) {
      long end = context.tail.get();
      for (long at = context.head.get(); at < end; at++) {
        if (context.at(at).reach(timeline, value, support)) {
          units.wake();
        }
      }
    }
  }

  @Override
  public void cancel(long tag) {
    for (SimContext context : units.served()) {
      long end = context.tail.get();
      for (long at = context.head.get(); at < end; at++) {
        Work work = context.at(at);
        if (work.tag == tag && work.waiting != 0) {
          work.cancelled = true;
          units.wake();
          return;
        }
      }
    }
  }
}
