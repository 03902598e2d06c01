package io.isle.lib.model.body;

import static io.isle.lib.model.body.Faults.assertFault;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.lib.model.ModelFault;
import io.isle.lib.model.form.TreeForm;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class TreeProofTest {
  private static final int LEAF = TreeForm.LEAF;

  /** Node 0 splits, 1 and 2 are leaves. */
  private static TreeForm small() {
    return form(new int[] {0, LEAF, LEAF}, new int[] {1, 0, 1}, 2);
  }

  private static TreeForm form(int[] features, int[] left, int rows) {
    return new TreeForm(1, new int[] {0}, new int[features.length], features, left, new int[rows]);
  }

  /** Inner nodes 0, 2, 4 ... with a leaf beside each. */
  private static TreeForm chain(int comparisons) {
    int[] features = new int[2 * comparisons + 1];
    int[] left = new int[features.length];
    Arrays.fill(features, LEAF);
    for (int i = 0; i < comparisons; i++) {
      int node = i == 0 ? 0 : 2 * i - 1;
      features[node] = 0;
      left[node] = 2 * i + 1;
    }
    return form(features, left, 1);
  }

  @Test
  void aSmallTreePasses() {
    ModelBody body = Faults.prove(small(), 1);
    assertEquals(small().nodes(), ((TreeForm) body.form()).nodes());
    assertEquals(3, body.cost().loads());
  }

  @Test
  void aLeafAloneIsATree() {
    assertEquals(2, Faults.prove(form(new int[] {LEAF}, new int[1], 1), 1).cost().loads());
  }

  @Test
  void theDeepestTreePassesAndOneMoreDoesNot() {
    assertEquals(34, Faults.prove(chain(32), 1).cost().loads());
    assertFault(ModelFault.TOO_DEEP, "node[0]", chain(33), 1);
  }

  @Test
  void anyLongChainEndsTheProof() {
    assertFault(ModelFault.TOO_DEEP, "node[" + (2 * 32766 - 1 - 64) + "]", chain(32767), 1);
  }

  @Test
  void aNodeBelowItselfIsACycle() {
    TreeForm form = chain(4);
    form.left()[5] = 0;
    assertFault(ModelFault.CYCLE, "node[0]", form, 1);
    form = small();
    form.left()[0] = 0;
    assertFault(ModelFault.CYCLE, "node[0]", form, 1);
  }

  @Test
  void aCycleLongerThanTheDepthIsACycle() {
    TreeForm form = chain(1000);
    form.left()[2 * 999 - 1] = 0;
    assertFault(ModelFault.CYCLE, "node[0]", form, 1);
  }

  @Test
  void treesMayShareNodes() {
    TreeForm form = form(new int[] {0, 0, 0, LEAF, LEAF}, new int[] {1, 3, 3, 0, 1}, 2);
    assertEquals(4, Faults.prove(form, 1).cost().loads());
  }

  @Test
  void sharedNodesCountOnEachPath() {
    // the second way to the long part is a step longer
    TreeForm form = chain(33);
    form.features()[2] = 0;
    form.left()[2] = 3;
    assertFault(ModelFault.TOO_DEEP, "node[0]", form, 1);
  }

  @Test
  void nodesAndRowsMustBeInUse() {
    assertFault(
        ModelFault.UNREACHABLE,
        "node[3]",
        form(new int[] {0, LEAF, LEAF, LEAF}, new int[] {1, 0, 1, 1}, 2),
        1);
    assertFault(
        ModelFault.UNREACHABLE,
        "row[2]",
        form(new int[] {0, LEAF, LEAF}, new int[] {1, 0, 1}, 3),
        1);
  }

  @Test
  void numbersStayWithinTheModel() {
    TreeForm form = small();
    form.left()[0] = 2;
    assertFault(ModelFault.BAD_BODY, "node[0].left", form, 1);
    form.left()[0] = -1;
    assertFault(ModelFault.BAD_BODY, "node[0].left", form, 1);
    form = small();
    form.left()[1] = 2;
    assertFault(ModelFault.BAD_BODY, "node[1].row", form, 1);
    form = small();
    form.features()[0] = 1;
    assertFault(ModelFault.BAD_BODY, "node[0].feature", form, 1);
    form = small();
    form.roots()[0] = 3;
    assertFault(ModelFault.BAD_BODY, "root[0]", form, 1);
  }

  @Test
  void countsHaveLimits() {
    assertFault(ModelFault.BAD_BODY, "trees", Faults.with(small(), 0, 0), 1);
    assertFault(ModelFault.TOO_BIG, "trees", Faults.with(small(), 0, 1025), 1);
    assertFault(ModelFault.TOO_BIG, "nodes", Faults.with(small(), 4, 65537), 1);
    assertFault(ModelFault.TOO_BIG, "rows", Faults.with(small(), 8, -1), 1);
    assertFault(ModelFault.BAD_RESERVED, "reserved", Faults.with(small(), 12, 1), 1);
    assertFault(ModelFault.BAD_RESERVED, "node[0].reserved", Faults.with(small(), 24, 0x10000), 1);
  }
}
