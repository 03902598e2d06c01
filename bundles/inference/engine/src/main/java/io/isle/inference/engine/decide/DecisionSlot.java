package io.isle.inference.engine.decide;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.Decider;
import io.isle.api.inference.Deciders;
import io.isle.api.inference.DecisionPoint;
import io.isle.api.inference.DecisionSpec;
import io.isle.api.inference.InferenceException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArraySet;

/**
 * The place of one decision's models, and the deciders that ask there. What serves is one volatile
 * reference. Any thread.
 */
public final class DecisionSlot implements Deciders {
  /** Most deciders of a decision. */
  static final int DECIDERS = 8192;

  /** Most closed deciders whose last records are kept for a round of scoring. */
  static final int LEAVING = 256;

  /** Largest ring of a decider. */
  static final long RING_BYTES = 64L << 20;

  private final DecisionPoint point;
  private final DecisionSpec spec;
  private final MonotonicClock clock;
  private final Set<SlotDecider> deciders = new CopyOnWriteArraySet<>();

  /** Closed ones whose records nobody has read yet. */
  private final Deque<SlotDecider> leaving = new ArrayDeque<>();

  /** The groups with deciders. */
  private final Map<String, GroupUse> uses = new TreeMap<>();

  private volatile SlotState state;
  private volatile CallLimits limits = CallLimits.DEFAULT;
  private SlotGates gates;
  private int opened;
  private boolean closed;

  /**
   * @param gates say whether a model may answer
   */
  public DecisionSlot(DecisionPoint point, SlotGates gates, MonotonicClock clock) {
    this.point = point;
    this.gates = gates;
    this.clock = clock;
    spec = point.spec();
    state = new SlotState(null, null, null, gates.model(), Mode.ACTIVE, spec.budgetNs(), false);
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
    if (next.serving() != state.serving()) {
      deciders.forEach(decider -> decider.watch(next.serving()));
      uses.values().forEach(GroupUse::validOutput);
    }
    state = next.guardedBy(gates.model());
  }

  /** Lets other gates say whether models may answer. */
  public synchronized void guardBy(SlotGates other) {
    gates = other;
    uses.values().forEach(use -> use.guardBy(other.group(use.group())));
    state = state.guardedBy(other.model());
  }

  /** What calls may be like. */
  CallLimits limits() {
    return limits;
  }

  /** Other limits for all deciders. */
  public synchronized void limits(CallLimits changed) {
    boolean others = !changed.distribution().equals(limits.distribution());
    limits = changed;
    uses.values().forEach(use -> use.limits(changed));
    if (others) {
      deciders.forEach(SlotDecider::watchAnew);
    }
  }

  @Override
  public Decider open(String group, int outstanding, Runnable yieldHook) {
    Objects.requireNonNull(yieldHook, "yieldHook");
    if (!GroupNames.isName(group)) {
      throw new InferenceException(
          Errno.EINVAL, "group: '" + group + "' does not match " + GroupNames.RULE);
    }
    DecisionRing ring = ring(outstanding);
    synchronized (this) {
      if (closed) {
        throw new InferenceException(Errno.ECLOSED, "the engine of inference has gone");
      }
      if (deciders.size() >= DECIDERS) {
        throw new InferenceException(
            Errno.ENOSPC, spec.name() + " has " + DECIDERS + " deciders already");
      }
      int stripe = opened++;
      GroupUse use =
          uses.computeIfAbsent(group, name -> new GroupUse(name, gates.group(name), limits));
      SlotDecider decider =
          new SlotDecider(
              this, use, stripe, new GuardedInference(this, clock, yieldHook, stripe), ring);
      deciders.add(decider);
      return decider;
    }
  }

  private DecisionRing ring(int outstanding) {
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
    return new DecisionRing(outstanding, features, outputs);
  }

  /** The groups that have deciders. */
  public synchronized List<GroupUse> uses() {
    return List.copyOf(uses.values());
  }

  /** The open deciders. */
  public Set<SlotDecider> deciders() {
    return deciders;
  }

  /** A decider that was closed since the last call, to be read for the last time; or null. */
  public synchronized SlotDecider takeLeaving() {
    return leaving.poll();
  }

  synchronized void forget(SlotDecider decider) {
    boolean was = deciders.remove(decider);
    if (was && !closed && leaving.size() < LEAVING) {
      leaving.add(decider);
    }
    if (was && deciders.stream().noneMatch(other -> other.use() == decider.use())) {
      uses.remove(decider.use().group());
    }
  }

  /** Closes all deciders, which answer by the rule from then on. Idempotent. */
  public void close() {
    synchronized (this) {
      closed = true;
    }
    deciders.forEach(SlotDecider::close);
  }
}
