package io.isle.lib.shm;

import static io.isle.lib.shm.Words.LONG;
import static io.isle.lib.shm.Words.U32;
import static io.isle.lib.shm.Words.U64;

import io.isle.lib.shm.ChannelLayout.Request;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Writer of a channel's request ring: one writer in the core, one reader in the driver host. The
 * sequence word of a slot publishes the slot (release); the slot is free again after the reader has
 * counted past it. Allocates nothing.
 */
public final class RequestRing {
  private static final VarHandle POSITION = position();

  private final MemorySegment channel;
  private final long base;
  private final int capacity;
  private long position;
  private long taken;

  RequestRing(MemorySegment channel, long base, int capacity) {
    this.channel = channel;
    this.base = base;
    this.capacity = capacity;
  }

  private static VarHandle position() {
    try {
      return MethodHandles.lookup().findVarHandle(RequestRing.class, "position", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Publishes a submission.
   *
   * @param seen {@link CompletionRing#taken} at this moment: the host returns the submission if
   *     earlier work of the context has been returned since
   * @return false if the ring is full
   */
  public boolean offerSubmit(long tag, long context, long offset, int length, long seen) {
    return offer(Request.SUBMIT, tag, context, offset, length, 0, seen);
  }

  /**
   * Publishes a preemption request.
   *
   * @return false if the ring is full
   */
  public boolean offerPreempt(long context, int reason) {
    return offer(Request.PREEMPT, 0, context, 0, 0, reason, 0);
  }

  /** False if the reader claims to have read unwritten slots, or decreases its count. */
  public boolean sane() {
    long now = (long) LONG.getAcquire(channel, ChannelLayout.REQUESTS_TAKEN);
    return now - taken >= 0 && position - now >= 0;
  }

  /** Whether the reader has unread requests; any thread, a snapshot. */
  public boolean pending() {
    return (long) POSITION.getOpaque(this)
            - (long) LONG.getAcquire(channel, ChannelLayout.REQUESTS_TAKEN)
        > 0;
  }

  private boolean offer(
      int kind, long tag, long context, long offset, int length, int reason, long seen) {
    if (position - taken >= capacity) {
      long now = (long) LONG.getAcquire(channel, ChannelLayout.REQUESTS_TAKEN);
      if (now - taken <= 0 || position - now < 0) {
        return false;
      }
      taken = now;
    }
    long slot = base + (position & (capacity - 1)) * ChannelLayout.SLOT_BYTES;
    channel.set(U64, slot + Request.TAG, tag);
    channel.set(U64, slot + Request.CONTEXT, context);
    channel.set(U64, slot + Request.OFFSET, offset);
    channel.set(U32, slot + Request.LENGTH, length);
    channel.set(U32, slot + Request.KIND, kind);
    channel.set(U32, slot + Request.REASON, reason);
    channel.set(U64, slot + Request.SEEN, seen);
    POSITION.setOpaque(this, position + 1);
    LONG.setRelease(channel, slot + Request.SEQ, position);
    return true;
  }
}
