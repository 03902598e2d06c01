package io.isle.fabric.ring.isle;

import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.RingPort;
import io.isle.fabric.ring.link.PlainPort;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What all ports in virtual time have: a transport closes them, parks them, and opens them again.
 */
abstract class FakePort extends PlainPort {
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

  @Override
  public void close() {
    open = false;
  }

  /** The path goes on while no transport has the port. */
  @Override
  public Optional<ParkedPort> park() {
    return Optional.of(new ParkedPort(FORMAT, List.of(), Map.of()));
  }

  @Override
  public String reason() {
    return why;
  }
}
