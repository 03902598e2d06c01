package io.isle.fabric.ring.link;

import io.isle.api.fabric.ParkedPort;
import io.isle.api.fabric.RingPort;
import java.util.List;
import java.util.Optional;

/** What a port of a test, of any kind, has to tell, to wait for, and to keep: nothing. */
public abstract class PlainPort {
  public String reason() {
    return "";
  }

  public Optional<String> peer() {
    return Optional.empty();
  }

  public List<String> notes() {
    return List.of();
  }

  public long paths() {
    return 0;
  }

  public long foreign() {
    return 0;
  }

  public long strays() {
    return 0;
  }

  public long poll(long nowNs) {
    return Long.MAX_VALUE;
  }

  public void interests(RingPort.Interests events, int wanted) {}

  public Optional<ParkedPort> park() {
    return Optional.empty();
  }

  public void close() {}
}
