package io.isle.api.accel;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Writes a command envelope in place: first {@link #after}, then {@link #use}, then operations. A
 * mistake is remembered and returned by {@link Context#submit}; nothing here throws, and nothing
 * but {@link #mistake} allocates. Used by the submitting thread.
 */
@ProviderType
public interface CommandWriter {
  /** Longest time of {@link #waitAtMost}: an hour. */
  long MAX_WAIT_NS = 3_600_000_000_000L;

  /**
   * The submission starts when {@code point} of {@code timeline} has ended. At most 8.
   *
   * <p>A context's point must have been submitted (EINVAL; EDEADLK when it is a later one of this
   * context), the timeline must be of the same tenant or shared with it (EACCES), and a context's
   * device in the same fence domain (EXDEV). A point that fails counts as ended; when a {@link
   * HostTimeline} is over before the point was signalled, the submission ends with its code.
   */
  CommandWriter after(Timeline timeline, long point);

  /**
   * As {@link #after(Timeline, long)}, for a point by value: ESTALE when its timeline is gone,
   * EINVAL when its type or device are not those of the timeline.
   */
  CommandWriter after(Fence fence);

  /**
   * The submission ends with ETIMEDOUT when what it waits for is not over so long after it was
   * submitted. Without it, waits for contexts' points have no limit, and those for points of a
   * {@link HostTimeline} the administrator's ({@code host_wait_ms}).
   *
   * @param timeoutNs 1 ns to {@link #MAX_WAIT_NS}; else ERANGE
   */
  CommandWriter waitAtMost(long timeoutNs);

  /**
   * Signals a point at the end of the submission, with its code; whoever waits for it finds the
   * submission's status final. One a submission. A point that is signalled by then is left alone.
   *
   * @param timeline of the same tenant (EACCES), not over (its code)
   * @param point above {@link Timeline#ended} (EINVAL); EDEADLK when the submission waits for it or
   *     a later one
   */
  CommandWriter signal(HostTimeline timeline, long point);

  /**
   * Names memory of the submission.
   *
   * @param length at least 1
   * @param access bit set of {@link Buffer#READ}, {@link Buffer#WRITE}
   * @return its index for the operations; -EINVAL for a foreign buffer, -ERANGE for a range of no
   *     bytes or beyond the buffer
   */
  int use(Buffer buffer, long offset, long length, int access);

  /**
   * Marks the submission idempotent: when it would end with EINTR while it is in flight, after a
   * crash or because the device gave it up, and it reads retained memory only, it starts again once
   * instead.
   */
  CommandWriter replayable();

  /** Copies bytes between two used ranges, at least 1. */
  CommandWriter copy(int dst, long dstOffset, int src, long srcOffset, long bytes);

  /** Fills bytes of a used range, at least 1, with a repeated 32-bit pattern. */
  CommandWriter fill(int dst, long offset, long bytes, int pattern);

  /**
   * Starts a dispatch of {@code entry} of a program; its arguments follow. Their number and kinds
   * must be those of the entry (EINVAL), and what is used as a buffer must have the access that the
   * entry needs (EACCES).
   */
  CommandWriter dispatch(Program program, int entry, int x, int y, int z);

  /** Next argument of the dispatch: a used range. */
  CommandWriter arg(int use);

  CommandWriter argU32(int value);

  CommandWriter argI32(int value);

  CommandWriter argU64(long value);

  CommandWriter argI64(long value);

  CommandWriter argF32(float value);

  CommandWriter argF64(double value);

  /** An operation that only the driver understands; length a multiple of 8. */
  CommandWriter vendor(MemorySegment operation);

  /**
   * What the first mistake since the last {@link Context#writer} was, for people: which argument,
   * of which kind, and what the program takes, say. Good until the next {@link Context#writer};
   * empty when there was none.
   */
  String mistake();
}
