package io.isle.inference.engine.fallback;

/** The gates of one model; asked anew after {@link ModelFallback#gatesChanged}. */
public interface FallbackGates {
  /** Where all calls of the model are held back. */
  FallbackGate ofModel();

  /** Where the calls of a group are held back. */
  FallbackGate ofGroup(String group);

  /** Where the use of a device is held back. */
  FallbackGate ofDevice(String device);
}
