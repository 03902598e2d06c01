package io.isle.core.accel.agent;

import io.isle.api.driver.PageRetirement;
import io.isle.core.accel.memory.DeviceMemory;
import io.isle.core.accel.queue.QueueRecord;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Puts healthy memory in the place of a context's bad pages: what was on them is lost, or restored
 * where the core keeps it. On the control lane, while nothing of the context is on the device.
 */
final class PageReplacement {
  private final PageRetirement retirement;
  private final ServedContext context;
  private final Map<PageRetirement.Range, DeviceMemory> pages = new LinkedHashMap<>();

  PageReplacement(PageRetirement retirement, ServedContext context) {
    this.retirement = retirement;
    this.context = context;
    for (PageRetirement.Range range : retirement.faulty()) {
      context.memory().find(range.memory()).ifPresent(memory -> pages.put(range, memory));
    }
  }

  /**
   * Replaces all of them.
   *
   * @throws io.isle.api.driver.DriverException when the device does not replace one
   */
  void run() {
    if (pages.isEmpty()) {
      return;
    }
    // a flush is refused meanwhile, which must be worth a wait
    context.record().depart();
    try {
      pages.values().forEach(DeviceMemory::beginRetirement);
      lose();
      for (Map.Entry<PageRetirement.Range, DeviceMemory> page : pages.entrySet()) {
        PageRetirement.Range range = page.getKey();
        try {
          retirement.retire(range);
        } finally {
          // it may have come half-way
          page.getValue().restore(range.offset(), range.length());
        }
      }
    } finally {
      pages.values().forEach(DeviceMemory::endRetirement);
      context.record().stay();
    }
    context.memory().refreshLossy();
  }

  /** At once, and before they read as zeros: a submission is admitted before or after it all. */
  private void lose() {
    QueueRecord record = context.record();
    synchronized (record) {
      boolean some = false;
      for (Map.Entry<PageRetirement.Range, DeviceMemory> page : pages.entrySet()) {
        if (!page.getValue().retained()) {
          page.getValue().lose(page.getKey().offset(), page.getKey().length());
          some = true;
        }
      }
      if (some) {
        record.lostContents();
      }
    }
  }
}
