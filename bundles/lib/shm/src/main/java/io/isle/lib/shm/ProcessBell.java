package io.isle.lib.shm;

import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The page on which one process rings for an agent: mapped by that process and by the core, and by
 * nobody else. The agent sleeps on it between {@link AgentBells#add} and {@link AgentBells#remove}.
 */
public final class ProcessBell implements AutoCloseable {
  private final MemoryFile file;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment page;
  private final MemorySegment word;

  /** The agent's. */
  private long wakes;

  /**
   * Makes the page.
   *
   * @throws PosixException when the kernel refuses
   */
  public ProcessBell() {
    file = MemoryFile.create("isle-doorbell", ChannelLayout.Bell.SEGMENT_BYTES);
    boolean made = false;
    try {
      page = file.map(arena);
      file.seal(false);
      made = true;
    } finally {
      if (!made) {
        arena.close();
        file.close();
      }
    }
    word = page.asSlice(ChannelLayout.Bell.BELL, 4);
  }

  public MemorySegment page() {
    return page;
  }

  /** To pass to the process; valid until {@link #close}. */
  public int descriptor() {
    return file.descriptor();
  }

  /**
   * How often the process woke the agent, or kept it from falling asleep. Of one ring it may be
   * two: the agent sees the word change, goes to sleep again, and is woken by what the ring does
   * last. The agent's thread only.
   */
  public long wakes() {
    return wakes;
  }

  void woke() {
    wakes++;
  }

  MemorySegment word() {
    return word;
  }

  /** The count of rings so far, or whatever a hostile process wrote. */
  int rings() {
    return (int) Words.INT.getVolatile(page, ChannelLayout.Bell.BELL);
  }

  /** Unmaps the page. No agent may sleep on it any more. */
  @Override
  public void close() {
    file.close();
    arena.close();
  }
}
