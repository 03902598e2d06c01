package io.isle.core.drivers.nativecode.host;

import io.isle.api.base.Errno;
import io.isle.api.device.HostFault;
import io.isle.api.driver.DriverException;
import io.isle.lib.ffi.ChildProcess;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.UnixConnection;
import io.isle.lib.kabi.WireStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A driver-host process and the socket over which it is fed descriptors. The host ends when the
 * socket closes, and is killed by the kernel when its thread ends.
 */
public final class HostProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HostProcess.class);

  /** Added to the signal that ended a process, in its exit value. */
  private static final int SIGNALLED = 128;

  private static final int SIGSYS = SIGNALLED + 31;

  private static final int LEAVE_MS = 1000;
  private static final int KILL_MS = 5000;

  private final HostThread thread;
  private final Process process;
  private final UnixConnection connection;
  private volatile boolean hungUp;
  private volatile boolean closing;

  HostProcess(HostThread thread, UnixConnection connection) {
    this.thread = thread;
    this.process = thread.process();
    this.connection = connection;
  }

  /** Passes a descriptor; the request that names the segment follows on the channel. */
  void send(int segment, int descriptor, long size, boolean writable) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment message = arena.allocate(WireStructs.SEGMENT_REQUEST.size(), 8);
      WireStructs.SEGMENT_REQUEST.set(message, "segment", segment);
      WireStructs.SEGMENT_REQUEST.set(message, "writable", writable ? 1 : 0);
      WireStructs.SEGMENT_REQUEST.set(message, "size", size);
      connection.send(message, descriptor);
    } catch (PosixException e) {
      if (e.code() == Errno.EAGAIN && process.isAlive()) {
        throw new DriverException(
            Errno.EPROTO, "the driver host does not accept the memory segments sent to it", e);
      }
      throw new DriverException(Errno.ENODEV, "the driver host " + ending(), e);
    }
  }

  Process process() {
    return process;
  }

  /** How it ended, for people; it hangs up before it can be reaped. */
  String ending() {
    return process.isAlive() ? "closed its connection" : ending(process);
  }

  /** How a process ended, for people; "runs" if it did not. */
  static String ending(Process process) {
    if (process.isAlive()) {
      return "runs";
    }
    int code = process.exitValue();
    if (code == SIGSYS) {
      return "was ended by signal 31, because its sandbox forbids a system call of the driver";
    }
    int signal = signal(process);
    return signal > 0 ? "was ended by signal " + signal : "exited with code " + code;
  }

  /** What ended the process; 0 if it runs, or ended by itself. */
  static int signal(Process process) {
    return process.isAlive() ? 0 : Math.max(0, process.exitValue() - SIGNALLED);
  }

  /**
   * Runs {@code action} once, on a thread of this host's own, when the process has ended. The
   * socket is watched, because it closes before the process can be reaped.
   */
  void onEnd(Runnable action) {
    thread.watch(
        () ->
            watch(
                () -> {
                  boolean ignored = connection.awaitHangUp(-1);
                },
                action));
  }

  /** A host that cannot be watched is ended: the action is run in any case. */
  void watch(Runnable awaitHangUp, Runnable action) {
    try {
      awaitHangUp.run();
    } catch (RuntimeException | Error e) {
      LOG.error(
          "the driver host {} is ended, because watching the process failed by a defect",
          process.pid(),
          e);
    } finally {
      hungUp = true;
      try {
        reap();
      } finally {
        action.run();
      }
    }
  }

  /** A host that hung up by itself has nothing left to do; one that we left may tidy up. */
  private void reap() {
    try {
      if (!closing || !process.waitFor(LEAVE_MS, TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        process.waitFor(KILL_MS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Whether it ended or is about to. */
  boolean hasEnded() {
    return hungUp || !process.isAlive();
  }

  /** Ends the process by force, soon. */
  void kill() {
    process.destroyForcibly();
  }

  /**
   * Does to the process what others may do to it.
   *
   * @throws DriverException ENODEV when it has ended already
   */
  void injectFault(HostFault fault) {
    boolean done =
        switch (fault) {
          case KILL -> ChildProcess.kill(process.pid());
          case STOP -> ChildProcess.stop(process.pid());
        };
    if (!done) {
      throw new DriverException(Errno.ENODEV, "the driver host has ended already");
    }
  }

  /** Hangs up and waits for the end, by force after a second. */
  @Override
  public void close() {
    closing = true;
    connection.hangUp();
    thread.watch(this::reap);
    thread.join();
    connection.close();
  }
}
