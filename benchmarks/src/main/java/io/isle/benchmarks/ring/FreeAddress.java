package io.isle.benchmarks.ring;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Addresses of this machine that nobody uses at the moment. */
final class FreeAddress {
  private static final AtomicInteger NAMES = new AtomicInteger();

  private FreeAddress() {}

  /** An address of a transport, as in the setting {@code listen} of a node. */
  static String of(String transport) throws IOException {
    return transport.equals("shm")
        ? "shm://isle-bench-" + ProcessHandle.current().pid() + "-" + NAMES.incrementAndGet()
        : transport + "://127.0.0.1:" + FreePort.any();
  }
}
