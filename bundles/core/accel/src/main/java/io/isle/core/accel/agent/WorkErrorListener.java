package io.isle.core.accel.agent;

import io.isle.core.accel.queue.QueueRecord;

/** Hears of work that ended with an error of its driver; not on the agent's thread. */
@FunctionalInterface
public interface WorkErrorListener {
  /**
   * @param count how many there were on the device so far, those that were not told among them
   */
  void failed(QueueRecord record, long point, long count);
}
