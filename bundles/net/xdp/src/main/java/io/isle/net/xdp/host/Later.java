package io.isle.net.xdp.host;

import java.time.Duration;

/** Runs work after a while, on one thread. */
@FunctionalInterface
interface Later {
  void run(Duration delay, Runnable work);
}
