package io.isle.inference.engine.load;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.Decider;
import io.isle.api.inference.DecisionPoint;
import io.isle.inference.engine.decide.DecisionSlot;
import io.isle.inference.engine.decide.LoadedModel;
import io.isle.inference.engine.decide.SlotGates;
import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelFault;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.ProvenModel;
import io.isle.lib.model.TrainedFeature;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs a model until it keeps its bound, so that no decision meets code that the JVM has not
 * compiled yet. Uses no slot's deciders or counters.
 */
public final class WarmUp {
  /** Calls at least: then the guards of calls are compiled, too. */
  static final int LEAST = 2000;

  private static final int OVERHEADS = 200;

  private final MonotonicClock clock;
  private final int calls;
  private final long mostNs;

  /**
   * @param calls in a row that must be within the bound
   * @param mostNs most time of the whole
   */
  public WarmUp(MonotonicClock clock, int calls, long mostNs) {
    this.clock = clock;
    this.calls = calls;
    this.mostNs = mostNs;
  }

  /**
   * Runs a model.
   *
   * @throws ModelException TOO_SLOW after the whole time
   */
  public void run(DecisionPoint point, ProvenModel model) {
    DecisionSlot slot = new DecisionSlot(point, new SlotGates(), clock);
    slot.set(slot.state().with(LoadedModel.of(point.spec(), model), null, null));
    int[] features = new int[model.features().size()];
    int[] out = new int[model.outputs().size()];
    SplittableRandom random = new SplittableRandom(model.serial());
    ModelRun run = new ModelRun();
    long bound = model.boundNs() + overhead();
    long start = clock.nanoTime();
    int inARow = 0;
    try (Decider decider = slot.open("default", 1, () -> {})) {
      for (int call = 0; inARow < calls || call < LEAST; call++) {
        fill(features, model.features(), random);
        long ignored = decider.decide(features, out);
        long begin = clock.nanoTime();
        while (model.engine().run(features, out, run) == ModelEngine.YIELDED) {
          run.resume();
        }
        long end = clock.nanoTime();
        inARow = end - begin <= bound ? inARow + 1 : 0;
        if (end - start > mostNs && inARow < calls) {
          throw tooSlow(end - begin, bound);
        }
      }
    }
  }

  private ModelException tooSlow(long last, long bound) {
    return new ModelException(
        ModelFault.TOO_SLOW,
        "max_latency_ns",
        "no %d calls in a row took at most %d ns within %d ms; the last one took %d ns"
            .formatted(calls, bound, mostNs / 1_000_000, last));
  }

  /** Time that reading the clock adds. */
  private long overhead() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < OVERHEADS; i++) {
      long begin = clock.nanoTime();
      least = Math.min(least, clock.nanoTime() - begin);
    }
    return least;
  }

  private static void fill(int[] features, List<TrainedFeature> trained, SplittableRandom random) {
    for (int i = 0; i < features.length; i++) {
      TrainedFeature one = trained.get(i);
      features[i] = (int) random.nextLong(one.min(), one.max() + 1L);
    }
  }
}
