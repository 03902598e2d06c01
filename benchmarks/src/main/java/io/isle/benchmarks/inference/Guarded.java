package io.isle.benchmarks.inference;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.Decider;
import io.isle.api.inference.Deciders;
import io.isle.api.inference.DecisionFeature;
import io.isle.api.inference.DecisionOutput;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import io.isle.inference.engine.decide.DecisionSlot;
import io.isle.inference.engine.decide.LoadedModel;
import io.isle.inference.engine.decide.ModelShape;
import io.isle.inference.engine.decide.ModelStats.Count;
import io.isle.inference.engine.decide.SlotGates;
import io.isle.inference.engine.distribution.TrainedRange;
import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.TrainedOutput;
import io.isle.lib.model.engine.NetEngines;
import io.isle.lib.model.engine.TableEngine;
import io.isle.lib.model.form.TableForm;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A decider with a model, as the owner of a decision has it. */
final class Guarded implements Loop {
  /**
   * More than a call takes, descheduled or not: a model that lost its place would be no measure.
   */
  private static final long BUDGET_NS = 1_000_000;

  private static final int OUTSTANDING = 64;
  private static final int TABLE_BITS = 6;
  private static final int TABLE_INPUTS = 1024;

  private final DecisionSlot slot;
  private final Decider decider;
  private final int[][] inputs;
  private final int[] out;

  /**
   * @param largest value of all features; the least is 0
   */
  Guarded(int features, int outputs, int largest, int[][] inputs) {
    this.inputs = inputs;
    this.out = new int[outputs];
    slot =
        new DecisionSlot(
            new Point(spec(features, outputs, largest)), new SlotGates(), MonotonicClock.SYSTEM);
    decider = slot.open("bench", OUTSTANDING, () -> {});
  }

  private static DecisionSpec spec(int features, int outputs, int largest) {
    return new DecisionSpec(
        "bench",
        IntStream.range(0, features)
            .mapToObj(i -> new DecisionFeature("feature" + i, "count", 0, largest))
            .toList(),
        IntStream.range(0, outputs)
            .mapToObj(
                i ->
                    new DecisionOutput(
                        "output" + i,
                        "count",
                        Integer.MIN_VALUE,
                        Integer.MAX_VALUE,
                        DecisionOutput.Outside.CLAMP))
            .toList(),
        BUDGET_NS);
  }

  static Guarded net() {
    SampleNet net = new SampleNet();
    Guarded guarded =
        new Guarded(SampleNet.FEATURES, SampleNet.OUTPUTS, Byte.MAX_VALUE, net.inputs());
    guarded.serve(guarded.loaded(NetEngines.of(net.form()), true));
    return guarded;
  }

  static Guarded table() {
    List<TableForm.Axis> axes =
        List.of(new TableForm.Axis(0, TABLE_BITS, 4, 0), new TableForm.Axis(1, TABLE_BITS, 4, 0));
    SplittableRandom random = new SplittableRandom(3);
    int[] cells = random.ints(1 << 2 * TABLE_BITS, 0, 1000).toArray();
    int[][] inputs = new int[TABLE_INPUTS][];
    for (int i = 0; i < TABLE_INPUTS; i++) {
      inputs[i] = random.ints(2, 0, 1 << TABLE_BITS + 4).toArray();
    }
    Guarded guarded = new Guarded(2, 1, 1 << TABLE_BITS + 4, inputs);
    guarded.serve(guarded.loaded(new TableEngine(new TableForm(1, axes, cells)), false));
    return guarded;
  }

  LoadedModel loaded(ModelEngine engine, boolean net) {
    DecisionSpec spec = slot.spec();
    int most = spec.features().getFirst().max();
    // evenly between 0 and the greatest value
    TrainedRange range = new TrainedRange(0, most, most / 2, Math.round(most / Math.sqrt(12)));
    List<TrainedRange> trained = Collections.nCopies(spec.features().size(), range);
    List<TrainedOutput> outputs =
        Collections.nCopies(out.length, new TrainedOutput(Integer.MIN_VALUE, Integer.MAX_VALUE));
    return new LoadedModel(engine, net, trained, ModelShape.of(spec, trained, outputs));
  }

  void serve(LoadedModel model) {
    slot.set(slot.state().with(model, null, null));
  }

  void decide(int round) {
    long ignored = decider.decide(inputs[Loop.input(round, inputs.length)], out);
  }

  /** Makes sure that the model has made all decisions. */
  void check() {
    long byRule = slot.state().serving().stats().total(Count.FALLBACKS);
    if (byRule > 0) {
      throw new IllegalStateException("the rule made " + byRule + " decisions");
    }
  }

  @Override
  public double measure(int rounds) {
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      decide(i);
    }
    double mean = (System.nanoTime() - start) / (double) rounds;
    check();
    return mean;
  }

  private record Point(DecisionSpec spec) implements DecisionPoint {
    @Override
    public void heuristic(int[] features, int[] out) {
      out[0] = features[0];
    }

    @Override
    public int score(int[] features, int[] out, int[] actual) {
      return 0;
    }

    @Override
    public void bind(Deciders deciders) {}

    @Override
    public void unbind() {}
  }
}
