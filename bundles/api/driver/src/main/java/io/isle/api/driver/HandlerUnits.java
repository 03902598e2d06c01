package io.isle.api.driver;

/**
 * Extension: HPUs (handler processing units), threads of the driver's process that run a program of
 * handlers on packets. The NIC on the core's side writes tasks into the context's memory, and takes
 * ends and sent frames from there (isle_spin.h). Control lane.
 *
 * <p>All ids are core ids. On a device with processes of groups, {@link DeviceSession#call} makes
 * each call on the lane of the process that has the context. A call about a context that no process
 * has, such as during a recovery, fails with EINTR.
 */
public interface HandlerUnits {
  /** Number of memories of a context. */
  int MEMORIES = 6;

  /** What HPUs can have; constant while the device is open. */
  HpuCaps caps();

  /**
   * Attaches a program to a context. The HPUs take tasks from now on. Until {@link #detach}, the
   * memories cannot be freed. A crash of the process detaches all of its contexts.
   *
   * @param program a program of the kind {@link Programs.Kind#HANDLERS} of this context
   * @param memories {@link #MEMORIES} memories of this context, all different: rings, packets,
   *     handler memory, scratchpads by cluster and queue, host data, host pages; 0 for no handler
   *     memory or no host pages. Rings and host data become zeros
   * @param limits the handler limit and the wait for the host at most the device's
   * @throws DriverException EINVAL with the driver's reason for a wrong size, limit or program;
   *     EBUSY if a program is attached; ESTALE for unknown ids; EACCES for objects of another
   *     context
   */
  void attach(long context, long program, long[] memories, HpuLimits limits);

  /**
   * Detaches the program. Running handlers end before the return of this call; memories keep their
   * contents. The destruction and the reset of a context detach, too.
   *
   * @throws DriverException ENOENT if no program is attached; ESTALE for an unknown context
   */
  void detach(long context);

  /**
   * Numbers of the attached program.
   *
   * @throws DriverException ESTALE for an unknown context
   */
  HpuReport report(long context);
}
