package io.isle.lib.shm;

import io.isle.lib.ffi.Futex;
import java.lang.foreign.MemorySegment;

/**
 * The side of a process that rings for an agent of the core by a {@link ProcessBell}. Allocates
 * nothing. One thread.
 */
public final class RemoteBell {
  private final MemorySegment page;
  private final MemorySegment word;
  private final MemorySegment agentPage;

  /**
   * @param page of the process' bell, for reading and writing
   * @param agentPage of the agent's bells; reading is enough
   */
  public RemoteBell(MemorySegment page, MemorySegment agentPage) {
    this.page = page;
    this.agentPage = agentPage;
    word = page.asSlice(ChannelLayout.Bell.BELL, 4);
  }

  /** Wakes the agent, or prevents its next sleep. */
  public void ring() {
    int ignored = (int) Words.INT.getAndAdd(page, ChannelLayout.Bell.BELL, 1);
    if ((int) Words.INT.getVolatile(agentPage, ChannelLayout.AgentPage.SLEEPING) != 0) {
      Futex.wake(word, 1);
    }
  }
}
