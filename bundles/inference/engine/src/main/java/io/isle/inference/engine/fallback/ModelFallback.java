package io.isle.inference.engine.fallback;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.FallbackReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * All fallbacks of one model: of itself, of its groups, of its devices. What a group's data cause
 * stays with the group, unless more than half of the groups have it. Thread-safe; events are told
 * under the lock, to a consumer that does not call back.
 */
public final class ModelFallback {
  /** A group with fewer outcomes does not count when groups are compared. */
  public static final long OUTCOMES = 200;

  private final String model;
  private final FallbackGates gates;
  private final MonotonicClock clock;
  private final Consumer<FallbackEvent> events;
  private final FallbackMachine whole;
  private final Map<String, FallbackMachine> groups = new TreeMap<>();
  private final Map<String, FallbackMachine> devices = new TreeMap<>();
  private final Map<String, Long> outcomes = new TreeMap<>();
  private FallbackTimes times;

  /**
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
    this.model = model;
    this.gates = gates;
    this.times = times;
    this.clock = clock;
    this.events = events;
    whole =
        new FallbackMachine(FallbackScope.ofModel(model), gates.ofModel(), times, clock, events);
  }

  /** The gates are others than before, such as those of another model. */
  public synchronized void gatesChanged() {
    whole.gate(gates.ofModel());
    groups.forEach((group, machine) -> machine.gate(gates.ofGroup(group)));
    devices.forEach((device, machine) -> machine.gate(gates.ofDevice(device)));
  }

  /** Other times for all. */
  public synchronized void times(FallbackTimes changed) {
    times = changed;
    whole.times(changed);
    groups.values().forEach(machine -> machine.times(changed));
    devices.values().forEach(machine -> machine.times(changed));
  }

  /** The model went wrong for all. */
  public synchronized void enter(FallbackReason reason) {
    whole.enter(reason);
  }

  /** A device went wrong for this model. */
  public synchronized void enterDevice(String device, FallbackReason reason) {
    device(device).enter(reason);
  }

  /** A group has lost the model. */
  public synchronized void enterGroup(String group, FallbackReason reason) {
    if (group(group).enter(reason)) {
      compare(reason);
    }
  }

  /** The drift of a group has ended. */
  public synchronized void driftEnded(String group) {
    group(group).driftEnded();
  }

  /** How many outcomes a group has had with this model in all. */
  public synchronized void outcomes(String group, long total) {
    Long before = outcomes.put(group, total);
    if (total >= OUTCOMES && (before == null || before < OUTCOMES)) {
      group(group).state().reason().ifPresent(this::compare);
    }
  }

  /** Calls that the rule decided in a group because the model was in fallback. */
  public synchronized void fallbackCalls(String group, long more) {
    group(group).fallbackCalls(more);
    whole.fallbackCalls(more);
  }

  /** See {@link FallbackMachine#tried}. */
  public synchronized void tried(boolean success) {
    whole.tried(success);
  }

  /** See {@link FallbackMachine#tried}. */
  public synchronized void tried(String group, boolean success) {
    group(group).tried(success);
  }

  /** See {@link FallbackMachine#tried}. */
  public synchronized void triedDevice(String device, boolean success) {
    device(device).tried(success);
  }

  /** See {@link FallbackMachine#tick}. */
  public synchronized void tick() {
    whole.tick();
    groups.values().forEach(FallbackMachine::tick);
    devices.values().forEach(FallbackMachine::tick);
  }

  /** Switches the model off for all. */
  public synchronized boolean disable() {
    return whole.disable();
  }

  /** Switches the model off for a group. */
  public synchronized boolean disable(String group) {
    return group(group).disable();
  }

  /**
   * An administrator has looked at it: the model decides again, for all groups and devices.
   *
   * @return see {@link FallbackMachine#reset}
   */
  public synchronized boolean reset() {
    groups.values().forEach(FallbackMachine::reset);
    devices.values().forEach(FallbackMachine::reset);
    return whole.reset();
  }

