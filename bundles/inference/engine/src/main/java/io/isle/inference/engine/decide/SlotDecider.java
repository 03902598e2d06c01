package io.isle.inference.engine.decide;

import io.isle.api.inference.Decider;
import io.isle.inference.engine.decide.ModelStats.Count;

/** Decides for one owner, by the slot's state of that moment. */
public final class SlotDecider implements Decider {
  private final DecisionSlot slot;
  private final int group;
  private final int features;
  private final int stripe;
  private final GuardedInference inference;
  private final DecisionRing ring;
  private volatile boolean closed;

  SlotDecider(
      DecisionSlot slot, int group, int stripe, GuardedInference inference, DecisionRing ring) {
    this.slot = slot;
    this.group = group;
    this.stripe = stripe;
    this.inference = inference;
    this.ring = ring;
    features = slot.spec().features().size();
  }

  @Override
  public long decide(int[] in, int[] out) {
    SlotState state = slot.state();
    LoadedModel model = state.serving();
    if (closed || in.length < features || !state.wanted()) {
      slot.point().heuristic(in, out);
      return DecisionRing.NONE;
    }
    boolean byModel =
        model != null
            && state.mode() == Mode.ACTIVE
            && inference.infer(model, model.use(group), state.budgetNs(), in, out);
    if (!byModel) {
      if (model != null) {
        model.stats().add(stripe, Count.FALLBACKS, 1);
      }
      slot.point().heuristic(in, out);
    }
    return ring.write(in, out, byModel);
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

  /** Number of its group in the slot. */
  public int group() {
    return group;
  }

  /** Copies the next decision with an outcome. Of one thread; false if there is none. */
  public boolean read(DecisionRecord into) {
    return ring.read(into);
  }

  /** Decisions with an outcome that nobody read in time. Of the thread that reads. */
  public long lost() {
    return ring.lost();
  }
}
