package io.isle.lib.model.engine;

import io.isle.lib.model.form.LinearForm;
import io.isle.lib.model.form.ModelForm;
import io.isle.lib.model.form.NetForm;
import io.isle.lib.model.form.NetForm.Activation;
import io.isle.lib.model.form.NetForm.Layer;
import io.isle.lib.model.form.Rounding;
import io.isle.lib.model.form.TableForm;
import io.isle.lib.model.form.TreeForm;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random models that pass the proof; every fourth number is an extreme one. */
public final class Forms {
  private final RandomGenerator random;

  public Forms(RandomGenerator random) {
    this.random = random;
  }

  /** Any number of 32 bits, extremes often. */
  public int word() {
    return switch (random.nextInt(8)) {
      case 0 -> Integer.MIN_VALUE;
      case 1 -> Integer.MAX_VALUE;
      case 2 -> random.nextInt(-2, 3);
      default -> random.nextInt() >> random.nextInt(32);
    };
  }

  /** Numbers of 32 bits. */
  public int[] words(int count) {
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      values[i] = word();
    }
    return values;
  }

  private int upTo(int most) {
    return random.nextInt(5) == 0 ? most : random.nextInt(most + 1);
  }

  /** Trees whose nodes all are in use. */
  public TreeForm trees(int features, int outputs, int trees, int splits) {
    List<int[]> nodes = new ArrayList<>();
    int[] roots = new int[trees];
    int rows = 0;
    for (int tree = 0; tree < trees; tree++) {
      roots[tree] = nodes.size();
      nodes.add(leaf());
      List<Integer> leaves = new ArrayList<>(List.of(roots[tree]));
      List<Integer> depths = new ArrayList<>(List.of(0));
      for (int i = 0; i < splits; i++) {
        int which = random.nextInt(leaves.size());
        if (depths.get(which) == TreeForm.MOST_DEPTH) {
          continue;
        }
        int node = leaves.remove(which);
        int depth = depths.remove(which) + 1;
        nodes.set(node, new int[] {word(), random.nextInt(features), nodes.size()});
        leaves.addAll(List.of(nodes.size(), nodes.size() + 1));
        depths.addAll(List.of(depth, depth));
        nodes.add(leaf());
        nodes.add(leaf());
      }
    }
    for (int[] node : nodes) {
      if (node[1] == TreeForm.LEAF) {
        node[2] = rows++;
      }
    }
    int[] values = words(rows * outputs);
    for (int i = 0; i < values.length; i++) {
      values[i] = values[i] == TreeForm.ABSTAIN && random.nextInt(4) > 0 ? -1 : values[i];
    }
    return new TreeForm(
        outputs, roots, column(nodes, 0), column(nodes, 1), column(nodes, 2), values);
  }

  private static int[] leaf() {
    return new int[] {0, TreeForm.LEAF, 0};
  }

  private static int[] column(List<int[]> nodes, int at) {
    return nodes.stream().mapToInt(node -> node[at]).toArray();
  }

  /** A table of at most 2^12 cells. */
  public TableForm table(int features, int outputs, int axes) {
    List<TableForm.Axis> all = new ArrayList<>();
    int bits = 0;
    for (int i = 0; i < axes; i++) {
      int width = 1 + random.nextInt(12 / axes);
      bits += width;
      all.add(new TableForm.Axis(random.nextInt(features), width, upTo(31), word()));
    }
    return new TableForm(outputs, all, words((1 << bits) * outputs));
  }

  public LinearForm linear(int features, int outputs) {
    short[] weights = new short[features * outputs];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (short) Math.clamp((long) word(), Short.MIN_VALUE, Short.MAX_VALUE);
    }
    int[] shifts = new int[outputs];
    for (int i = 0; i < outputs; i++) {
      shifts[i] = upTo(Rounding.MOST_SHIFT);
    }
    return new LinearForm(features, words(outputs), words(outputs), shifts, weights);
  }

  /** A net with these widths, the features first. */
  public NetForm net(int... widths) {
    int[] shifts = new int[widths[0]];
    for (int i = 0; i < shifts.length; i++) {
      shifts[i] = upTo(31);
    }
    List<Layer> layers = new ArrayList<>();
    for (int i = 1; i < widths.length; i++) {
      layers.add(layer(widths[i - 1], widths[i]));
    }
    return new NetForm(words(widths[0]), shifts, layers);
  }

  private Layer layer(int inputs, int outputs) {
    byte[] weights = new byte[inputs * outputs];
    int[] bias = new int[outputs];
    for (int i = 0; i < outputs; i++) {
      long most = 0;
      for (int j = 0; j < inputs; j++) {
        byte weight = (byte) Math.clamp((long) word(), Byte.MIN_VALUE, Byte.MAX_VALUE);
        weights[i * inputs + j] = weight;
        most += 128 * Math.abs((int) weight);
      }
      long room = Integer.MAX_VALUE - most;
      bias[i] = (int) Math.clamp((long) word(), -room, room);
    }
    Activation activation = Activation.values()[random.nextInt(3)];
    byte[] table = new byte[activation == Activation.TABLE ? NetForm.TABLE_BYTES : 0];
    random.nextBytes(table);
    int multiplier = word() & Integer.MAX_VALUE;
    return new Layer(
        inputs, bias, weights, multiplier, upTo(Rounding.MOST_SHIFT), activation, table);
  }

  /** A model of any type. */
  public ModelForm any(int features, int outputs) {
    return switch (random.nextInt(4)) {
      case 0 -> trees(features, outputs, 1 + random.nextInt(4), random.nextInt(200));
      case 1 -> table(features, outputs, 1 + random.nextInt(4));
      case 2 -> linear(features, outputs);
      default -> {
        int[] widths = new int[2 + random.nextInt(4)];
        for (int i = 0; i < widths.length; i++) {
          widths[i] = 1 + random.nextInt(256);
        }
        widths[0] = features;
        widths[widths.length - 1] = outputs;
        yield net(widths);
      }
    };
  }
}
