package io.isle.benchmarks.ring;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Bytes that all threads of this process have allocated so far. */
final class Allocated {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocated() {}

  static double bytes() {
    return THREADS.getTotalThreadAllocatedBytes();
  }
}
