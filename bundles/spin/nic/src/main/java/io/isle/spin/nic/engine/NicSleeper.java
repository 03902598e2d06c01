package io.isle.spin.nic.engine;

import io.isle.lib.agent.AgentSleeper;
import io.isle.lib.ffi.EventDescriptor;
import io.isle.lib.ffi.PollSet;

/** The sleep of an interface's agent: until a frame may have come, or there is an order. */
final class NicSleeper implements AgentSleeper, AutoCloseable {
  private static final int EVENT = 0;
  private static final int PORT = 1;
  private static final int HOST = 2;
  private static final int ALL = 3;
  private static final long LONGEST_NS = 60_000_000_000L;

  private final NicEngine engine;
  private final EventDescriptor event = new EventDescriptor();
  private final PollSet set = new PollSet(ALL);

  NicSleeper(NicEngine engine) {
    this.engine = engine;
    set.set(EVENT, event.descriptor(), PollSet.POLLIN);
  }

  @Override
  public void look() {
    set.set(PORT, engine.port().descriptor(), PollSet.POLLIN);
    set.set(HOST, engine.host().descriptor(), PollSet.POLLIN);
  }

  @Override
  public void sleep(long timeoutNs) {
    int count = set.await(ALL, Math.min(timeoutNs, LONGEST_NS));
    if (count > 0 && set.happened(EVENT) != 0) {
      long ignored = event.drain();
    }
  }

  @Override
  public void wake() {
    event.signal();
  }

  @Override
  public void close() {
    event.close();
  }
}
