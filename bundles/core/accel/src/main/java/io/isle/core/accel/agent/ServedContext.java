package io.isle.core.accel.agent;

import io.isle.core.accel.memory.Memories;
import io.isle.core.accel.queue.QueueRecord;

/** A context, as the agent's control operations know it. */
public interface ServedContext {
  QueueRecord record();

  Memories memory();
}
