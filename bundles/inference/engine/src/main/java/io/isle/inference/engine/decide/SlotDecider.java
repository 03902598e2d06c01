package io.isle.inference.engine.decide;

import io.isle.api.inference.Decider;
import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import io.isle.inference.engine.decide.ModelStats.Count;
import io.isle.inference.engine.distribution.DistributionWatch;
import io.isle.inference.engine.report.DecisionTrace;
import java.util.Optional;

/** Decides for one owner, by the slot's state of that moment. */
public final class SlotDecider implements Decider {
  private final DecisionSlot slot;
  private final GroupUse use;
  private final int features;
  private final int stripe;
  private final GuardedInference inference;
  private final DecisionRing ring;
  private final DecisionTrace trace;
  private volatile Watched watched;
  private volatile boolean closed;

  /** Of the thread that reads. */
  private Watched lastWatched = Watched.NOTHING;

  private long knownAnomalies;

  SlotDecider(
      DecisionSlot slot, GroupUse use, int stripe, GuardedInference inference, DecisionRing ring) {
    this.slot = slot;
    this.use = use;
    this.stripe = stripe;
    this.inference = inference;
    this.ring = ring;
    features = slot.spec().features().size();
    trace = new DecisionTrace(slot.spec().name(), use.group());
    watched = Watched.of(slot.state().serving(), slot.limits().distribution());
  }

  @Override
  public long decide(int[] in, int[] out) {
    SlotState state = slot.state();
    if (closed || in.length < features || !state.wanted()) {
      slot.point().heuristic(in, out);
      return DecisionRing.NONE;
    }
    LoadedModel model = state.serving();
    boolean byModel = model != null && state.mode() == Mode.ACTIVE && infer(state, in, out);
    if (!byModel) {
      if (model != null) {
        model.stats().add(stripe, Count.FALLBACKS, 1);
      }
      slot.point().heuristic(in, out);
    }
    trace.decided(in, out, byModel);
    return ring.write(in, out, byModel);
  }

  private boolean infer(SlotState state, int[] in, int[] out) {
    Watched now = watched;
    DistributionWatch watch = now.model() == state.serving() ? now.watch() : null;
    return inference.infer(state, use, watch, in, out);
  }

  @Override
  public void outcome(long ticket, int[] actual) {
    if (!closed) {
      ring.tell(ticket, actual);
    }
  }

  @Override
  public void requestYield() {
    inference.requestYield();
  }

  @Override
  public boolean wanted() {
    return !closed && slot.state().wanted();
  }

  @Override
  public void close() {
    closed = true;
    slot.forget(this);
  }

  /** The use of the slot by its group. */
  public GroupUse use() {
    return use;
  }

  /** Before another model serves. Under the slot's lock. */
  void watch(LoadedModel next) {
    if (watched.model() != next) {
      watched = Watched.of(next, slot.limits().distribution());
    }
  }

  /** Other limits: the watch begins anew. Under the slot's lock. */
  void watchAnew() {
    watched = Watched.of(watched.model(), slot.limits().distribution());
  }

  /** Copies the next decision with an outcome. Of one thread; false if there is none. */
  public boolean read(DecisionRecord into) {
    return ring.read(into);
  }

  /** An anomaly of the features since the last call. Of the thread that reads. */
  public Optional<InputDistributionAnomaly> takeAnomaly() {
    Watched now = watched;
    if (now != lastWatched) {
      lastWatched = now;
      knownAnomalies = 0;
    }
    long found = now.watch() == null ? 0 : now.watch().anomalies();
    if (found == knownAnomalies) {
      return Optional.empty();
    }
    knownAnomalies = found;
    return now.watch().anomaly();
  }

  /** Decisions with an outcome that nobody read in time. Of the thread that reads. */
  public long lost() {
    return ring.lost();
  }
}
