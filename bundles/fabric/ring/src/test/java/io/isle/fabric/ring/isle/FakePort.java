package io.isle.fabric.ring.isle;

import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingPort;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What all ports in virtual time have: a transport closes them, parks them, and opens them again.
 */
abstract class FakePort {
  static final String FORMAT = "fake/1";

  /** Whether a transport has the port; else nothing connects. */
  boolean open = true;

  String why = "";

  /** A transport opens the port: nothing is left of the time before. */
  void reopen() {
    close();
    open = true;
  }

  /** The port itself, of its kind. */
  abstract RingPort kind();

  public void close() {
    open = false;
  }

  /** The path goes on while no transport has the port. */
  public Optional<ParkedPort> park() {
    return Optional.of(new ParkedPort(FORMAT, List.of(), Map.of()));
  }

  public abstract PortState state();

  public String reason() {
    return why;
  }

  public Optional<String> peer() {
    return Optional.empty();
  }

  public List<String> notes() {
    return List.of();
  }

  public long foreign() {
    return 0;
  }

  public long strays() {
    return 0;
  }

  public void interests(RingPort.Interests events, int wanted) {}
}
