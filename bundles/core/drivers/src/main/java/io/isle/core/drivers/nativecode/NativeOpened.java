package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.device.HostFault;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.control.Lane;
import io.isle.core.drivers.nativecode.device.NativeDevice;
import io.isle.core.drivers.nativecode.host.HostLane;
import io.isle.core.drivers.nativecode.shim.ShimLane;
import java.util.List;
import java.util.Optional;

/** An open device of a native driver, as its owner sees it. */
public final class NativeOpened {
  private final NativeDevice device;
  private final Lane lane;
  private final List<String> sandbox;

  NativeOpened(NativeDevice device, Lane lane, List<String> sandbox) {
    this.device = device;
    this.lane = lane;
    this.sandbox = sandbox;
  }

  public AccelDevice device() {
    return device;
  }

  /** Its host, in tier 2. */
  public Optional<Long> hostPid() {
    return lane.hostPid();
  }

  /** Whether kernels are code of the driver's process, as the driver says. */
  public boolean runsKernelsInProcess() {
    return device.negotiation().kernelsInProcess();
  }

  public List<String> services() {
    return device.negotiation().services();
  }

  public List<String> interfaces() {
    return device.negotiation().lines();
  }

  /** What confines its host, and what could not be applied, a line each; empty in tier 1. */
  public List<String> sandbox() {
    return sandbox;
  }

  /**
   * The host's data thread's steps; odd while it is inside the driver. Any thread, not after {@link
   * #end}.
   */
  public long heartbeat() {
    return lane instanceof HostLane host ? host.heartbeat() : 0;
  }

  /** Whether requests lie there that the host has not taken. Any thread, not after {@link #end}. */
  public boolean requestsWait() {
    return lane instanceof HostLane host && host.requestsWait();
  }

  /**
   * Asks the host for a sign of life, which its heartbeat gives, if a control call waits for an
   * answer or work is not completed; whether one of both holds. Any thread, not after {@link #end}.
   */
  public boolean probe() {
    return lane instanceof HostLane host && host.probe();
  }

  /**
   * Logs what a driver of this process has logged; a host's lines come by themselves. Any thread,
   * not after {@link #end}.
   */
  public void tellLog() {
    if (lane instanceof ShimLane shim) {
      shim.tellLog();
    }
  }

  /** Gives the driver up: its host is killed, and the device's owner hears of the cause. */
  public void abandon(RecoveryCause cause) {
    lane.abandon(cause);
  }

  /**
   * Harms its host; returns when that is ended or stands still.
   *
   * @throws DriverException ENOTSUP in tier 1; ENODEV when the host has ended already
   */
  public void injectFault(HostFault fault) {
    if (!(lane instanceof HostLane host)) {
      throw new DriverException(
          Errno.ENOTSUP, "the driver has no separate process, which only tier 2 gives; set tier=2");
    }
    host.injectFault(fault);
  }

  /**
   * Takes the device from its driver. When this returns nothing of the driver uses it: in tier 2
   * its host has ended; in tier 1 the driver has closed it and may still be loaded, or hangs in a
   * call and is left to itself, knowingly.
   *
   * @param orderly asks the driver to close the device first; else its host is killed
   */
  public void end(boolean orderly) {
    device.end(orderly);
  }

  /**
   * Unmaps what the driver shared with the core, its bell among it, once its library is unloaded in
   * tier 1: one that cannot be keeps it. After {@link #end}.
   */
  public void release() {
    device.release();
  }
}
