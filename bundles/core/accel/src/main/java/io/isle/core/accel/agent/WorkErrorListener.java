package io.isle.core.accel.agent;

import io.isle.core.accel.queue.Seat;

/** Hears of work that ended with an error of its driver; not on the agent's thread. */
@FunctionalInterface
public interface WorkErrorListener {
  /**
   * @param count how many there were on the device so far, those that were not told among them
   */
  void failed(Seat seat, long point, long count);
}
