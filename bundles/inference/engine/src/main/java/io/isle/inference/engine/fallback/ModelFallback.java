package io.isle.inference.engine.fallback;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.FallbackReason;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * All fallbacks of one model: of itself, of its groups, of its devices. What a group's data cause
 * stays with the group, unless too many of the groups have it. Thread-safe; events are told under
 * the lock, to a consumer that does not call back.
 */
public final class ModelFallback {
  private final Machines machines;
  private final GroupComparison comparison = new GroupComparison();

  /**
   * Groups are compared by the default limits.
   *
   * @param model name of the decision
   * @param gates where calls are held back
   * @param events gets each event
   */
  public ModelFallback(
      String model,
      FallbackGates gates,
      FallbackTimes times,
      MonotonicClock clock,
      Consumer<FallbackEvent> events) {
    machines = new Machines(model, gates, times, clock, events);
  }

  /** The gates are others than before, such as those of another model. */
  public synchronized void gatesChanged() {
    machines.gatesChanged();
  }

  /** Other times and limits for all. */
  public synchronized void limits(FallbackTimes times, GroupLimits groups) {
    machines.times(times);
    comparison.limits(groups);
  }

  /** The model went wrong for all. */
  public synchronized void enter(FallbackReason reason) {
    machines.whole().enter(reason);
  }

  /** A device went wrong for this model. */
  public synchronized void enterDevice(String device, FallbackReason reason) {
    machines.device(device).enter(reason);
  }

  /** A group has lost the model. */
  public synchronized void enterGroup(String group, FallbackReason reason) {
    if (machines.group(group).enter(reason)) {
      compare(reason);
    }
  }

  /** The drift of a group has ended. */
  public synchronized void driftEnded(String group) {
    machines.group(group).driftEnded();
  }

  /** How many outcomes a group has had with this model in all. */
  public synchronized void outcomes(String group, long total) {
    if (comparison.ripens(group, total)) {
      machines.group(group).state().reason().ifPresent(this::compare);
    }
  }

  /** Calls that the rule decided in a group because the model was in fallback. */
  public synchronized void fallbackCalls(String group, long more) {
    machines.group(group).fallbackCalls(more);
    machines.whole().fallbackCalls(more);
  }

  /** See {@link FallbackMachine#tried}. */
  public synchronized void tried(boolean success) {
    machines.whole().tried(success);
  }

  /** See {@link FallbackMachine#tried}. */
  public synchronized void tried(String group, boolean success) {
    machines.group(group).tried(success);
  }

  /** See {@link FallbackMachine#tried}. */
  public synchronized void triedDevice(String device, boolean success) {
    machines.device(device).tried(success);
  }

  /** See {@link FallbackMachine#tick}. */
  public synchronized void tick() {
    machines.each(FallbackMachine::tick);
  }

  /** Switches the model off for all. */
  public synchronized boolean disable() {
    return machines.whole().disable();
  }

  /** Switches the model off for a group. */
  public synchronized boolean disable(String group) {
    return machines.group(group).disable();
  }

  /**
   * An administrator has looked at it: the model decides again, for all groups and devices.
   *
   * @return see {@link FallbackMachine#reset}
   */
  public synchronized boolean reset() {
    machines.parts(FallbackMachine::reset);
    return machines.whole().reset();
  }

  /** An administrator gives the model back to a group. */
  public synchronized boolean reset(String group) {
    return machines.group(group).reset();
  }

  /** See {@link FallbackMachine#hold}. */
  public synchronized boolean hold() {
    return machines.whole().hold();
  }

  /** See {@link FallbackMachine#hold}. */
  public synchronized boolean hold(String group) {
    return machines.group(group).hold();
  }

  /** See {@link FallbackMachine#retry}. */
  public synchronized boolean retry() {
    return machines.whole().retry();
  }

  /** See {@link FallbackMachine#retry}. */
  public synchronized boolean retry(String group) {
    return machines.group(group).retry();
  }

  /** Another model has taken the place: what was the old one's ends, for all. */
  public synchronized void modelReplaced() {
    machines.each(FallbackMachine::modelReplaced);
    comparison.clear();
  }

  /** A device was reset or replaced. */
  public synchronized void deviceReset(String device) {
    machines.device(device).deviceReset();
  }

  /** A group decides no longer; what it has lost stays lost when it comes again. */
  public synchronized void forget(String group) {
    comparison.forget(group);
    machines.forget(group);
  }

  /** The state for all groups. */
  public synchronized FallbackState state() {
    return machines.whole().state();
  }

  /** The state of a group. */
  public synchronized FallbackState state(String group) {
    return machines.group(group).state();
  }

  /** The states of the groups and devices that are in fallback. */
  public synchronized List<FallbackState> states() {
    List<FallbackState> states = new ArrayList<>();
    machines.parts(machine -> states.add(machine.state()));
    states.removeIf(state -> state.reason().isEmpty());
    return states;
  }

  /** What a restart needs. */
  public synchronized List<SavedFallback> save() {
    List<SavedFallback> saved = new ArrayList<>();
    machines.each(machine -> machine.save().ifPresent(saved::add));
    return saved;
  }

  /** Goes on with what was before a restart; before the first call of another method. */
  public synchronized void restore(List<SavedFallback> saved) {
    saved.forEach(one -> machines.of(one.scope()).restore(one));
  }

  /** Whether it is the model that is wrong, and not a single group's data. */
  private void compare(FallbackReason reason) {
    if (FallbackRules.isOfData(reason)
        && comparison.isModels(group -> machines.hasFault(group, reason.getClass()))) {
      machines.whole().enter(reason);
    }
  }
}
