package io.isle.lib.model.form;

import io.isle.lib.model.ModelType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Trees whose answers add up. The children of a node are {@code left} and {@code left + 1}; a value
 * up to the threshold goes left.
 *
 * @param outputs values of a row
 * @param roots node of the root of each tree
 * @param thresholds of each node
 * @param features of each node; {@link #LEAF} for a leaf
 * @param left of each node; of a leaf its row
 * @param rows values of all rows, one row after the other
 */
public record TreeForm(
    int outputs, int[] roots, int[] thresholds, int[] features, int[] left, int[] rows)
    implements ModelForm {
  /** In the place of a feature, marks a leaf. */
  public static final int LEAF = 0xFFFF;

  /** Most comparisons on a path. */
  public static final int MOST_DEPTH = 32;

  /** Most nodes of all trees. */
  public static final int MOST_NODES = 1 << 16;

  /** Most trees. */
  public static final int MOST_TREES = 1024;

  /** Value of a row whose leaf leaves the decision to the rule; also of a cell of a table. */
  public static final int ABSTAIN = Integer.MIN_VALUE;

  /** Bytes of a node. */
  public static final int NODE_BYTES = 12;

  /** Bytes in front of the roots. */
  public static final int HEAD_BYTES = 16;

  /** Number of nodes. */
  public int nodes() {
    return features.length;
  }

  @Override
  public ModelType type() {
    return ModelType.DECISION_TREE;
  }

  @Override
  public byte[] bytes() {
    ByteBuffer to =
        ByteBuffer.allocate(HEAD_BYTES + 4 * roots.length + NODE_BYTES * nodes() + 4 * rows.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    to.putInt(roots.length).putInt(nodes()).putInt(rows.length / outputs).putInt(0);
    for (int root : roots) {
      to.putInt(root);
    }
    for (int i = 0; i < nodes(); i++) {
      to.putInt(thresholds[i]).putShort((short) features[i]).putShort((short) 0).putInt(left[i]);
    }
    for (int value : rows) {
      to.putInt(value);
    }
    return to.array();
  }
}
