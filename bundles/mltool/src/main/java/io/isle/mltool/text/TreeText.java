package io.isle.mltool.text;

import io.isle.lib.model.form.TreeForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Trees, each a split with two trees in it or an answer. Equal answers share a row. */
final class TreeText {
  /** Deeper texts are refused here, before the proof, for this walk is recursive. */
  private static final int MOST_DEPTH = 64;

  private record Node(int threshold, int feature, int left) {}

  private final FormText names;
  private final List<Node> nodes = new ArrayList<>();
  private final List<int[]> rows = new ArrayList<>();
  private final Map<List<Integer>, Integer> rowNumbers = new HashMap<>();

  TreeText(FormText names) {
    this.names = names;
  }

  TreeForm form(TextNode trees) {
    List<TextNode> all = trees.list();
    int[] roots = new int[all.size()];
    for (int i = 0; i < roots.length; i++) {
      roots[i] = nodes.size();
      nodes.add(null);
      fill(roots[i], all.get(i), 0);
    }
    if (roots.length == 0) {
      throw trees.error("is empty");
    }
    int[] values = rows.stream().flatMapToInt(Arrays::stream).toArray();
    return new TreeForm(
        names.outputs(),
        roots,
        nodes.stream().mapToInt(Node::threshold).toArray(),
        nodes.stream().mapToInt(Node::feature).toArray(),
        nodes.stream().mapToInt(Node::left).toArray(),
        values);
  }

  private void fill(int place, TextNode node, int depth) {
    if (depth > MOST_DEPTH) {
      throw node.error("is deeper than " + MOST_DEPTH);
    }
    if (node.has("answer")) {
      nodes.set(place, new Node(0, TreeForm.LEAF, row(node.only("answer").get("answer"))));
      return;
    }
    node.only("feature", "at_most", "left", "right");
    int left = nodes.size();
    nodes.set(
        place, new Node(node.get("at_most").integer(), names.feature(node.get("feature")), left));
    nodes.add(null);
    nodes.add(null);
    fill(left, node.get("left"), depth + 1);
    fill(left + 1, node.get("right"), depth + 1);
  }

  private int row(TextNode node) {
    int[] values = names.answer(node);
    List<Integer> key = Arrays.stream(values).boxed().toList();
    return rowNumbers.computeIfAbsent(
        key,
        fresh -> {
          rows.add(values);
          return rows.size() - 1;
        });
  }
}
