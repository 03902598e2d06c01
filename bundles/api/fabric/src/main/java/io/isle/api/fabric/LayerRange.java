package io.isle.api.fabric;

/**
 * The layers of a worker. Immutable.
 *
 * @param start first layer, 0 to {@code end}
 * @param end the layer behind the last, {@code start} to {@link #MAX_LAYERS}
 * @param tail whether the worker is the last of its ring
 */
public record LayerRange(int start, int end, boolean tail) {
  /** Most layers of a model. */
  public static final int MAX_LAYERS = 65536;

  /** Most ranges of one control message. */
  public static final int MAX_RANGES = 16;

  public LayerRange {
    if (start < 0 || end < start || end > MAX_LAYERS) {
      throw new IllegalArgumentException(
          "layers " + start + " to " + end + ": not within 0 <= start <= end <= " + MAX_LAYERS);
    }
  }
}
