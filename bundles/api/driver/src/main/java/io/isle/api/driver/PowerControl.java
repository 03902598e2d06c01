package io.isle.api.driver;

import java.util.Optional;
import java.util.Set;

/** Extension: changes of power states (accelerator framework, 42.3.1). Control lane. */
public interface PowerControl {
  /** Power states, with the numbers of the driver ABI. */
  enum State {
    /** Full function. */
    D0_ACTIVE(0),
    /** Contexts and memory stay; work runs at the lowest clock. */
    D1_LOW_POWER(1),
    /** Off: contexts and memory are lost, and only the close of the device may follow. */
    D3_OFF(3);

    private final int code;

    State(int code) {
      this.code = code;
    }

    /** The number in the driver ABI and in {@link PowerState#level}. */
    public int code() {
      return code;
    }

    /** The state with this number; empty for an unknown number. */
    public static Optional<State> of(int code) {
      return java.util.Arrays.stream(values()).filter(state -> state.code == code).findFirst();
    }
  }

  /** States that {@link #enter} supports; always with D0_ACTIVE. */
  Set<State> states();

  /**
   * Enters a power state; afterwards {@link AccelDevice#power} reports this state.
   *
   * @throws DriverException ENOTSUP for a state that the device lacks
   */
  void enter(State state);
}
