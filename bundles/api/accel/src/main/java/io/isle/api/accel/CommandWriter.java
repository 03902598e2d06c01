package io.isle.api.accel;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Writes a command envelope in place: first {@link #after}, then {@link #use}, then operations.
 * {@link Context#submit} returns the code of the first mistake. No method throws, and no method
 * except {@link #mistake} allocates. Only the submitting thread may use a writer.
 */
@ProviderType
public interface CommandWriter {
  /** Longest time of {@link #waitAtMost}: one hour, in nanoseconds. */
  long MAX_WAIT_NS = 3_600_000_000_000L;

  /** Most bindings of a submission; a program takes one of them. */
  int MAX_USES = 64;

  /** Most bytes of a dispatch's arguments by {@link #argBytes} together. */
  int MAX_ARGUMENT_BYTES = 1024;

  /**
   * The submission starts after the end of {@code point} of {@code timeline}. At most 8 calls a
   * submission.
   *
   * <p>A context's point must be submitted (EINVAL; EDEADLK for a later point of this context). The
   * timeline must belong to the same tenant or be shared with this tenant (EACCES). The device of a
   * context's point must be in the same fence domain (EXDEV). A point with an error counts as
   * ended. If a {@link HostTimeline} ends before the signal of the point, the submission ends with
   * the timeline's code.
   */
  CommandWriter after(Timeline timeline, long point);

  /**
   * As {@link #after(Timeline, long)}, for a point by value: ESTALE if the timeline no longer
   * exists, EINVAL if type or device do not match the timeline.
   */
  CommandWriter after(Fence fence);

  /**
   * Limits the waits of the submission: after this time since the submission, the submission ends
   * with ETIMEDOUT. Without this call, waits for contexts' points have no limit, and waits for
   * points of a {@link HostTimeline} have the administrator's limit ({@code host_wait_ms}).
   *
   * @param timeoutNs 1 ns to {@link #MAX_WAIT_NS}; else ERANGE
   */
  CommandWriter waitAtMost(long timeoutNs);

  /**
   * Signals a point at the end of the submission, with the submission's code. The status of the
   * submission is final before the signal. At most one call a submission. A point that is already
   * signalled stays unchanged.
   *
   * @param timeline an open timeline of the same tenant (EACCES for another tenant; the timeline's
   *     code after its end)
   * @param point above {@link Timeline#ended} (EINVAL); EDEADLK if the submission waits for this
   *     point or a later point
   */
  CommandWriter signal(HostTimeline timeline, long point);

  /**
   * Binds memory to the submission: at most {@link #MAX_USES} bindings, those of programs included.
   *
   * @param length at least 1
   * @param access bit set of {@link Buffer#READ}, {@link Buffer#WRITE}, and beside these {@link
   *     Buffer#NO_COPY_IN}, {@link Buffer#NO_COPY_BACK}
   * @return the index of the binding for operations; -EINVAL for a buffer of another context,
   *     -ERANGE for an empty range or a range beyond the buffer, -ENOTSUP for the NO_COPY bits on a
   *     device that does not describe kernels
   */
  int use(Buffer buffer, long offset, long length, int access);

  /**
   * Marks the submission idempotent. If such a submission reads retained memory only, it starts
   * again once instead of ending with EINTR, after a crash or after the device gave the work up.
   */
  CommandWriter replayable();

  /**
   * Copies bytes between two bindings, at least 1.
   *
   * @param dst index of the target binding
   * @param src index of the source binding
   */
  CommandWriter copy(int dst, long dstOffset, int src, long srcOffset, long bytes);

  /**
   * Fills bytes of a binding, at least 1, with a repeated 32-bit pattern.
   *
   * @param dst index of the target binding
   */
  CommandWriter fill(int dst, long offset, long bytes, int pattern);

  /**
   * Starts a dispatch of an entry of a program; {@link #local} and {@link #offset} may follow, then
   * the arguments. Number and kinds of the arguments must match the entry (EINVAL), and each buffer
   * must have the access that the entry requires (EACCES). A kernel that {@link KernelInfo} calls
   * unusable is refused (EINVAL).
   *
   * @param entry index in {@link Program#entries} or {@link Program#kernels}
   * @param x extent of the dispatch in the first dimension
   * @param y extent of the dispatch in the second dimension
   * @param z extent of the dispatch in the third dimension
   */
  CommandWriter dispatch(Program program, int entry, int x, int y, int z);

  /**
   * Sets the work-group size of the dispatch; directly after {@link #dispatch} or {@link #offset}.
   * Without this call, the driver chooses. EINVAL if a number does not divide the extent of its
   * dimension, if the kernel requires another size, or if the product is above {@link
   * KernelInfo#maxGroup}; ENOTSUP on a device that does not describe kernels.
   *
   * @param x work items of a work-group in the first dimension, at least 1
   * @param y work items of a work-group in the second dimension, at least 1
   * @param z work items of a work-group in the third dimension, at least 1
   */
  CommandWriter local(int x, int y, int z);

  /**
   * Sets the first global id of the dispatch; directly after {@link #dispatch} or {@link #local}.
   * Without this call, ids begin at 0. ERANGE for a negative number; ENOTSUP on a device that does
   * not describe kernels.
   *
   * @param x first id in the first dimension
   * @param y first id in the second dimension
   * @param z first id in the third dimension
   */
  CommandWriter offset(long x, long y, long z);

  /**
   * The next argument of the dispatch: a binding.
   *
   * @param use index of the binding
   */
  CommandWriter arg(int use);

  /**
   * The next argument of the dispatch: an unsigned 32-bit integer. Of a value of 1 or 2 bytes, the
   * kernel gets the low bytes.
   */
  CommandWriter argU32(int value);

  /**
   * The next argument of the dispatch: a signed 32-bit integer. Of a value of 1 or 2 bytes, the
   * kernel gets the low bytes.
   */
  CommandWriter argI32(int value);

  /** The next argument of the dispatch: an unsigned 64-bit integer. */
  CommandWriter argU64(long value);

  /** The next argument of the dispatch: a signed 64-bit integer. */
  CommandWriter argI64(long value);

  /** The next argument of the dispatch: a 32-bit floating-point number. */
  CommandWriter argF32(float value);

  /** The next argument of the dispatch: a 64-bit floating-point number. */
  CommandWriter argF64(double value);

  /**
   * The next argument of the dispatch: local memory of a work-group. ENOTSUP on a device that does
   * not describe kernels.
   *
   * @param bytes 1 to 2^40; ERANGE for other numbers. The driver checks the device's limit
   */
  CommandWriter argLocal(long bytes);

  /**
   * The next argument of the dispatch: a value by its bytes, such as a vector, a structure or a
   * half, laid out as the device's compiler does (C, little-endian; a vector of three has the size
   * of four). EINVAL for any other number of bytes than the argument has; EMSGSIZE beyond {@link
   * #MAX_ARGUMENT_BYTES} in a dispatch; ENOTSUP on a device that does not describe kernels.
   *
   * @param bytes the value; copied before the call returns
   */
  CommandWriter argBytes(MemorySegment bytes);

  /** An operation that only the driver interprets; the length is a multiple of 8 bytes. */
  CommandWriter vendor(MemorySegment operation);

  /**
   * A description of the first mistake since the last {@link Context#writer}, such as the argument,
   * its kind and the expected kind; empty without a mistake. Valid until the next {@link
   * Context#writer}.
   */
  String mistake();
}
