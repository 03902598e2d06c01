package io.isle.core.drivers.groups;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The ports that the agent polls, the device's own first. {@link #poll} is the agent's; changes are
 * made one at a time.
 */
final class PolledPorts {
  private static final long BOUND_NS = 1_000_000_000L;
  private static final VarHandle POLLS;

  static {
    try {
      POLLS = MethodHandles.lookup().findVarHandle(PolledPorts.class, "polls", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final HostPort root;
  private volatile HostPort[] ports;

  /** Odd while the agent is in {@link #poll}. */
  @SuppressWarnings("unused")
  private volatile long polls;

  PolledPorts(HostPort root) {
    this.root = root;
    ports = new HostPort[] {root};
  }

  void add(HostPort port) {
    HostPort[] now = Arrays.copyOf(ports, ports.length + 1);
    now[ports.length] = port;
    ports = now;
  }

  void remove(HostPort port) {
    List<HostPort> others = new ArrayList<>(List.of(ports));
    boolean ignored = others.remove(port);
    ports = others.toArray(HostPort[]::new);
  }

  /** The agent is not where it could use what was just taken out. */
  void awaitPoll() {
    long seen = (long) POLLS.getVolatile(this);
    long deadline = System.nanoTime() + BOUND_NS;
    while ((seen & 1) == 1
        && (long) POLLS.getVolatile(this) == seen
        && deadline - System.nanoTime() > 0) {
      LockSupport.parkNanos(50_000);
    }
  }

  int poll(int limit) {
    long turn = polls;
    POLLS.setVolatile(this, turn + 1);
    try {
      HostPort[] all = ports;
      int count = root.pollRoot(limit);
      for (int i = 1; i < all.length; i++) {
        count += all[i].collect(limit);
      }
      return count;
    } finally {
      POLLS.setVolatile(this, turn + 2);
    }
  }
}
