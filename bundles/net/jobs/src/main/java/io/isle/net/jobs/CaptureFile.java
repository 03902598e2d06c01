package io.isle.net.jobs;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.api.net.AppInfo;
import io.isle.api.net.NetAdmin;
import io.isle.lib.packet.capture.CaptureReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A capture of a net during a step, by an app of the kind capture. A capture loses frames when the
 * tiles are 4096 frames ahead; so the step asks {@link #allows} before it sends. Used by the thread
 * of the step; a thread of its own follows the app.
 */
final class CaptureFile implements AutoCloseable {
  /** Frames that may wait for the app; a half of what the tap of one tile has room for. */
  private static final long AHEAD = 2048;

  private static final long LOOK_MS = 2;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

  private final NetAdmin nets;
  private final String app;
  private final Path file;
  private final Thread watch;
  private volatile long captured;
  private volatile String failure = "";
  private volatile boolean closed;

  /** The name of the app that captures a net. */
  static String app(String net) {
    return net + "-capture";
  }

  /**
   * Begins a capture, and waits until frames are captured.
   *
   * @param folder for the file
   */
  CaptureFile(NetAdmin nets, String net, Path folder) throws IOException, InterruptedException {
    this.nets = nets;
    app = app(net);
    Files.createDirectories(folder);
    file = Files.createTempFile(folder, net, ".pcapng");
    watch = Thread.ofPlatform().daemon().name("isle-" + app).unstarted(this::follow);
    try {
      nets.startApp(
          app, Map.of("kind", "capture", "nets", net, "out", file.toString(), "name", net));
      awaitRunning();
      watch.start();
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  private void awaitRunning() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NS;
    while (!look().running()) {
      if (System.nanoTime() - end >= 0) {
        throw failed(look().reason());
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  private AppInfo look() {
    return nets.apps().stream()
        .filter(one -> one.name().equals(app))
        .findFirst()
        .orElseThrow(() -> failed("somebody has deleted the app " + app));
  }

  private static JobException failed(String why) {
    return JobException.failed(Errno.EIO, "capture: " + why, null);
  }

  private void follow() {
    try {
      while (!closed) {
        captured = look().received();
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
    } catch (RuntimeException e) {
      failure = String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Whether a further datagram may be sent: its frames find room.
   *
   * @param datagrams that have been sent so far, each of them two frames
   */
  boolean allows(long datagrams) {
    if (!failure.isEmpty()) {
      throw failed(failure);
    }
    return 2 * datagrams - captured < AHEAD;
  }

  /**
   * Waits for the frames of all datagrams, ends the capture, and copies the file.
   *
   * @param datagrams of the step
   * @return what the file has
   */
  CaptureCheck finish(long datagrams, OutputStream out) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE_NS;
    while (captured < 2 * datagrams && failure.isEmpty() && System.nanoTime() - end < 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
    boolean ignored = nets.removeApp(app);
    try (InputStream in = Files.newInputStream(file)) {
      long bytes = in.transferTo(out);
      out.flush();
      if (bytes == 0) {
        throw failed("the file is empty");
      }
    }
    try (CaptureReader reader = CaptureReader.open(Files.newInputStream(file), app)) {
      return CaptureCheck.read(reader, datagrams);
    }
  }

  /** Removes app and file. */
  @Override
  public void close() throws IOException {
    closed = true;
    watch.interrupt();
    boolean interrupted = Thread.interrupted();
    try {
      boolean ignored = nets.removeApp(app);
    } finally {
      Files.deleteIfExists(file);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
