package io.isle.api.fabric;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * The work of workers on packets, as a service with the property {@link #NAME_PROPERTY}. Each
 * worker has an {@link Instance} of its own.
 */
@ConsumerType
public interface RingStage {
  /** Property with the name of the stage, as in the setting {@code stage} of a node. */
  String NAME_PROPERTY = "isle.stage";

  /**
   * Makes the stage of one worker.
   *
   * @param payloadBytes bytes of a payload: of a packet without the 8 bytes of its header
   * @throws RingException if the stage cannot process such packets; the node fails
   */
  Instance open(int payloadBytes);

  /** The stage of one worker. Called by one thread at a time. */
  @ConsumerType
  interface Instance extends AutoCloseable {
    /**
     * Processes a payload in place. An exception is the failure of the node until the next {@link
     * #reset}; the packet is dropped.
     *
     * @param position position of the packet
     * @param payload little-endian
     */
    void process(int position, MemorySegment payload);

    /** The layers of the worker, at its begin and after each resize. */
    void resize(LayerRange range);

    /** Deletes state of earlier positions, before position 0. */
    default void reset() {}

    @Override
    default void close() {}
  }
}
