package io.isle.mltool.text;

import io.isle.api.inference.DecisionSpec;
import io.isle.lib.model.form.LinearForm;
import io.isle.lib.model.form.ModelForm;
import io.isle.lib.model.form.NetForm;
import io.isle.lib.model.form.NetForm.Activation;
import io.isle.lib.model.form.NetForm.Layer;
import io.isle.lib.model.form.TableForm;
import io.isle.lib.model.form.TreeForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The numbers of a model, by its type. What they say is left to the proof. */
final class FormText {
  private static final int MOST_SHIFT = 255;

  private final DecisionSpec spec;

  FormText(DecisionSpec spec) {
    this.spec = spec;
  }

  ModelForm form(TextNode node) {
    String type = node.get("type").text();
    return switch (type) {
      case "linear" -> linear(node.only("type", "outputs"));
      case "lookup_table" -> table(node.only("type", "axes", "cells"));
      case "decision_tree" -> new TreeText(this).form(node.only("type", "trees").get("trees"));
      case "tiny_neural_net" -> net(node.only("type", "inputs", "layers"));
      default ->
          throw node.get("type")
              .error(
                  "is '" + type + "', not decision_tree, lookup_table, linear or tiny_neural_net");
    };
  }

  int features() {
    return spec.features().size();
  }

  int outputs() {
    return spec.outputs().size();
  }

  /** A feature by name or number. */
  int feature(TextNode node) {
    if (!node.isText()) {
      return node.integer(0, features() - 1);
    }
    for (int i = 0; i < features(); i++) {
      if (spec.features().get(i).name().equals(node.text())) {
        return i;
      }
    }
    throw node.error("is '" + node.text() + "', which is no feature of the decision");
  }

  /** Values of one answer: a list, or a number if there is one output; null abstains. */
  int[] answer(TextNode node) {
    List<TextNode> values =
        node.isList() ? node.list(outputs()) : outputs() == 1 ? List.of(node) : node.list();
    int[] answer = new int[values.size()];
    for (int i = 0; i < answer.length; i++) {
      TextNode value = values.get(i);
      answer[i] =
          value.isNull()
              ? TreeForm.ABSTAIN
              : value.integer(TreeForm.ABSTAIN + 1, Integer.MAX_VALUE);
    }
    return answer;
  }

  private LinearForm linear(TextNode node) {
    List<TextNode> all = node.get("outputs").list(outputs());
    int[] bias = new int[all.size()];
    int[] thresholds = new int[all.size()];
    int[] shifts = new int[all.size()];
    short[] weights = new short[all.size() * features()];
    for (int i = 0; i < all.size(); i++) {
      TextNode one = all.get(i).only("bias", "threshold", "shift", "weights");
      bias[i] = one.get("bias").integer();
      shifts[i] = one.get("shift").integer(0, MOST_SHIFT);
      thresholds[i] =
          one.has("threshold")
              ? one.get("threshold").integer(LinearForm.NO_THRESHOLD + 1, Integer.MAX_VALUE)
              : LinearForm.NO_THRESHOLD;
      List<TextNode> row = one.get("weights").list(features());
      for (int f = 0; f < row.size(); f++) {
        weights[i * features() + f] = (short) row.get(f).integer(Short.MIN_VALUE, Short.MAX_VALUE);
      }
    }
    return new LinearForm(features(), bias, thresholds, shifts, weights);
  }

  private TableForm table(TextNode node) {
    List<TableForm.Axis> axes = new ArrayList<>();
    int bits = 0;
    for (TextNode each : node.get("axes").list()) {
      each.only("feature", "bits", "shift", "offset");
      TableForm.Axis axis =
          new TableForm.Axis(
              feature(each.get("feature")),
              each.get("bits").integer(1, TableForm.MOST_BITS),
              each.get("shift").integer(0, MOST_SHIFT),
              each.get("offset").integer());
      axes.add(axis);
      bits += axis.bits();
    }
    List<TextNode> cells = node.get("cells").list();
    if (bits >= Integer.SIZE || cells.size() != 1L << bits) {
      throw node.get("cells").error("has " + cells.size() + " cells, the axes ask for 2^" + bits);
    }
    int[] values = new int[cells.size() * outputs()];
    for (int i = 0; i < cells.size(); i++) {
      System.arraycopy(answer(cells.get(i)), 0, values, i * outputs(), outputs());
    }
    return new TableForm(outputs(), axes, values);
  }

  private NetForm net(TextNode node) {
    List<TextNode> inputs = node.get("inputs").list(features());
    int[] offsets = new int[inputs.size()];
    int[] shifts = new int[inputs.size()];
    for (int i = 0; i < offsets.length; i++) {
      TextNode input = inputs.get(i).only("offset", "shift");
      offsets[i] = input.get("offset").integer();
      shifts[i] = input.get("shift").integer(0, MOST_SHIFT);
    }
    List<Layer> layers = new ArrayList<>();
    int width = offsets.length;
    for (TextNode each : node.get("layers").list()) {
      Layer layer = layer(each, width);
      width = layer.outputs();
      layers.add(layer);
    }
    if (layers.isEmpty()) {
      throw node.get("layers").error("is empty");
    }
    return new NetForm(offsets, shifts, layers);
  }

  private static Layer layer(TextNode node, int inputs) {
    node.only("activation", "multiplier", "shift", "bias", "weights", "table");
    Activation activation = activation(node.get("activation"));
    int[] bias = node.get("bias").list().stream().mapToInt(TextNode::integer).toArray();
    byte[] weights = new byte[inputs * bias.length];
    List<TextNode> rows = node.get("weights").list(bias.length);
    for (int i = 0; i < rows.size(); i++) {
      System.arraycopy(bytes(rows.get(i), inputs), 0, weights, i * inputs, inputs);
    }
    byte[] table =
        activation == Activation.TABLE
            ? bytes(node.get("table"), NetForm.TABLE_BYTES)
            : new byte[0];
    return new Layer(
        inputs,
        bias,
        weights,
        node.get("multiplier").integer(0, Integer.MAX_VALUE),
        node.get("shift").integer(0, MOST_SHIFT),
        activation,
        table);
  }

  private static Activation activation(TextNode node) {
    for (Activation activation : Activation.values()) {
      if (activation.name().toLowerCase(Locale.ROOT).equals(node.text())) {
        return activation;
      }
    }
    throw node.error("is '" + node.text() + "', not none, relu or table");
  }

  private static byte[] bytes(TextNode node, int size) {
    List<TextNode> values = node.list(size);
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) values.get(i).integer(Byte.MIN_VALUE, Byte.MAX_VALUE);
    }
    return bytes;
  }
}
