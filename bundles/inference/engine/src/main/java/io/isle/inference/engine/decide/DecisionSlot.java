package io.isle.inference.engine.decide;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.Decider;
import io.isle.api.inference.Deciders;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import io.isle.api.inference.InferenceException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/**
 * The place of one decision's models, and the deciders that ask there. What serves is one volatile
 * reference. Any thread.
 */
public final class DecisionSlot implements Deciders {
  /** Most deciders of a decision. */
  static final int DECIDERS = 8192;

  /** Most groups of a decision. */
  static final int GROUPS = 1024;

  /** Largest ring of a decider. */
  static final long RING_BYTES = 64L << 20;

  private final DecisionPoint point;
  private final DecisionSpec spec;
  private final MonotonicClock clock;
  private final Set<SlotDecider> deciders = new CopyOnWriteArraySet<>();
  private final List<String> groups = new ArrayList<>();
  private volatile SlotState state;
  private int opened;
  private boolean closed;

  public DecisionSlot(DecisionPoint point, MonotonicClock clock) {
    this.point = point;
    this.clock = clock;
    spec = point.spec();
    state = SlotState.empty(spec.budgetNs());
  }

  /** The decision's owner. */
  public DecisionPoint point() {
    return point;
  }

  /** What the point had said of itself when it came. */
  public DecisionSpec spec() {
    return spec;
  }

  /** The models as they are now. */
  public SlotState state() {
    return state;
  }

  /** Puts other models in place; calls that run end with the former ones. */
  public synchronized void set(SlotState next) {
    prepare(next);
    state = next;
  }

  private void prepare(SlotState next) {
    prepare(next.serving());
    prepare(next.shadow());
    prepare(next.previous());
  }

  private void prepare(LoadedModel model) {
    if (model != null) {
      model.prepareUses(groups);
    }
  }

  @Override
  public Decider open(String group, int outstanding, Runnable yieldHook) {
    Objects.requireNonNull(yieldHook, "yieldHook");
    if (outstanding < 1 || outstanding > OUTSTANDING) {
      throw new InferenceException(
          Errno.EINVAL, "outstanding is " + outstanding + ", not 1 to " + OUTSTANDING);
    }
    int features = spec.features().size();
    int outputs = spec.outputs().size();
    long bytes = DecisionRing.bytes(outstanding, features, outputs);
    if (bytes > RING_BYTES) {
      throw new InferenceException(
          Errno.EINVAL,
          "outstanding is %d: the records take %d bytes, more than %d"
              .formatted(outstanding, bytes, RING_BYTES));
    }
    DecisionRing ring = new DecisionRing(outstanding, features, outputs);
    synchronized (this) {
      if (closed) {
        throw new InferenceException(Errno.ECLOSED, "the engine of inference has gone");
      }
      if (deciders.size() >= DECIDERS) {
        throw new InferenceException(
            Errno.ENOSPC, spec.name() + " has " + DECIDERS + " deciders already");
      }
      int stripe = opened++;
      SlotDecider decider =
          new SlotDecider(
              this, number(group), stripe, new GuardedInference(clock, yieldHook, stripe), ring);
      deciders.add(decider);
      return decider;
    }
  }

  private int number(String group) {
    int known = groups.indexOf(group);
    if (known >= 0) {
      return known;
    }
    if (!GroupNames.isName(group)) {
      throw new InferenceException(Errno.EINVAL, "'" + group + "' is no name of a group");
    }
    if (groups.size() < GROUPS) {
      groups.add(group);
      prepare(state);
      return groups.size() - 1;
    }
    return reused(group);
  }

  /** The number of a group that has no decider any more. */
  private int reused(String group) {
    BitSet taken = new BitSet();
    deciders.forEach(decider -> taken.set(decider.group()));
    int free = taken.nextClearBit(0);
    if (free >= GROUPS) {
      throw new InferenceException(
          Errno.ENOSPC, spec.name() + " has deciders of " + GROUPS + " groups already");
    }
    groups.set(free, group);
    prepare(state);
    return free;
  }

  /** The groups that have asked, by number. */
  public synchronized List<String> groups() {
    return List.copyOf(groups);
  }

  /** The open deciders. */
  public Set<SlotDecider> deciders() {
    return deciders;
  }

  synchronized void forget(SlotDecider decider) {
    deciders.remove(decider);
  }

  /** Closes all deciders, which answer by the rule from then on. Idempotent. */
  public void close() {
    synchronized (this) {
      closed = true;
    }
    deciders.forEach(SlotDecider::close);
  }
}
