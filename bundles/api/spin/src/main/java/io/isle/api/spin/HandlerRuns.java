package io.isle.api.spin;

import io.isle.api.tenancy.Capability;
import java.io.IOException;
import org.osgi.annotation.versioning.ProviderType;

/** Runs handlers on captured packets, without a network interface. Thread-safe. */
@ProviderType
public interface HandlerRuns {
  /**
   * Attaches handlers, runs them on each packet that matches their rules, and detaches them. One
   * handler runs at a time, in the order of the packets, on the home cluster of its queue; the same
   * packets give the same frames. Where the packet memory is full, the oldest message that waits
   * for packets is aborted. Also the end of the packets aborts messages. A run of traps ends the
   * run, as it detaches a context.
   *
   * @param capability requires ACCEL_COMPUTE and ACCEL_MEMORY
   * @param observer is called by this thread
   * @throws SpinException ENOENT for unknown handlers; EINVAL for a program without handlers, with
   *     the driver's text; ENODEV without the device; EIO if the process of the HPUs ends during
   *     the run
   * @throws io.isle.api.base.IsleException with the code of the device that has the HPUs
   * @throws io.isle.api.tenancy.TenancyException EACCES; EREVOKED
   * @throws IOException of the packets or of the observer
   * @throws InterruptedException if the thread was interrupted; the handlers are detached
   */
  RunResult run(Capability capability, RunSpec spec, RunPackets packets, RunObserver observer)
      throws IOException, InterruptedException;
}
