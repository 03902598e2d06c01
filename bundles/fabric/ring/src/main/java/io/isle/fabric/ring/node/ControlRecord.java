package io.isle.fabric.ring.node;

import io.isle.api.fabric.LayerRange;
import java.util.List;
import java.util.function.Supplier;

/** Records the control calls of an endpoint, on the thread of the call. */
@FunctionalInterface
public interface ControlRecord {
  /**
   * Runs a resize and records its outcome.
   *
   * @param boundaries as the tenant gave them
   */
  List<LayerRange> resize(List<Integer> boundaries, Supplier<List<LayerRange>> work);
}
