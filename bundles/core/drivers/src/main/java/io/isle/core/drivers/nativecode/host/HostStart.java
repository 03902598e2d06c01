package io.isle.core.drivers.nativecode.host;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.lib.ffi.UnixConnection;
import io.isle.lib.ffi.UnixListener;
import io.isle.lib.shm.Channel;
import io.isle.lib.shm.ChannelLayout;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** The start of one driver host, until its library is loaded or it has failed. */
public final class HostStart {
  private static final int START_MS = 10_000;
  private static final int LAST_WORDS_MS = 1000;

  private final HostThread thread;
  private final Process process;
  private final Thread reader;
  private volatile String last = "";

  private HostStart(HostThread thread, Consumer<String> output) {
    this.thread = thread;
    this.process = thread.process();
    this.reader =
        forward(
            process,
            line -> {
              last = line;
              output.accept(line);
            });
  }

  /**
   * Starts a host, gives it the channel, and waits until the library is loaded.
   *
   * @param report makes sense of what it leaves behind if it crashes
   * @param output gets each line that the host or its driver prints
   * @throws DriverException naming what went wrong; then nothing of it is left
   */
  public static HostProcess run(
      Path executable,
      Path library,
      Sandbox sandbox,
      Channel channel,
      CrashReport report,
      Consumer<String> output) {
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    String name = "isle-" + HexFormat.of().formatHex(random);
    try (UnixListener listener = UnixListener.listen(name)) {
      List<String> command =
          new ArrayList<>(List.of(executable.toString(), name, library.toString()));
      command.addAll(sandbox.arguments());
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
      builder.environment().clear();
      return new HostStart(HostThread.start(builder), output).complete(listener, channel, report);
    } catch (IOException e) {
      // processes or descriptors may be short for a moment: worth another attempt
      throw new DriverException(
          Files.exists(executable) ? Errno.EIO : Errno.ENOENT,
          "cannot start " + executable + ": " + e.getMessage(),
          e);
    }
  }

  private HostProcess complete(UnixListener listener, Channel channel, CrashReport report) {
    UnixConnection connection = null;
    boolean started = false;
    try {
      reader.start();
      connection = connect(listener);
      HostProcess host = new HostProcess(thread, connection);
      host.send(0, channel.file().descriptor(), channel.file().size(), true);
      awaitReady(channel, report);
      started = true;
      return host;
    } catch (DriverException e) {
      throw explained(e);
    } finally {
      if (!started) {
        process.destroyForcibly();
        thread.watch(() -> {});
        if (connection != null) {
          connection.close();
        }
      }
    }
  }

  private UnixConnection connect(UnixListener listener) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MS);
    while (System.nanoTime() - deadline < 0 && process.isAlive()) {
      var accepted = listener.accept(100);
      if (accepted.isPresent()) {
        UnixConnection connection = accepted.get();
        if (connection.peerPid() == process.pid()) {
          return connection;
        }
        connection.close();
      }
    }
    throw new DriverException(
        Errno.ENODEV, "the driver host did not start: " + HostProcess.ending(process));
  }

  private void awaitReady(Channel channel, CrashReport report) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MS);
    while (channel.hostState() != ChannelLayout.READY) {
      if (!process.isAlive() || channel.hostState() == ChannelLayout.CRASHED) {
        String why = report.text(channel);
        throw new DriverException(
            Errno.ENODEV, why.isEmpty() ? "the driver host " + HostProcess.ending(process) : why);
      }
      if (System.nanoTime() - deadline > 0) {
        throw new DriverException(Errno.ETIMEDOUT, "the driver did not load in 10 s");
      }
      LockSupport.parkNanos(200_000);
    }
  }

  /** Adds the last line that the host printed, which says why it ended. */
  private DriverException explained(DriverException e) {
    try {
      if (!process.isAlive()) {
        reader.join(LAST_WORDS_MS);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    String said = last;
    return said.isEmpty() || e.getMessage().contains(said)
        ? e
        : new DriverException(e.code(), e.getMessage() + ": " + said, e);
  }

  private static Thread forward(Process process, Consumer<String> output) {
    return Thread.ofVirtual()
        .name("driver-host-" + process.pid() + "-output")
        .unstarted(
            () -> {
              try (InputStream stream = process.getInputStream()) {
                new HostOutput(output, System::nanoTime).forward(stream);
              } catch (IOException e) {
                // the stream closes with the process
              }
            });
  }
}
