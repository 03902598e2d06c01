package io.isle.apps.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process that stands for a driver's: when it is killed or stopped, the device crashes. */
final class FakeHost implements AutoCloseable {
  private final Harness harness;
  private final Thread watch;
  private volatile Process process;
  private volatile boolean closed;

  FakeHost(Harness harness) {
    this.harness = harness;
    start();
    watch = Thread.ofPlatform().start(this::watch);
  }

  private void start() {
    try {
      process = new ProcessBuilder("sleep", "1000").start();
      harness.core.host = Optional.of(process.pid());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void watch() {
    while (!closed) {
      if (!process.isAlive() || stopped()) {
        process.destroyForcibly();
        start();
        harness.device.crash();
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private boolean stopped() {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/stat")).contains(") T ");
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      watch.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    process.destroyForcibly();
  }
}
