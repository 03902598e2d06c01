package io.isle.lib.shm;

import static io.isle.lib.shm.Words.LONG;
import static io.isle.lib.shm.Words.U32;
import static io.isle.lib.shm.Words.U64;

import io.isle.lib.shm.ChannelLayout.Completion;
import java.lang.foreign.MemorySegment;

/**
 * Reader of a channel's completion ring: many writers in the driver, one reader in the core. The
 * reader uses only its own position and copies each field once, so a hostile writer can only
 * corrupt its own records. Allocates nothing.
 */
public final class CompletionRing {
  private final MemorySegment channel;
  private final long base;
  private final int capacity;
  private long position;
  private boolean overrun;

  CompletionRing(MemorySegment channel, long base, int capacity) {
    this.channel = channel;
    this.base = base;
    this.capacity = capacity;
  }

  /** Receives completions with the unchecked values of the writer. */
  @FunctionalInterface
  public interface Handler {
    void completed(long tag, int status, long startNs, long endNs, long busyNs, int detail);
  }

  /**
   * Whether a writer has overwritten unread records. The ring has a slot for every submission in
   * flight, so such a writer has written records without a submission.
   */
  public boolean overrun() {
    return overrun;
  }

  /** Number of records read so far. */
  public long taken() {
    return position;
  }

  /**
   * Passes up to {@code limit} records to a handler.
   *
   * @return the number of passed records
   */
  public int drain(int limit, Handler handler) {
    int count = 0;
    while (count < limit) {
      long slot = base + (position & (capacity - 1)) * ChannelLayout.SLOT_BYTES;
      long seq = (long) LONG.getAcquire(channel, slot + Completion.SEQ);
      if (seq != position + 1) {
        overrun |= seq - position > 1;
        break;
      }
      position++;
      count++;
      handler.completed(
          channel.get(U64, slot + Completion.TAG),
          channel.get(U32, slot + Completion.STATUS),
          channel.get(U64, slot + Completion.START_NS),
          channel.get(U64, slot + Completion.END_NS),
          channel.get(U64, slot + Completion.BUSY_NS),
          channel.get(U32, slot + Completion.DETAIL));
    }
    return count;
  }
}
