package io.isle.core.drivers.nativecode.control;

import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.lib.shm.LogLines;
import io.isle.lib.shm.StartedTable;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The way to a native driver: the same messages, in process or across a process boundary. Control
 * calls from one thread at a time; data calls from the agent.
 */
public interface Lane extends AutoCloseable {
  /**
   * One control message.
   *
   * @param request header and body
   * @return header and body of the response, unchecked; length 0 when none came
   */
  byte[] control(MemorySegment request, long timeoutNs);

  /** The number that the next request carries. */
  long nextSeq();

  /** Gives the driver a segment that the request after this one names. */
  void offerSegment(int segment, int descriptor, MemorySegment memory, boolean writable);

  /** Once, before the driver gets its page: where it rings. Closed with the lane. */
  void rings(DevicePort.Bell bell);

  /**
   * The driver wakes the agent from now on, until {@link #end}.
   *
   * @throws DriverException ENOSPC when the agent listens to as many as it can
   */
  void listen();

  int submit(long tag, long context, long offset, int length);

  int preempt(long context, int reason);

  /** Asks a driver that is to be polled; a host does so by itself. */
  void ask(int limit);

  /** Hands over what has ended; returns how many. */
  int poll(int limit, CompletionSink sink);

  /** What the driver logged last as a warning or an error. */
  LogLines log();

  /** When work began, as the driver tells. */
  StartedTable starts();

  boolean alive();

  /** Why it is not alive. */
  RecoveryCause cause();

  /** Gives up on a peer, which is told to end: from now on {@link #alive} is false. */
  void abandon(RecoveryCause cause);

  /** {@code listener} hears once, on any thread, of an end that {@link #end} did not bring. */
  void onLost(Consumer<RecoveryCause> listener);

  /** Process of the driver host, if there is one. */
  Optional<Long> hostPid();

  /** Tells the driver which opening of the device this is. */
  void epoch(int epoch);

  /**
   * Ends the driver side, by force after a bound. Idempotent.
   *
   * @param closed the driver has closed the device, so that nobody waits for what is left to do in
   *     this process: that is over when {@link #release} returns
   */
  void end(boolean closed);

  /** Gives back what the core itself used for it, which takes a while. After {@link #end}, once. */
  void release();

  /** After {@link #release}: whether the driver is still there, and may use what it was given. */
  boolean stays();

  /** Both. */
  @Override
  default void close() {
    try {
      end(false);
    } finally {
      release();
    }
  }
}
