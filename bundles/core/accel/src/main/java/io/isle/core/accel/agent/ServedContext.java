package io.isle.core.accel.agent;

import io.isle.core.accel.memory.Memories;
import io.isle.core.accel.queue.Seat;

/** A context, as the agent's control operations know it. */
public interface ServedContext {
  Seat seat();

  Memories memory();
}
