package io.isle.inference.engine.fallback;

import io.isle.api.inference.FallbackEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A clock that stands still, gates that remember their position, and the events so far. */
final class TestFallback implements FallbackGates {
  static final long SECOND = 1_000_000_000L;

  /** What a gate was told last. */
  enum Position {
    OPEN,
    CLOSED,
    TRIAL
  }

  /** One gate. */
  static final class Gate implements FallbackGate {
    Position position = Position.OPEN;

    @Override
    public void open() {
      position = Position.OPEN;
    }

    @Override
    public void close() {
      position = Position.CLOSED;
    }

    @Override
    public void allowTrial() {
      position = Position.TRIAL;
    }
  }

  final TreeMap<String, Gate> gates = new TreeMap<>();
  final List<FallbackEvent> events = new ArrayList<>();
  long now;

  Gate gate(String scope) {
    return gates.computeIfAbsent(scope, name -> new Gate());
  }

  @Override
  public FallbackGate ofModel() {
    return gate("");
  }

  @Override
  public FallbackGate ofGroup(String group) {
    return gate(group);
  }

  @Override
  public FallbackGate ofDevice(String device) {
    return gate("device " + device);
  }

  FallbackMachine machine(FallbackScope scope) {
    return new FallbackMachine(
        scope, gate(scope.group()), FallbackTimes.DEFAULT, () -> now, events::add);
  }

  ModelFallback model() {
    return new ModelFallback("page_prefetch", this, FallbackTimes.DEFAULT, () -> now, events::add);
  }

  /** Waits, with a tick each second. */
  void pass(long seconds, Runnable tick) {
    for (long i = 0; i < seconds; i++) {
      now += SECOND;
      tick.run();
    }
  }

  /** The kinds of the events so far, which are forgotten. */
  List<FallbackEvent.Type> takeTypes() {
    List<FallbackEvent.Type> types = events.stream().map(FallbackEvent::type).toList();
    events.clear();
    return types;
  }
}
