package io.isle.api.driver;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * An open device, the Java form of AccelBaseVTable (accelerator framework, 42.2.2). The core names
 * contexts, memory and programs by its own ids.
 *
 * <p>Control calls come from one thread at a time, may block, and are bounded by the core: one that
 * does not return fails the device, and so does ENODEV: the device is gone and is opened anew. They
 * throw {@link DriverException}. Data calls come from the device's agent only, may run beside a
 * control call, and never block, allocate or throw: they return 0 or a negated code of {@code
 * Errno}.
 */
@ConsumerType
public interface AccelDevice extends Vitals, AutoCloseable {
  /** Control. Constant while the device is open. */
  DeviceInfo info();

  /**
   * Control. An optional part: {@link Programs}, {@link ComputeReports}, {@link PowerControl},
   * {@link Health}, {@link PageRetirement}, {@link PageMigration}, {@link FaultInjection}, {@link
   * Display}, {@link Scanout}, {@link GroupIsolation}, {@link Fences}.
   */
  <X> Optional<X> extension(Class<X> type);

  /** Control. ENOSPC beyond {@link DeviceInfo#maxContexts}; EINVAL for a bad argument. */
  void createContext(long context, ContextArgs args);

  /**
   * Control. Its work in flight ends with an ERROR completion, its memory and programs are freed,
   * before this returns.
   */
  void destroyContext(long context);

  /** Control. Work of the context in flight ends with an ERROR completion before this returns. */
  void resetContext(long context);

  /** Control. As {@link #resetContext}, for all contexts. */
  void resetDevice();

  /** Control. ENOMEM when the device or the context's limit is full; EINVAL names the argument. */
  Allocation allocate(long context, long memory, AllocArgs args);

  /** Control. EBUSY while work in flight uses it; ENOENT for an unknown id. */
  void free(long memory);

  /**
   * Data. Starts the command envelope at {@code offset} of the command segment; its bytes stay
   * unchanged until the completion. Exactly one completion with {@code tag} follows a result of 0,
   * possibly before this returns; none follows a negative one. -EAGAIN: ask again later. -ENODEV:
   * the device is gone and is to be opened anew.
   */
  int submit(long context, long tag, MemorySegment commands, long offset, int length);

  /** Data. Moves up to {@code limit} finished submissions to the sink; returns how many. */
  int poll(int limit);

  /**
   * Data. Asks the context to leave the engine, at the next boundary that the device's granularity
   * allows: anywhere in a kernel, after an operation, or at the end of the submission. What leaves
   * ends PREEMPTED; effects of what it did stay, and the driver may keep how far it is, see {@link
   * CompletionSink}. With NONE and COMMAND_BUFFER it is a cooperative yield: what runs goes on to
   * its end.
   *
   * <p>For {@link PreemptReason#EXECUTION_TIMEOUT} only the submission on the engine leaves, with
   * the detail -ETIMEDOUT; with NONE and COMMAND_BUFFER its status is TIMEOUT, at its end. A device
   * may leave alone what has not run for its context's limit yet: the one that was meant has ended
   * then. For the others what has not begun comes back too, in order, with the detail -EAGAIN.
   * Until all has come back that was in flight, the core submits nothing of the context.
   *
   * @param reason one of {@link PreemptReason}
   * @return 0, also when nothing is on the engine; -ENOTSUP where not even that is done
   */
  int preempt(long context, int reason);

  /** Data. False once the device can do no more work (its process is gone, say); never blocks. */
  boolean alive();

  /**
   * Control: the last call, after the one that may be under way, unless that does not return within
   * its bound. Ends work in flight with ERROR completions and joins every thread of the device.
   */
  @Override
  void close();
}