  /** An administrator gives the model back to a group. */
  public synchronized boolean reset(String group) {
    return group(group).reset();
  }

  /** See {@link FallbackMachine#hold}. */
  public synchronized boolean hold() {
    return whole.hold();
  }

  /** See {@link FallbackMachine#hold}. */
  public synchronized boolean hold(String group) {
    return group(group).hold();
  }

  /** See {@link FallbackMachine#retry}. */
  public synchronized boolean retry() {
    return whole.retry();
  }

  /** See {@link FallbackMachine#retry}. */
  public synchronized boolean retry(String group) {
    return group(group).retry();
  }

  /** Another model has taken the place: what was the old one's ends, for all. */
  public synchronized void modelReplaced() {
    whole.modelReplaced();
    groups.values().forEach(FallbackMachine::modelReplaced);
    devices.values().forEach(FallbackMachine::modelReplaced);
    outcomes.clear();
  }

  /** A device was reset or replaced. */
  public synchronized void deviceReset(String device) {
    device(device).deviceReset();
  }

  /** A group decides no longer; what it has lost stays lost when it comes again. */
  public synchronized void forget(String group) {
    outcomes.remove(group);
    FallbackMachine machine = groups.get(group);
    if (machine != null && machine.save().isEmpty()) {
      groups.remove(group);
    }
  }

  /** The state for all groups. */
  public synchronized FallbackState state() {
    return whole.state();
  }

  /** The state of a group. */
  public synchronized FallbackState state(String group) {
    return group(group).state();
  }

  /** The states of the groups and devices that are in fallback. */
  public synchronized List<FallbackState> states() {
    List<FallbackState> states = new ArrayList<>();
    groups.values().forEach(machine -> states.add(machine.state()));
    devices.values().forEach(machine -> states.add(machine.state()));
    states.removeIf(state -> state.reason().isEmpty());
    return states;
  }

  /** What a restart needs. */
  public synchronized List<SavedFallback> save() {
    List<SavedFallback> saved = new ArrayList<>();
    whole.save().ifPresent(saved::add);
    groups.values().forEach(machine -> machine.save().ifPresent(saved::add));
    devices.values().forEach(machine -> machine.save().ifPresent(saved::add));
    return saved;
  }

  /** Goes on with what was before a restart; before the first call of another method. */
  public synchronized void restore(List<SavedFallback> saved) {
    for (SavedFallback one : saved) {
      FallbackScope scope = one.scope();
      if (!scope.model().equals(model)) {
        throw new IllegalArgumentException("a fallback of " + scope.model() + ", not of " + model);
      }
      if (scope.isGroup()) {
        group(scope.group()).restore(one);
      } else if (scope.device().isEmpty()) {
        whole.restore(one);
      } else {
        device(scope.device()).restore(one);
      }
    }
  }

  private FallbackMachine group(String group) {
    return groups.computeIfAbsent(
        group,
        name ->
            new FallbackMachine(
                FallbackScope.ofGroup(model, name), gates.ofGroup(name), times, clock, events));
  }

  private FallbackMachine device(String device) {
    return devices.computeIfAbsent(
        device,
        name ->
            new FallbackMachine(
                FallbackScope.ofDevice(model, name), gates.ofDevice(name), times, clock, events));
  }

  /** Whether it is the model that is wrong, and not a single group's data. */
  private void compare(FallbackReason reason) {
    if (!FallbackRules.isOfData(reason)) {
      return;
    }
    int ripe = 0;
    int same = 0;
    for (Map.Entry<String, Long> group : outcomes.entrySet()) {
      if (group.getValue() >= OUTCOMES) {
        ripe++;
        FallbackMachine machine = groups.get(group.getKey());
        same += machine != null && machine.hasFault(reason.getClass()) ? 1 : 0;
      }
    }
    if (2 * same > ripe) {
      whole.enter(reason);
    }
  }
}
