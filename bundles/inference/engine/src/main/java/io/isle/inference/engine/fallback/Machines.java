package io.isle.inference.engine.fallback;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.FallbackReason;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The machines of one model: its own, those of its groups and devices. One thread at a time. */
final class Machines {
  private final String model;
  private final FallbackGates gates;
  private final MonotonicClock clock;
  private final Consumer<FallbackEvent> events;
  private final FallbackMachine whole;
  private final Map<String, FallbackMachine> groups = new TreeMap<>();
  private final Map<String, FallbackMachine> devices = new TreeMap<>();
  private FallbackTimes times;

  Machines(
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
    whole = made(FallbackScope.ofModel(model), gates.ofModel());
  }

  private FallbackMachine made(FallbackScope scope, FallbackGate gate) {
    return new FallbackMachine(scope, gate, times, clock, events);
  }

  void gatesChanged() {
    whole.gate(gates.ofModel());
    groups.forEach((group, machine) -> machine.gate(gates.ofGroup(group)));
    devices.forEach((device, machine) -> machine.gate(gates.ofDevice(device)));
  }

  void times(FallbackTimes changed) {
    times = changed;
    each(machine -> machine.times(changed));
  }

  FallbackMachine whole() {
    return whole;
  }

  FallbackMachine group(String group) {
    return groups.computeIfAbsent(
        group, name -> made(FallbackScope.ofGroup(model, name), gates.ofGroup(name)));
  }

  FallbackMachine device(String device) {
    return devices.computeIfAbsent(
        device, name -> made(FallbackScope.ofDevice(model, name), gates.ofDevice(name)));
  }

  /**
   * The machine of a scope.
   *
   * @throws IllegalArgumentException for a scope of another model
   */
  FallbackMachine of(FallbackScope scope) {
    if (!scope.model().equals(model)) {
      throw new IllegalArgumentException("a fallback of " + scope.model() + ", not of " + model);
    }
    if (scope.isGroup()) {
      return group(scope.group());
    }
    return scope.device().isEmpty() ? whole : device(scope.device());
  }

  /** Whether a group has a fault of this kind. */
  boolean hasFault(String group, Class<? extends FallbackReason> kind) {
    FallbackMachine machine = groups.get(group);
    return machine != null && machine.hasFault(kind);
  }

  /** Forgets the machine of a group that keeps it from nothing. */
  void forget(String group) {
    FallbackMachine machine = groups.get(group);
    if (machine != null && machine.save().isEmpty()) {
      groups.remove(group);
    }
  }

  /** That of the model first, then those of groups, then those of devices. */
  void each(Consumer<FallbackMachine> action) {
    action.accept(whole);
    parts(action);
  }

  /** Those of groups, then those of devices. */
  void parts(Consumer<FallbackMachine> action) {
    groups.values().forEach(action);
    devices.values().forEach(action);
  }
}
