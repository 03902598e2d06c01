package io.isle.api.accel;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.osgi.annotation.versioning.ProviderType;

/**
 * An execution context: an address space and a queue on one device.
 *
 * <p>One thread submits at a time (checked: -EBUSY); any thread may call the other methods. A
 * context survives a crash of its device's driver: during the recovery, calls fail with EINTR and
 * {@link #awaitUsable} waits. Afterwards the context continues with its programs and buffers;
 * contents of buffers are lost unless retained. If the device does not come back, calls fail with
 * ENODEV. After {@link #close} or the deletion of the group, calls fail with ECLOSED.
 */
@ProviderType
public interface Context extends AutoCloseable {
  /** Core id of kind CONTEXT. */
  long id();

  /** The accelerator of this context. */
  Accelerator accelerator();

  /**
   * Allocates device memory that the CPU can map.
   *
   * @param bytes at least 1
   * @param flags bit set of {@link Buffer#PINNED}, {@link Buffer#COHERENT}, {@link Buffer#RETAINED}
   * @throws AccelException ENOMEM beyond the limit of the context, the capability, the device, the
   *     group or a group above; for groups, with the name, the limit and the usage
   */
  Buffer allocate(long bytes, int flags);

  /**
   * Makes a further buffer for memory of this context.
   *
   * @param access bit set of {@link Buffer#READ}, {@link Buffer#WRITE}
   * @throws AccelException EINVAL for memory of another device or a bad access; EACCES for memory
   *     of another tenant, or for write access to retained memory; ENOTSUP for memory of another
   *     context, because contexts have separate address spaces; ECLOSED after the close of the
   *     memory's last buffer
   */
  Buffer attach(MemoryObject memory, int access);

  /**
   * Loads a program, which is freed with the context. A build may take a minute. The core keeps the
   * source and loads the program again after a recovery; if the next driver cannot build the
   * program, the context is lost.
   *
   * @throws AccelException ENOENT for an unknown built-in program; ENOTSUP if the device does not
   *     support the kind, the options or several files, with the supported kinds; EINVAL if the
   *     build fails, with the build log of at most 16 KiB without control characters, or if the
   *     last two builds of the context ended the driver; ENOSPC if the context has 256 programs, or
   *     the core keeps 64 MiB of sources of the tenant or 256 MiB of all tenants; EPROTO if the
   *     driver describes the program wrongly; ETIMEDOUT if the build does not end, which causes a
   *     recovery
   * @throws io.isle.api.tenancy.TenancyException EACCES without ACCEL_COMPUTE; EREVOKED
   */
  Program load(ProgramSource source);

  /** The timeline with the points of this context's submissions. */
  Timeline timeline();

  /**
   * Claims a slot and returns the cleared writer of its envelope, always the same object; the next
   * {@link #submit} sends the envelope. Allocates nothing.
   *
   * @return null if every slot is in use (EAGAIN), or if the context is interrupted, closed or
   *     lost; {@link #submit} of null returns the code
   */
  CommandWriter writer();

  /**
   * Submits the written envelope. Allocates nothing.
   *
   * @return a point on {@link #timeline}, above 0; or a negated code: EAGAIN no slot, EBUSY another
   *     thread submits, EINVAL malformed, EMSGSIZE longer than a slot, EREVOKED, ECLOSED, ENODEV,
   *     EINTR while the device recovers, ENODATA if the submission reads memory with lost contents,
   *     or the code of the writer's first mistake
   */
  long submit(CommandWriter writer);

  /**
   * The result of the submission at {@code point}. Allocates nothing.
   *
   * @return 0, or a negated code: EINPROGRESS not yet ended; EINTR interrupted by a recovery, or
   *     given up by the device after its start, submit again; ENODATA kept across a recovery, but
   *     its input was lost; ETIMEDOUT execution limit; EIO device error; ECLOSED; ESTALE older than
   *     the last four queue depths; EINVAL never submitted
   */
  int status(long point);

  /**
   * The kind of end of the submission at {@code point}. Allocates nothing.
   *
   * @return null before the end, and if {@link #status} is -ESTALE or -EINVAL
   */
  CompletionStatus outcome(long point);

  /**
   * The driver's report about the submission at {@code point}, if the driver ended the submission
   * with an error. Call soon after the end, because the driver's lines are kept for a short time
   * only. Allocates.
   */
  Optional<WorkError> error(long point);

  /**
   * Waits for the end of the submission at {@code point}. The thread sleeps until the completion.
   * Any number of threads may wait; waits of the first 16 threads allocate nothing, further waits
   * allocate one small object.
   *
   * @param timeoutNs in nanoseconds; negative for no limit
   * @return {@link #status}, or -ETIME after the time limit, or -ECANCELED after an interrupt (the
   *     thread's interrupt flag stays set)
   */
  int await(long point, long timeoutNs);

  /**
   * Waits until the context accepts work.
   *
   * @param timeoutNs in nanoseconds; negative for no limit
   * @return 0, or -ENODEV, -ECLOSED, -ETIME after the time limit, -ECANCELED after an interrupt
   */
  int awaitUsable(long timeoutNs);

  /**
   * Calls {@code listener} once for each completion from now on, in order. A null listener ends the
   * calls.
   *
   * <p>The context's completion thread calls the executor. Contexts of realtime priority share one
   * completion thread a device, and a listener that blocks there delays all these contexts. An
   * executor that runs the listener in the calling thread needs no further thread; the listener
   * must not block.
   *
   * @throws AccelException EINTR while the device recovers; ENODEV; ECLOSED
   */
  void listen(CompletionListener listener, Executor executor);

  /**
   * Runs {@code task} on the device's thread for deferred work. Tasks may block, and listeners use
   * this method because listeners may not. Tasks of all contexts of the device run one after the
   * other, in order. An exception of a task is logged. The close of the context drops waiting
   * tasks. The removal of the device's slot drops waiting tasks and interrupts the running task.
   * This method never waits.
   *
   * @return 0, or -EAGAIN if 64 tasks of this context or 1024 tasks of the device wait, -EREVOKED,
   *     -ECLOSED, -ENODEV after the removal of the device's slot, -ENOMEM if no thread can be
   *     started, -EINVAL for null
   */
  int defer(Runnable task);

  /**
   * Submits the written envelope and returns a future of the completion, which fails with
   * AccelException. Allocates. Dependent stages run on a thread of their own. For a context of
   * realtime priority, dependent stages run on the device's realtime completion thread and must not
   * block.
   */
  CompletableFuture<Completion> submitAsync(CommandWriter writer);

  /**
   * The number of interruptions of this context so far. The number grows at the begin of an
   * interruption: equal numbers before and after an access to the context's memory mean that no
   * contents were lost in between.
   */
  int interruptions();

  /** A snapshot of the context. */
  ContextInfo info();

  /**
   * Counters of this context, read from the device.
   *
   * @throws AccelException ENOTSUP for a device without counters; ENODEV; ECLOSED
   * @throws io.isle.api.tenancy.TenancyException EACCES without ACCEL_PERF
   */
  PerfCounters counters();

  /**
   * Ends pending work with ECLOSED, waits for work in flight, and frees all objects of the context.
   * Idempotent: a further call returns when every point has its final status, or after five times
   * the time limit of a control call.
   */
  @Override
  void close();
}
