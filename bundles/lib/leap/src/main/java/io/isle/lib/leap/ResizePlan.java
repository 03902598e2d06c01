package io.isle.lib.leap;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * How a master divides the layers of a model: itself has the layers before the first boundary.
 * Immutable.
 */
public final class ResizePlan {
  private final int[] bounds;
  private final boolean chain;
  private final int layers;

  private ResizePlan(int[] bounds, boolean chain, int layers) {
    this.bounds = bounds;
    this.chain = chain;
    this.layers = layers;
  }

  /**
   * One boundary: one worker from there to the end. Two: one worker between them. More, n: a chain
   * of n - 1 workers.
   *
   * @param layers layers of the model, 1 to 65536
   * @param boundaries 1 to 17 increasing numbers from 1 to {@code layers}
   * @throws IllegalArgumentException with the wrong boundary and its limit
   */
  public static ResizePlan of(int layers, int... boundaries) {
    if (layers < 1 || layers > Control.MAX_LAYERS) {
      throw new IllegalArgumentException(
          "layers " + layers + " is not in 1.." + Control.MAX_LAYERS + ": the setting layers");
    }
    if (boundaries.length < 1 || boundaries.length > Control.MAX_WORKERS + 1) {
      throw new IllegalArgumentException(
          boundaries.length
              + " boundaries: a resize has 1 to "
              + (Control.MAX_WORKERS + 1)
              + ", for at most "
              + Control.MAX_WORKERS
              + " workers");
    }
    int before = 0;
    for (int i = 0; i < boundaries.length; i++) {
      int boundary = boundaries[i];
      if (boundary < 1 || boundary > layers) {
        throw new IllegalArgumentException(
            "boundary " + (i + 1) + " is " + boundary + ", not in 1.." + layers + " (layers)");
      }
      if (boundary <= before) {
        throw new IllegalArgumentException(
            "boundary " + (i + 1) + " is " + boundary + ", not above " + before + " before it");
      }
      before = boundary;
    }
    int[] bounds = boundaries.length == 1 ? new int[] {boundaries[0], layers} : boundaries.clone();
    return new ResizePlan(bounds, boundaries.length > 2, layers);
  }

  /** Number of workers, 1 to 16. */
  public int workers() {
    return bounds.length - 1;
  }

  /** First layer of a worker. */
  public int start(int worker) {
    return bounds[Objects.checkIndex(worker, workers())];
  }

  /** The layer behind the last of a worker. */
  public int end(int worker) {
    return bounds[Objects.checkIndex(worker, workers()) + 1];
  }

  /** Whether a worker is the tail: it ends with the last layer of the model. */
  public boolean tail(int worker) {
    return end(worker) == layers;
  }

  /** The layer behind the master's last. */
  public int masterEnd() {
    return bounds[0];
  }

  /** Whether the last worker is the tail; else packets without a reply return to the master. */
  public boolean hasTail() {
    return tail(workers() - 1);
  }

  /**
   * Writes the control packet for the first worker.
   *
   * @return {@code packetBytes}; -EMSGSIZE for packets of fewer than 164 bytes
   */
  public int write(MemorySegment to, long offset, int packetBytes) {
    return chain
        ? ControlWriter.resizeChain(to, offset, packetBytes, bounds, workers(), hasTail())
        : ControlWriter.resizeLayers(to, offset, packetBytes, bounds[0], bounds[1], hasTail());
  }
}
