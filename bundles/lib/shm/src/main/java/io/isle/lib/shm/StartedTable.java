package io.isle.lib.shm;

import static io.isle.lib.shm.Words.LONG;

import io.isle.lib.shm.ChannelLayout.Started;
import java.lang.foreign.MemorySegment;

/**
 * Reader of a channel's started table: an entry for each index of a tag, written by the driver's
 * threads. Allocates nothing.
 */
public final class StartedTable {
  private final MemorySegment channel;
  private final long base;
  private final int entries;

  StartedTable(MemorySegment channel, long base, int entries) {
    this.channel = channel;
    this.base = base;
    this.entries = entries;
  }

  /** Limit of submissions in flight: indices are below this number. */
  public int entries() {
    return entries;
  }

  /**
   * Reported begin of the work of a submission in flight, unchecked; 0 before the begin.
   *
   * @param tag with an index (low half) below {@link #entries}
   */
  public long startNs(long tag) {
    long entry = base + (int) tag * (long) ChannelLayout.STARTED_BYTES;
    return (long) LONG.getAcquire(channel, entry + Started.TAG) == tag
        ? (long) LONG.getOpaque(channel, entry + Started.START_NS)
        : 0;
  }
}
