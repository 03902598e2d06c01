package io.isle.fabric.ring.process;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import io.isle.fabric.ring.process.child.NodeProcess;
import io.isle.fabric.ring.process.wire.MessageLine;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.UnixConnection;
import io.isle.lib.ffi.UnixListener;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Starts nodes in JVMs of the same installation as ours. */
final class JvmStarter implements NodeStarter {
  private static final int LOOK_MS = 100;
  private static final long START_NS = TimeUnit.SECONDS.toNanos(30);
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  /** Of our environment, what decides on the encoding of file names. */
  private static final List<String> KEPT = List.of("LANG", "LC_ALL", "LC_CTYPE");

  private final PartSource source;

  JvmStarter(PartSource source) {
    this.source = source;
  }

  @Override
  public NodeChild start(String node, long heapBytes, BooleanSupplier givenUp) {
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    String socket = "isle-node-" + HexFormat.of().formatHex(random);
    try (UnixListener listener = UnixListener.listen(socket)) {
      Process process = builder(command(socket, node, heapBytes)).start();
      ChildLog log = new ChildLog(node);
      Thread reader = Thread.ofVirtual().name("isle-node-output").start(() -> read(process, log));
      boolean connected = false;
      try {
        UnixConnection connection = connect(listener, process, givenUp);
        try {
          NodeChild child = new NodeChild(process, MessageLine.platform(connection), log);
          connected = true;
          return child;
        } finally {
          if (!connected) {
            connection.close();
          }
        }
      } catch (RingException e) {
        throw explained(e, process, log, reader);
      } finally {
        if (!connected) {
          // nothing of it is left when the caller goes on
          NodeChild.endNow(process);
        }
      }
    } catch (IOException | PosixException e) {
      throw new RingException(Errno.EIO, "the process cannot be started: " + e.getMessage(), e);
    }
  }

  /** Adds the last line that the process printed. */
  private static RingException explained(
      RingException e, Process process, ChildLog log, Thread reader) {
    try {
      if (!process.isAlive()) {
        boolean ignored = reader.join(LAST_WORDS);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    String said = log.printed();
    return said.isEmpty() ? e : new RingException(e.code(), e.getMessage() + ": " + said, e);
  }

  List<String> command(String socket, String node, long heapBytes) {
    String path = source.classPath().stream().map(Path::toString).collect(Collectors.joining(":"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heapBytes);
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:MaxMetaspaceSize=96m",
            "-XX:ReservedCodeCacheSize=48m",
            "-XX:+ExitOnOutOfMemoryError",
            // no files outlive a process that is killed, or crashes
            "-XX:-UsePerfData",
            "-XX:+ErrorFileToStdout",
            "-XX:-CreateCoredumpOnCrash",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            path,
            NodeProcess.class.getName(),
            socket,
            node));
    return command;
  }

  private static ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(new File("/"))
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    Map<String, String> environment = builder.environment();
    environment.keySet().retainAll(KEPT);
    return builder;
  }

  private static UnixConnection connect(
      UnixListener listener, Process process, BooleanSupplier givenUp) {
    long deadline = System.nanoTime() + START_NS;
    while (process.isAlive() && !givenUp.getAsBoolean() && System.nanoTime() - deadline < 0) {
      var accepted = listener.accept(LOOK_MS);
      if (accepted.isPresent()) {
        UnixConnection connection = accepted.get();
        if (connection.peerPid() == process.pid()) {
          return connection;
        }
        connection.close();
      }
    }
    throw new RingException(
        Errno.ENODEV,
        process.isAlive()
            ? "the process did not connect to the platform"
            : "the process " + NodeChild.ending(process));
  }

  private static void read(Process process, ChildLog log) {
    try (var stream = process.getInputStream()) {
      log.forward(stream);
    } catch (IOException e) {
      // the stream closes with the process
    }
  }
}
