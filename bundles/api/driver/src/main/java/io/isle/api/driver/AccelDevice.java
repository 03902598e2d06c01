package io.isle.api.driver;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * An open device, the Java form of AccelBaseVTable (accelerator framework, 42.2.2). The core
 * identifies contexts, memory and programs by its own ids.
 *
 * <p>Control calls come from one thread at a time, may block, and have a time limit of the core. A
 * call that does not return fails the device. ENODEV means that the device is gone; the core then
 * opens the device again. Control calls throw {@link DriverException}. Data calls come only from
 * the device's agent, possibly during a control call, and never block, allocate or throw: they
 * return 0 or a negated code of {@code Errno}.
 */
@ConsumerType
public interface AccelDevice extends Vitals, AutoCloseable {
  /** Control. Properties of the device, constant while the device is open. */
  DeviceInfo info();

  /**
   * Control. An optional interface of the device: {@link Programs}, {@link ProgramSources}, {@link
   * ComputeReports}, {@link PowerControl}, {@link Health}, {@link PageRetirement}, {@link
   * PageMigration}, {@link FaultInjection}, {@link Display}, {@link Scanout}, {@link HandlerUnits},
   * {@link GroupIsolation}, {@link Fences}.
   */
  <X> Optional<X> extension(Class<X> type);

  /**
   * Control. Makes a context.
   *
   * @param context core id
   * @throws DriverException ENOSPC beyond {@link DeviceInfo#maxContexts}; EINVAL for a bad argument
   */
  void createContext(long context, ContextArgs args);

  /**
   * Control. Destroys a context. Before the return, its work in flight ends with an ERROR
   * completion, and its memory and programs are freed.
   */
  void destroyContext(long context);

  /** Control. Before the return, work of the context in flight ends with an ERROR completion. */
  void resetContext(long context);

  /** Control. As {@link #resetContext}, for all contexts. */
  void resetDevice();

  /**
   * Control. Allocates device memory.
   *
   * @param context core id of the owner
   * @param memory core id for the new memory
   * @throws DriverException ENOMEM if the device's memory or the context's limit is exhausted;
   *     EINVAL with the name of the argument
   */
  Allocation allocate(long context, long memory, AllocArgs args);

  /**
   * Control. Frees memory.
   *
   * @throws DriverException EBUSY while work in flight uses the memory; ENOENT for an unknown id
   */
  void free(long memory);

  /**
   * Data. Starts the command envelope at {@code offset} of the command segment. The bytes stay
   * unchanged until the completion. After a result of 0, exactly one completion with {@code tag}
   * follows, possibly before the return; after a negated code, no completion follows.
   *
   * @return 0, or a negated code: EAGAIN no room now, the core tries again later; ENODEV the device
   *     is gone
   */
  int submit(long context, long tag, MemorySegment commands, long offset, int length);

  /**
   * Data. Passes up to {@code limit} finished submissions to the completion sink.
   *
   * @return the number of passed submissions
   */
  int poll(int limit);

  /**
   * Data. Requests the context to leave the engine at the next boundary of the device's
   * granularity: anywhere in a kernel, after an operation, or at the end of the submission. Work
   * that leaves ends PREEMPTED. Its effects stay, and the driver may keep its progress, see {@link
   * CompletionSink}. With NONE and COMMAND_BUFFER, the request is a cooperative yield: running work
   * continues to its end.
   *
   * <p>For {@link PreemptReason#EXECUTION_TIMEOUT}, only the submission on the engine leaves, with
   * the detail -ETIMEDOUT; with NONE and COMMAND_BUFFER, this submission ends with the status
   * TIMEOUT at its end. A device may ignore this reason for work that has not yet run for its
   * context's limit: the intended work has ended then. For the other reasons, work not yet begun is
   * returned too, in order, with the detail -EAGAIN. The core submits no work of the context until
   * all its work in flight is returned.
   *
   * @param reason a constant of {@link PreemptReason}
   * @return 0, also without work on the engine; -ENOTSUP if the device cannot even yield
   */
  int preempt(long context, int reason);

  /**
   * Data. False after the device can do no more work, for example after the end of its process.
   * Never blocks.
   */
  boolean alive();

  /**
   * Control. The last call, made after the return or the time limit of the previous call. Ends work
   * in flight with ERROR completions and joins every thread of the device.
   */
  @Override
  void close();
}
