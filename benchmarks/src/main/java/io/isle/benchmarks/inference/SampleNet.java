package io.isle.benchmarks.inference;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.engine.ReferenceEngine;
import io.isle.lib.model.form.NetForm;
import io.isle.lib.model.form.NetForm.Activation;
import io.isle.lib.model.form.NetForm.Layer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A net of 128-128-128-16, the same in each process, whose activations need no limit for these
 * inputs: so that nets of 8 bits without a sign compute the same.
 */
final class SampleNet {
  static final int FEATURES = 128;
  static final int OUTPUTS = 16;

  /** Of the multipliers, which are fractions of 2^31. */
  static final int SHIFT = 31;

  private static final int[] WIDTHS = {FEATURES, 128, 128, OUTPUTS};
  private static final int INPUTS = 8;
  private static final int WEIGHT = 40;
  private static final int BIAS = 5000;
  private static final int LARGEST = 120;

  private final NetForm form;
  private final int[][] inputs = new int[INPUTS][FEATURES];

  SampleNet() {
    SplittableRandom random = new SplittableRandom(22);
    for (int[] input : inputs) {
      for (int i = 0; i < FEATURES; i++) {
        input[i] = random.nextInt(LARGEST);
      }
    }
    List<Layer> layers = new ArrayList<>();
    for (int i = 1; i < WIDTHS.length; i++) {
      layers.add(layer(random, WIDTHS[i - 1], WIDTHS[i], layers, i == WIDTHS.length - 1));
    }
    form = net(layers);
  }

  private static NetForm net(List<Layer> layers) {
    return new NetForm(new int[FEATURES], new int[FEATURES], List.copyOf(layers));
  }

  /**
   * A layer whose largest value for all inputs is {@link #LARGEST}; the last one gives its sums.
   */
  private Layer layer(
      SplittableRandom random, int inputCount, int outputs, List<Layer> before, boolean last) {
    byte[] weights = new byte[inputCount * outputs];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (byte) random.nextInt(-WEIGHT, WEIGHT + 1);
    }
    int[] bias = random.ints(outputs, -BIAS, BIAS).toArray();
    Layer sums = new Layer(inputCount, bias, weights, 1, 0, Activation.NONE, new byte[0]);
    if (last) {
      return sums;
    }
    List<Layer> all = new ArrayList<>(before);
    all.add(sums);
    long largest = 1;
    for (int[] out : answers(new ReferenceEngine(net(all)), outputs)) {
      for (int value : out) {
        largest = Math.max(largest, value);
      }
    }
    int multiplier = (int) (((long) LARGEST << SHIFT) / largest);
    return new Layer(inputCount, bias, weights, multiplier, SHIFT, Activation.RELU, new byte[0]);
  }

  NetForm form() {
    return form;
  }

  int[][] inputs() {
    return inputs;
  }

  /** The answers of an engine to all inputs. */
  int[][] answers(ModelEngine engine, int outputs) {
    int[][] all = new int[INPUTS][outputs];
    ModelRun run = new ModelRun();
    for (int i = 0; i < INPUTS; i++) {
      if (engine.run(inputs[i], all[i], run) != ModelEngine.DONE) {
        throw new IllegalStateException("the net has no answer to input " + i);
      }
    }
    return all;
  }
}
