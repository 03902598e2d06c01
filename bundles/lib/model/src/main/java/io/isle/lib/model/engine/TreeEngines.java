package io.isle.lib.model.engine;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.form.TreeForm;

/**
 * Packs nodes for {@link TreeEngine} and {@link ForestEngine}, 8 bytes each: the threshold above,
 * the number of the left child in bits 8 to 23, the feature in bits 0 to 7. A leaf has bit 31, and
 * its row in the place of the child.
 */
public final class TreeEngines {
  /** Bytes of a packed node. */
  public static final int NODE_BYTES = 8;

  /** Bit of a leaf. */
  static final int LEAF = 1 << 31;

  private static final int CHILD_SHIFT = 8;
  private static final int CHILD_MASK = 0xFFFF;
  private static final int FEATURE_MASK = 0xFF;

  private TreeEngines() {}

  /** The engine for a proven form. */
  public static ModelEngine of(TreeForm form) {
    return form.roots().length == 1
        ? new TreeEngine(pack(form), form.roots()[0], form.rows(), form.outputs())
        : new ForestEngine(pack(form), form.roots(), form.rows(), form.outputs());
  }

  private static long[] pack(TreeForm form) {
    long[] nodes = new long[form.nodes()];
    for (int i = 0; i < nodes.length; i++) {
      boolean leaf = form.features()[i] == TreeForm.LEAF;
      int low = form.left()[i] << CHILD_SHIFT | (leaf ? LEAF : form.features()[i]);
      nodes[i] = (long) form.thresholds()[i] << 32 | Integer.toUnsignedLong(low);
    }
    return nodes;
  }

  /** The row that the values lead to. */
  static int row(long[] nodes, int root, int[] values) {
    long node = nodes[root];
    int low = (int) node;
    while (low >= 0) {
      // the sign of the difference: a branch would be wrong half of the time
      int right = (int) ((node >> 32) - values[low & FEATURE_MASK] >>> 63);
      node = nodes[(low >>> CHILD_SHIFT & CHILD_MASK) + right];
      low = (int) node;
    }
    return low >>> CHILD_SHIFT & CHILD_MASK;
  }
}
