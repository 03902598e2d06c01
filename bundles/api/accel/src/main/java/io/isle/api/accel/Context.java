package io.isle.api.accel;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.osgi.annotation.versioning.ProviderType;

/**
 * An execution context: an address space and a queue of its own on one device.
 *
 * <p>One thread submits at a time (checked: -EBUSY); every other method may be called by any
 * thread. A context outlives the crash of its device's driver: while the device recovers, calls
 * fail with EINTR and {@link #awaitUsable} waits; then it goes on with its programs and buffers,
 * whose contents are lost unless retained. When the device does not come back, calls fail with
 * ENODEV; after {@link #close}, or once its group was deleted, with ECLOSED.
 */
@ProviderType
public interface Context extends AutoCloseable {
  /** Core id of kind CONTEXT. */
  long id();

  Accelerator accelerator();

  /**
   * Allocates device memory that the CPU can map.
   *
   * @param bytes at least 1
   * @param flags bit set of {@link Buffer#PINNED}, {@link Buffer#COHERENT}, {@link Buffer#RETAINED}
   * @throws AccelException ENOMEM beyond the limit of context, capability or device, or of the
   *     group or one above it, naming the group, its limit and what it has
   */
  Buffer allocate(long bytes, int flags);

  /** A further right of this context to memory that another context of the device allocated. */
  Buffer attach(MemoryObject memory, int access);

  /**
   * Loads a program; freed with the context. May take a minute where it is built. The core keeps
   * the source, so that the program is there again after a recovery; if the next driver cannot
   * build it, the context is lost.
   *
   * @throws AccelException ENOENT for an unknown built-in; ENOTSUP when the device does not take
   *     the kind or the options, naming the kinds that it takes; EINVAL when it cannot be built,
   *     with the build log: at most 16 KiB of lines without control characters, or when the last
   *     two builds of the context ended the driver; ENOSPC when the context has 256 programs, or
   *     the core keeps 64 MiB of programs of the tenant or 256 MiB of all; EPROTO when the driver
   *     describes it wrongly; ETIMEDOUT when the build does not end, which costs a recovery
   * @throws io.isle.api.tenancy.TenancyException EACCES without ACCEL_COMPUTE; EREVOKED
   */
  Program load(ProgramSource source);

  /** Points of this context's submissions. */
  Timeline timeline();

  /**
   * Claims a slot and returns the writer of its envelope, always the same object, cleared; the next
   * {@link #submit} sends it. Allocates nothing. Null when every slot is taken (EAGAIN), or when
   * the context is interrupted, closed or lost: {@link #submit} of null says which.
   */
  CommandWriter writer();

  /**
   * Submits what was written. Allocates nothing.
   *
   * @return a point on {@link #timeline}, above 0; or a negated code: EAGAIN full, EBUSY another
   *     thread submits, EINVAL malformed, EMSGSIZE longer than a slot, EREVOKED, ECLOSED, ENODEV,
   *     EINTR while the device recovers, ENODATA when it reads memory whose contents are lost
   */
  long submit(CommandWriter writer);

  /**
   * How the submission at {@code point} ended: 0, or a negated code: EINPROGRESS not yet, EINTR the
   * device recovered or was lost, or gave work up that it had begun: submit it again, ENODATA kept
   * over a recovery but what it reads was lost, ETIMEDOUT execution limit, EIO device error,
   * ECLOSED, ESTALE too old to be known (the last four queue depths are), EINVAL never submitted.
   */
  int status(long point);

  /**
   * How the submission at {@code point} came to its end; allocates nothing. Null while it has not
   * ended, and when {@link #status} is -ESTALE or -EINVAL.
   */
  CompletionStatus outcome(long point);

  /**
   * What the driver said of the submission at {@code point}, when it ended that with an error; soon
   * afterwards, for a driver's lines are not kept for long. Allocates.
   */
  Optional<WorkError> error(long point);

  /**
   * Waits until the submission at {@code point} has ended: asleep, woken by the completion. Any
   * number of threads may wait; allocates nothing while fewer than 17 do, one small object beyond.
   *
   * @param timeoutNs negative to wait without limit
   * @return {@link #status}, or -ETIME when the wait itself ran out, -ECANCELED when interrupted
   *     (the thread's interrupt flag stays set)
   */
  int await(long point, long timeoutNs);

  /**
   * Waits until the context takes work.
   *
   * @param timeoutNs negative to wait without limit
   * @return 0, or -ENODEV, -ECLOSED, -ETIME when the wait ran out, -ECANCELED when interrupted
   */
  int awaitUsable(long timeoutNs);

  /**
   * Calls {@code listener} once for each completion from now on, in order. Null ends that.
   *
   * <p>The executor is called on the context's completion thread, for a context of realtime
   * priority on one that the device's contexts of that priority share: a listener that blocks there
   * holds up theirs. An executor that runs the listener at once spares a thread and wants a
   * listener that does not block.
   *
   * @throws AccelException EINTR while the device recovers; ENODEV; ECLOSED
   */
  void listen(CompletionListener listener, Executor executor);

  /**
   * Has the device's own thread for deferred work run {@code task}, which may block: for listeners,
   * which may not. Tasks of all contexts of the device run one after the other, in order. What one
   * throws is logged and ends nothing. Those that have not begun when the context is closed do not
   * run any more, nor those when the device's place goes; then one that runs is interrupted. Waits
   * for nothing.
   *
   * @return 0, or -EAGAIN when 64 tasks of this context or 1024 of the device wait, -EREVOKED,
   *     -ECLOSED, -ENODEV when the device's place is gone, -ENOMEM when the platform has no thread
   *     for it, -EINVAL for null
   */
  int defer(Runnable task);

  /**
   * Submits and returns a future of the completion; allocates. Fails with AccelException. What
   * depends on the future runs on a thread of its own; for a context of realtime priority at once,
   * on the device's realtime completion thread, and must not block.
   */
  CompletableFuture<Completion> submitAsync(CommandWriter writer);

  /**
   * How often its driver was taken from it so far. Grows when that begins: one that is the same
   * before and after an access to its memory says that contents were not lost in between.
   */
  int interruptions();

  ContextInfo info();

  /**
   * Counters of this context, read from the device.
   *
   * @throws AccelException ENOTSUP for a device without counters; ENODEV; ECLOSED
   * @throws io.isle.api.tenancy.TenancyException EACCES without ACCEL_PERF
   */
  PerfCounters counters();

  /**
   * Ends pending work with ECLOSED, waits for work in flight, frees everything. Idempotent: a
   * further close returns when every point has its final status, or when the first does not get
   * there within five times the limit of a control call.
   */
  @Override
  void close();
}
