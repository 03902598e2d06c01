package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.device.HostFault;
import io.isle.api.driver.DriverException;
import io.isle.lib.ffi.ChildProcess;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.UnixConnection;
import io.isle.lib.ffi.UnixListener;
import io.isle.lib.kabi.WireStructs;
import io.isle.lib.shm.Channel;
import io.isle.lib.shm.ChannelLayout;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A driver-host process and the socket over which it is fed descriptors. The host ends when the
 * socket closes, however that comes about.
 */
final class HostProcess implements AutoCloseable {
  private static final int START_MS = 10_000;

  /** What Process gives for it. */
  private static final int SIGSYS = 128 + 31;

  private static final int LEAVE_MS = 1000;
  private static final int KILL_MS = 5000;

  private final Process process;
  private final UnixConnection connection;
  private volatile boolean hungUp;
  private volatile boolean closing;
  private Thread watcher;

  private HostProcess(Process process, UnixConnection connection) {
    this.process = process;
    this.connection = connection;
  }

  /**
   * Starts a host, gives it the channel, and waits until the library is loaded.
   *
   * @param output gets each line that the host or its driver prints
   * @throws DriverException naming what went wrong
   */
  static HostProcess start(
      Path executable, Path library, Sandbox sandbox, Channel channel, Consumer<String> output) {
    byte[] random = new byte[16];
    new java.security.SecureRandom().nextBytes(random);
    String name = "isle-" + HexFormat.of().formatHex(random);
    try (UnixListener listener = UnixListener.listen(name)) {
      List<String> command =
          new ArrayList<>(List.of(executable.toString(), name, library.toString()));
      command.addAll(sandbox.arguments());
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
      builder.environment().clear();
      Process process = builder.start();
      boolean started = false;
      AtomicReference<String> last = new AtomicReference<>("");
      Thread reader =
          forward(
              process,
              line -> {
                last.set(line);
                output.accept(line);
              });
      UnixConnection connection = null;
      try {
        connection = connect(listener, process);
        HostProcess host = new HostProcess(process, connection);
        host.send(0, channel.file().descriptor(), channel.file().size(), true);
        host.awaitReady(channel);
        started = true;
        return host;
      } catch (DriverException e) {
        throw explained(e, process, reader, last);
      } finally {
        if (!started) {
          process.destroyForcibly();
          if (connection != null) {
            connection.close();
          }
        }
      }
    } catch (IOException e) {
      throw new DriverException(
          Errno.ENOENT, "cannot start " + executable + ": " + e.getMessage(), e);
    }
  }

  /** Adds the last line that the host printed, which says why it ended. */
  private static DriverException explained(
      DriverException e, Process process, Thread reader, AtomicReference<String> last) {
    try {
      if (!process.isAlive()) {
        reader.join(1000);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    String said = last.get();
    return said.isEmpty() || e.getMessage().contains(said)
        ? e
        : new DriverException(e.code(), e.getMessage() + ": " + said, e);
  }

  private static UnixConnection connect(UnixListener listener, Process process) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MS);
    while (System.nanoTime() < deadline && process.isAlive()) {
      var accepted = listener.accept(100);
      if (accepted.isPresent()) {
        UnixConnection connection = accepted.get();
        if (connection.peerPid() == process.pid()) {
          return connection;
        }
        connection.close();
      }
    }
    throw new DriverException(Errno.ENODEV, "the driver host did not start: " + ending(process));
  }

  private void awaitReady(Channel channel) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MS);
    while (channel.hostState() != ChannelLayout.READY) {
      if (!process.isAlive() || channel.hostState() == ChannelLayout.CRASHED) {
        String why = channel.crashText();
        throw new DriverException(
            Errno.ENODEV, why.isEmpty() ? "the driver host " + ending(process) : why);
      }
      if (System.nanoTime() > deadline) {
        throw new DriverException(Errno.ETIMEDOUT, "the driver did not load in 10 s");
      }
      LockSupport.parkNanos(200_000);
    }
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
            Errno.EPROTO, "the driver host does not take the segments that it is sent", e);
      }
      String how = process.isAlive() ? "hung up" : ending(process);
      throw new DriverException(Errno.ENODEV, "the driver host " + how, e);
    }
  }

  Process process() {
    return process;
  }

  /** How the process ended, for people; "runs" if it did not. */
  static String ending(Process process) {
    if (process.isAlive()) {
      return "runs";
    }
    int code = process.exitValue();
    if (code == SIGSYS) {
      return "was ended by signal 31 for a system call that its sandbox forbids";
    }
    return code > 128 ? "was ended by signal " + (code - 128) : "exited with code " + code;
  }

  private static Thread forward(Process process, Consumer<String> output) {
    return Thread.ofVirtual()
        .name("driver-host-" + process.pid() + "-output")
        .start(
            () -> {
              try (InputStream stream = process.getInputStream()) {
                new HostOutput(output, System::nanoTime).forward(stream);
              } catch (IOException e) {
                // the stream closes with the process
              }
            });
  }

  /**
   * Runs {@code action} once, on a thread of this host's own, when the process has ended. The
   * socket is watched, because it closes before the process can be reaped.
   */
  void onEnd(Runnable action) {
    watcher =
        Thread.ofPlatform()
            .daemon()
            .name("isle-host-" + process.pid())
            .start(
                () -> {
                  boolean ignored = connection.awaitHangUp(-1);
                  hungUp = true;
                  reap();
                  action.run();
                });
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
    if (watcher == null) {
      reap();
    } else {
      join(watcher);
    }
    connection.close();
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        // its waits are bounded, and the descriptor may not be closed under it
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
