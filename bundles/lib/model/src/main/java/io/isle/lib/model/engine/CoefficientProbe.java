package io.isle.lib.model.engine;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.form.LinearForm;
import io.isle.lib.model.form.NetForm;
import io.isle.lib.model.form.NetForm.Activation;
import io.isle.lib.model.form.NetForm.Layer;
import io.isle.lib.model.form.TreeForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures {@link Coefficients} by models that are mostly one kind of work. Between two measured
 * answers the caches are filled with other memory.
 */
final class CoefficientProbe {
  /** More than the caches of a core, and of a share of what cores have in common. */
  private static final int OTHER_BYTES = 32 << 20;

  private static final int LINE = 64;
  private static final int WARM_CALLS = 20_000;
  private static final long WARM_NS = 20_000_000;
  private static final int SAMPLES = 11;
  private static final long PICOSECONDS = 1000;

  /** Nodes of a path; a power of two. */
  private static final int STEPS = 16;

  /** Nodes that fill a page of memory. */
  private static final int NEAR_NODES = 512;

  private static final int WIDE = 64;

  private final byte[] memory = new byte[OTHER_BYTES];
  private final ModelRun run = new ModelRun();
  private final int[] features = new int[NetForm.MOST_NEURONS];
  private final int[] out = new int[NetForm.MOST_NEURONS];
  private int sink;

  private CoefficientProbe() {}

  static Coefficients measure() {
    CoefficientProbe probe = new CoefficientProbe();
    ModelEngine dot = linear(1, 1);
    ModelEngine small = net(1);
    long call = probe.coldPs(dot, linear(1, 1));
    long linear = probe.coldPs(dot, linear(NetForm.MOST_NEURONS, WIDE));
    long near = probe.coldPs(tree(NEAR_NODES), tree(NEAR_NODES));
    long far = probe.coldPs(tree(NEAR_NODES), tree(TreeForm.MOST_NODES));
    long layers = probe.coldPs(small, net(1));
    long net = probe.coldPs(small, net(NetForm.MOST_NEURONS));
    return new Coefficients(
        call,
        above(near, call, STEPS),
        above(far, near, STEPS),
        above(linear, call, NetForm.MOST_NEURONS * WIDE),
        above(net, layers, NetForm.MOST_MACS),
        above(layers, call, NetForm.MOST_LAYERS));
  }

  /** What one unit of work adds, rounded up; at least a picosecond. */
  private static long above(long all, long without, int units) {
    return Math.max(1, (all - without + units - 1) / units);
  }

  /**
   * Time of an answer whose parameters are in no cache, in picoseconds: the lower quartile, for
   * what else runs on the machine only adds to it.
   *
   * @param other of the same kind: its answer brings code and the run back into the caches
   */
  private long coldPs(ModelEngine other, ModelEngine engine) {
    long end = System.nanoTime() + WARM_NS;
    for (int i = 0; i < WARM_CALLS && System.nanoTime() < end; i++) {
      other.run(features, out, run);
      engine.run(features, out, run);
    }
    long[] times = new long[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      for (int at = 0; at < memory.length; at += LINE) {
        sink += memory[at];
      }
      other.run(features, out, run);
      long start = System.nanoTime();
      engine.run(features, out, run);
      times[i] = System.nanoTime() - start;
    }
    out[0] = sink;
    Arrays.sort(times);
    return times[SAMPLES / 4] * PICOSECONDS;
  }

  private static ModelEngine linear(int features, int outputs) {
    int[] zeros = new int[outputs];
    short[] weights = new short[features * outputs];
    Arrays.fill(weights, (short) 3);
    return new LinearEngine(new LinearForm(features, zeros, zeros, zeros, weights));
  }

  /** A tree with one path, whose nodes lie far apart and in no order. */
  private static ModelEngine tree(int nodes) {
    int[] zeros = new int[nodes];
    int[] features = new int[nodes];
    int[] left = new int[nodes];
    Arrays.fill(features, TreeForm.LEAF);
    for (int step = 0; step < STEPS - 1; step++) {
      int node = place(step, nodes);
      features[node] = 0;
      left[node] = place(step + 1, nodes);
    }
    return TreeEngines.of(new TreeForm(1, new int[1], zeros, features, left, new int[1]));
  }

  private static int place(int step, int nodes) {
    return step * 7 % STEPS * (nodes / STEPS);
  }

  private static ModelEngine net(int neurons) {
    List<Layer> layers = new ArrayList<>();
    byte[] weights = new byte[neurons * neurons];
    Arrays.fill(weights, (byte) 1);
    int[] zeros = new int[neurons];
    for (int i = 0; i < NetForm.MOST_LAYERS; i++) {
      layers.add(new Layer(neurons, zeros, weights, 1, 0, Activation.RELU, new byte[0]));
    }
    return NetEngines.of(new NetForm(zeros, zeros, layers));
  }
}
