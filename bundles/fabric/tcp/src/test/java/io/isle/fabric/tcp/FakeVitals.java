package io.isle.fabric.tcp;

import java.util.HashMap;
import java.util.Map;

/** The kernel's values, but for connections that a test declares unanswered. */
final class FakeVitals implements Vitals {
  private final Vitals real = new KernelVitals();
  private final Map<Integer, Integer> retransmits = new HashMap<>();
  private final Map<Integer, Integer> probes = new HashMap<>();
  private int descriptor;

  void retransmits(int fd, int count) {
    retransmits.put(fd, count);
  }

  void probes(int fd, int count) {
    probes.put(fd, count);
  }

  @Override
  public int read(int fd) {
    descriptor = fd;
    return real.read(fd);
  }

  @Override
  public int state() {
    return real.state();
  }

  @Override
  public int retransmits() {
    return retransmits.getOrDefault(descriptor, real.retransmits());
  }

  @Override
  public int probes() {
    return probes.getOrDefault(descriptor, real.probes());
  }

  /** Of a connection that is declared unanswered, unknown. */
  @Override
  public long sinceAcknowledged() {
    return retransmits.containsKey(descriptor) || probes.containsKey(descriptor)
        ? -1
        : real.sinceAcknowledged();
  }
}
