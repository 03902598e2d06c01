package io.isle.benchmarks.inference;

import io.isle.lib.model.ModelType;
import io.isle.lib.model.body.ModelBody;
import io.isle.lib.model.form.TreeForm;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Trees of depth 16 with 4095 nodes, whose paths are taken equally often; the same everywhere. */
final class SampleTree {
  static final int FEATURES = 16;
  private static final int DEPTH = 16;
  private static final int SPLITS = 2047;
  private static final int RANGE = 1 << 16;

  private record Leaf(int node, int depth, int[] low, int[] high) {}

  private final SplittableRandom random;
  private final List<int[]> nodes = new ArrayList<>();
  private final ModelBody body;

  SampleTree(long seed) {
    random = new SplittableRandom(seed);
    List<Leaf> leaves = new ArrayList<>();
    int[] high = new int[FEATURES];
    Arrays.fill(high, RANGE);
    nodes.add(null);
    leaves.add(new Leaf(0, 0, new int[FEATURES], high));
    for (int i = 0; i < SPLITS; i++) {
      // the first splits are one path down to the full depth
      int which = i < DEPTH ? leaves.size() - 1 : shallow(leaves);
      split(leaves.remove(which), leaves);
    }
    int row = 0;
    for (Leaf leaf : leaves) {
      nodes.set(leaf.node, new int[] {0, TreeForm.LEAF, row++});
    }
    TreeForm form =
        new TreeForm(
            1,
            new int[] {0},
            column(0),
            column(1),
            column(2),
            random.ints(row, 0, RANGE).toArray());
    body = ModelBody.prove(ModelType.DECISION_TREE, ByteBuffer.wrap(form.bytes()), FEATURES, 1);
  }

  private int shallow(List<Leaf> leaves) {
    int which;
    do {
      which = random.nextInt(leaves.size());
    } while (leaves.get(which).depth == DEPTH);
    return which;
  }

  private void split(Leaf leaf, List<Leaf> leaves) {
    int feature = random.nextInt(FEATURES);
    int threshold = (leaf.low[feature] + leaf.high[feature]) / 2;
    nodes.set(leaf.node, new int[] {threshold, feature, nodes.size()});
    int[] high = leaf.high.clone();
    high[feature] = threshold;
    int[] low = leaf.low.clone();
    low[feature] = threshold;
    leaves.add(new Leaf(nodes.size(), leaf.depth + 1, leaf.low, high));
    leaves.add(new Leaf(nodes.size() + 1, leaf.depth + 1, low, leaf.high));
    nodes.add(null);
    nodes.add(null);
  }

  private int[] column(int at) {
    return nodes.stream().mapToInt(node -> node[at]).toArray();
  }

  ModelBody body() {
    return body;
  }

  TreeForm form() {
    return (TreeForm) body.form();
  }

  /** Inputs of which each leads down some other path. */
  static int[][] inputs(int count) {
    SplittableRandom random = new SplittableRandom(5);
    int[][] inputs = new int[count][];
    for (int i = 0; i < count; i++) {
      inputs[i] = random.ints(FEATURES, 0, RANGE).toArray();
    }
    return inputs;
  }
}
