package io.isle.fabric.ring.process;

import java.util.function.BooleanSupplier;

/** Starts processes of nodes. Thread-safe. */
interface NodeStarter {
  /**
   * Starts a process and waits until it is connected. The kernel kills the process at the end of
   * the calling thread.
   *
   * @param heapBytes most bytes of Java objects
   * @param givenUp ends the wait
   * @throws io.isle.api.fabric.RingException with the reason; nothing of the process is left
   */
  NodeChild start(String node, long heapBytes, BooleanSupplier givenUp);
}
