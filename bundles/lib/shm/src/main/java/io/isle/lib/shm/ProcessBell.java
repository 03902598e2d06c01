package io.isle.lib.shm;

import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.ffi.PosixException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The page on which one process rings for an agent. Only this process and the core map the page.
 * The agent sleeps on this page between {@link AgentBells#add} and {@link AgentBells#remove}.
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
   * @throws PosixException if the kernel refuses
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

  /** The page, mapped in the core. */
  public MemorySegment page() {
    return page;
  }

  /** File descriptor to pass to the process; valid until {@link #close}. */
  public int descriptor() {
    return file.descriptor();
  }

  /**
   * Number of times that the process woke the agent, or prevented a sleep. One ring may count
   * twice: the agent sees the change of the word, sleeps again, and is woken by the last step of
   * the ring. The agent's thread only.
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

  /** Number of rings so far, or any value written by a hostile process. */
  int rings() {
    return (int) Words.INT.getVolatile(page, ChannelLayout.Bell.BELL);
  }

  /** Unmaps the page. No agent may sleep on the page any longer. */
  @Override
  public void close() {
    file.close();
    arena.close();
  }
}
